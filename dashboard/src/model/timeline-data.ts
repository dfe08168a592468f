import type {ToolKind} from '../../../src/core/events/events.ts'
import type {NoticeKind} from '../../../src/core/words/status-words.ts'

/** What a timeline draws. Times are milliseconds since 1970. Spans of a lane are in the order of their starts. */
export interface TimelineData {
  startedAt: number
  /** Absent while the run goes on. */
  endedAt?: number | undefined
  lanes: readonly TimelineLane[]
  /** When turns after the first began. */
  turns: readonly number[]
}

/** The agent, a sub-agent, or what runs in the background. */
export interface TimelineLane {
  id: string
  kind: 'main' | 'agent' | 'background'
  label: string
  /** The two letters of the agent, before the label of the main lane: `Cl`. */
  monogram?: string | undefined
  /** What is known of it, short: `opus-5-5 · 38 tools`, `$0.11`. */
  detail: string
  isDone: boolean
  tools: readonly ToolSpan[]
  /** When the model thought or wrote. */
  model: readonly ModelSpan[]
  /** When it waited for something that is no tool: a permission, a retry, a limit. */
  waits: readonly WaitSpan[]
  marks: readonly TimelineMark[]
  /** Since when nothing has come, without a reason; up to now or the end. */
  silentSince?: number | undefined
}

/** A tool call. */
export interface ToolSpan {
  /** The entry of the feed that it is. */
  id: number
  start: number
  /** Absent while it runs. */
  end?: number | undefined
  tool: ToolKind
  label: string
  hasFailed: boolean
}

/** A time in which the model was at work. */
export interface ModelSpan {
  start: number
  end: number
  isThinking: boolean
}

/** A time of waiting. */
export interface WaitSpan {
  id: number
  start: number
  end?: number | undefined
  kind: NoticeKind | 'request'
  label: string
}

/** A moment worth finding again. */
export interface TimelineMark {
  id: number
  at: number
  kind: 'plan' | 'turn-end' | 'interrupted'
  label: string
}
