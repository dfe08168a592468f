import type {FileAction, PlanItem, ToolKind} from '../../../src/core/events/events.ts'
import type {UserAnswers} from '../../../src/core/events/question.ts'
import type {RunEnding} from '../../../src/core/run/run-summary.ts'
import type {NoticeKind, StatusNotice} from '../../../src/core/words/status-words.ts'

/** An entry of the feed, in chronological order. */
export type Entry =
  | SessionEntry
  | PromptEntry
  | TextEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | RequestEntry
  | TaskEntry
  | TurnEntry
  | OddEntry
  | EndEntry

/**
 * Identifies an entry, independent of the loading order: `line:index` of the event that created it, `prompt`, `end`, or
 * `end:index` for an event of the end of the stream.
 */
export type EntryId = string

interface EntryBase {
  id: EntryId
  at: number
  /** The line that it comes from and the last line about it; 0 when it comes from no line. */
  line: number
  lastLine: number
  /** The call of its sub-agent. */
  parentId?: string | undefined
  /** The nesting depth of sub-agents. */
  depth: number
}

interface SessionEntry extends EntryBase {
  type: 'session'
  agent: string
  version?: string | undefined
  model?: string | undefined
  permissionMode?: string | undefined
  mcpServers: readonly string[]
}

interface PromptEntry extends EntryBase {
  type: 'prompt'
  text: string
}

/** A text or a thought of the agent. */
export interface TextEntry extends EntryBase {
  type: 'text'
  isThinking: boolean
  text: string
  /** The full length in characters. */
  length: number
  /** Whether `text` is truncated. */
  isCut: boolean
  messageId?: string | undefined
  endAt: number
}

export interface ToolEntry extends EntryBase {
  type: 'tool'
  toolId: string
  tool: ToolKind
  name: string
  summary: string
  /** The input as given, if it is short. */
  input: unknown
  /** Whether input or output is truncated. */
  isCut: boolean
  /** Absent while it runs. */
  endAt?: number | undefined
  ok?: boolean | undefined
  output: string
  outputLength: number
  error?: string | undefined
  exitCode?: number | undefined
  durationMs?: number | undefined
  /** Whether the duration is an upper bound, because it includes the wait for parallel calls. */
  isAtMost: boolean
  isDenied: boolean
  isUnfinished: boolean
  /** The output so far, while it runs. */
  tail: string
  /** The changed files. */
  path?: string | undefined
  action?: FileAction | undefined
  added: number
  removed: number
  /** The plan it created. */
  plan?: readonly PlanItem[] | undefined
  /** The report of its sub-agent. */
  children: Entry[]
  /** The number of tool calls of its sub-agent. */
  toolCount: number
  isBackground: boolean
}

/** A plan was created or changed without a visible tool call. */
interface PlanEntry extends EntryBase {
  type: 'plan'
  items: readonly PlanItem[]
}

/** A one-line notice about the run. */
export interface NoticeEntry extends EntryBase, StatusNotice {
  type: 'notice'
  /** The end of a wait. */
  endAt?: number | undefined
}

export interface RequestEntry extends EntryBase {
  type: 'request'
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  reason?: string | undefined
  endAt?: number | undefined
  allow?: boolean | undefined
  who?: string | undefined
  rule?: string | undefined
  /** The answers to a question for the user. */
  answers?: UserAnswers | undefined
}

export interface TaskEntry extends EntryBase {
  type: 'task'
  taskId: string
  description: string
  endAt?: number | undefined
  ok?: boolean | undefined
}

/** The end of a turn, not of the run. */
export interface TurnEntry extends EntryBase {
  type: 'turn'
  turn: number
  ok: boolean
  text: string
  isCut: boolean
  reason?: string | undefined
  durationMs?: number | undefined
  /** The cost of this turn, if known. */
  costUsd?: number | undefined
}

/** A line that is unknown or malformed. */
interface OddEntry extends EntryBase {
  type: 'odd'
  isMalformed: boolean
  reason: string
  raw: string
}

interface EndEntry extends EntryBase {
  type: 'end'
  ending: RunEnding
}

/** The initial content of a call. */
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

/** Whether it contains a failure. */
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

/** A key that changes with the content of an entry, because entries change in place. */
export function revisionOf(entry: Entry): string {
  switch (entry.type) {
    case 'text':
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
