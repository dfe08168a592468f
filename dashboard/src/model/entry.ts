import type {FileAction, PlanItem, ToolKind} from '../../../src/core/events/events.ts'
import type {UserAnswers} from '../../../src/core/events/question.ts'
import type {RunEnding} from '../../../src/core/run/run-summary.ts'
import type {NoticeKind, StatusNotice} from '../../../src/core/words/status-words.ts'

/** Something in the feed of a run, in the order in which it happened. */
export type Entry =
  | SessionEntry
  | PromptEntry
  | SpeechEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | RequestEntry
  | TaskEntry
  | TurnEntry
  | OddEntry
  | EndEntry

/** What every entry has. */
interface EntryBase {
  /** Where it is among all entries, from 0. */
  id: number
  at: number
  /** The line that it comes from, and the last that tells of it; 0 when it comes from none. */
  line: number
  lastLine: number
  /** The call of the sub-agent that it is of. */
  parentId?: string | undefined
  /** How many sub-agents deep. */
  depth: number
}

/** A session began. */
interface SessionEntry extends EntryBase {
  type: 'session'
  agent: string
  version?: string | undefined
  model?: string | undefined
  permissionMode?: string | undefined
  mcpServers: readonly string[]
}

/** What the agent was asked to do. */
interface PromptEntry extends EntryBase {
  type: 'prompt'
  text: string
}

/** What the agent said or thought. */
export interface SpeechEntry extends EntryBase {
  type: 'speech'
  isThinking: boolean
  text: string
  /** How long it is in all, in characters. */
  length: number
  /** Whether there is more of it than `text`. */
  isCut: boolean
  messageId?: string | undefined
  endAt: number
}

/** A tool call. */
export interface ToolEntry extends EntryBase {
  type: 'tool'
  toolId: string
  tool: ToolKind
  name: string
  summary: string
  /** As it was given, where it is short. */
  input: unknown
  /** Whether input or output is longer than what is here. */
  isCut: boolean
  /** Absent while it runs. */
  endAt?: number | undefined
  ok?: boolean | undefined
  output: string
  outputLength: number
  error?: string | undefined
  exitCode?: number | undefined
  durationMs?: number | undefined
  /** Whether it took less than that, as far as is known: the time also holds the wait for parallel calls. */
  isAtMost: boolean
  isDenied: boolean
  isUnfinished: boolean
  /** What it has printed so far, while it runs. */
  tail: string
  /** What became of files. */
  path?: string | undefined
  action?: FileAction | undefined
  added: number
  removed: number
  /** The plan that it made. */
  plan?: readonly PlanItem[] | undefined
  /** What the sub-agent that it is did. */
  children: Entry[]
  /** How many tools its sub-agent has used. */
  toolCount: number
  isBackground: boolean
}

/** The plan was made or changed, by no tool that is shown. */
interface PlanEntry extends EntryBase {
  type: 'plan'
  items: readonly PlanItem[]
}

/** A notice about the run, in one line. */
export interface NoticeEntry extends EntryBase, StatusNotice {
  type: 'notice'
  /** When a wait was over. */
  endAt?: number | undefined
}

/** The agent asked whether it may. */
export interface RequestEntry extends EntryBase {
  type: 'request'
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  isCut: boolean
  reason?: string | undefined
  endAt?: number | undefined
  allow?: boolean | undefined
  who?: string | undefined
  rule?: string | undefined
  /** The answers, where it was a question to the user. */
  answers?: UserAnswers | undefined
}

/** Work in the background. */
export interface TaskEntry extends EntryBase {
  type: 'task'
  taskId: string
  description: string
  endAt?: number | undefined
  ok?: boolean | undefined
}

/** A turn ended, which is not the end of the run. */
export interface TurnEntry extends EntryBase {
  type: 'turn'
  turn: number
  ok: boolean
  text: string
  isCut: boolean
  length: number
  reason?: string | undefined
  durationMs?: number | undefined
  /** What this turn cost, where that can be said. */
  costUsd?: number | undefined
}

/** A line that is not known or could not be read. */
interface OddEntry extends EntryBase {
  type: 'odd'
  isMalformed: boolean
  reason: string
  raw: string
  size: number
}

/** The run ended. */
interface EndEntry extends EntryBase {
  type: 'end'
  ending: RunEnding
}

/** What a call has to show when it begins. */
export function nothingDone() {
  return {
    output: '',
    outputLength: 0,
    isDenied: false,
    isUnfinished: false,
    isAtMost: false,
    tail: '',
    added: 0,
    removed: 0,
    children: [] as Entry[],
    toolCount: 0,
    isBackground: false,
  } satisfies Partial<ToolEntry>
}

/** Whether something went wrong in it. */
export function isError(entry: Entry): boolean {
  switch (entry.type) {
    case 'tool':
      return entry.ok === false && !entry.isUnfinished
    case 'notice':
      return ERROR_NOTICES.has(entry.kind)
    case 'request':
      return entry.allow === false
    case 'task':
      return entry.ok === false
    case 'turn':
      return !entry.ok
    case 'odd':
      return entry.isMalformed
    case 'end':
      return entry.ending.verdict !== 'succeeded' && entry.ending.verdict !== 'stopped'
    default:
      return false
  }
}

const ERROR_NOTICES: ReadonlySet<NoticeKind> = new Set(['hook-failed', 'warning', 'denied'])

/** A word that is another whenever something of an entry is another: entries change in place. */
export function revisionOf(entry: Entry): string {
  switch (entry.type) {
    case 'speech':
      return String(entry.length)
    case 'tool': {
      const {endAt = 0, tail, added, removed, toolCount, children, isBackground} = entry
      return `${endAt} ${tail.length} ${tail.slice(-20)} ${added} ${removed} ${toolCount} ${children.length} ${isBackground} ${entry.plan?.length ?? 0}`
    }
    case 'notice':
      return `${entry.endAt ?? 0} ${entry.text}`
    case 'request':
    case 'task':
      return String(entry.endAt ?? 0)
    default:
      return ''
  }
}
