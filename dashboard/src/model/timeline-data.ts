import type {ToolKind} from '../../../src/core/events/events.ts'
import type {NoticeKind} from '../../../src/core/words/status-words.ts'

/** The data of a timeline. Times are milliseconds since 1970; the spans of a lane are ordered by start. */
export interface TimelineData {
  startedAt: number
  /** Absent while the run is live. */
  endedAt?: number | undefined
  lanes: readonly TimelineLane[]
  /** When turns after the first started. */
  turns: readonly number[]
}

/** The agent, a sub-agent, or background tasks. */
export interface TimelineLane {
  id: string
  kind: 'main' | 'agent' | 'background'
  label: string
  /** The two letters of the agent, before the label of the main lane: `Cl`. */
  monogram?: string | undefined
  /** A short description: `opus-5-5 · 38 tools`, `$0.11`. */
  detail: string
  isDone: boolean
  tools: readonly ToolSpan[]
  /** When the model was thinking or writing. */
  model: readonly ModelSpan[]
  /** Waits other than tools: a permission, a retry, a limit. */
  waits: readonly WaitSpan[]
  marks: readonly TimelineMark[]
  /** Start of the silence without a known reason; it lasts until now or the end. */
  silentSince?: number | undefined
}

export interface ToolSpan {
  /** Id of its entry in the feed. */
  id: string
  start: number
  /** Absent while it runs. */
  end?: number | undefined
  tool: ToolKind
  label: string
  hasFailed: boolean
}

/** A period of model activity. */
export interface ModelSpan {
  start: number
  end: number
  isThinking: boolean
}

export interface WaitSpan {
  id: string
  start: number
  end?: number | undefined
  kind: NoticeKind | 'request'
  label: string
}

export interface TimelineMark {
  id: string
  at: number
  kind: 'plan' | 'turn-end' | 'interrupted'
  label: string
}
