import type {AgentEvent, FileAction} from '../core/events/events.ts'
import type {UserAnswers} from '../core/events/question.ts'
import type {Limits} from '../core/run/limits.ts'
import type {RunEnding, RunOrigin} from '../core/run/run-summary.ts'

/**
 * Item of a run page. The items of a run contain its recording in order, numbered from 1, and depend on the
 * recording alone. Long texts are left out; {@link RecordsAnswer} has them.
 */
export type RunItem = StartItem | LineItem | AnswerItem | FileItem | EndItem

interface ItemBase {
  /** Number in the run, starting at 1, without gaps. */
  n: number
  /** Milliseconds since 1970, by the clock of the supervisor. */
  at: number
}

/** The run started. */
export interface StartItem extends ItemBase, RunOrigin {
  type: 'start'
  /** The prompt, cut at 10,000 characters. */
  prompt?: string | undefined
  limits?: Limits | undefined
}

/** The agent printed a line. */
export interface LineItem extends ItemBase {
  type: 'line'
  /** Line number, starting at 1. */
  line: number
  /** Offset in `stdout`, and size in bytes including the line end. */
  offset: number
  size: number
  /** The agent's name for the kind of record, such as `system/init`; empty for a blank line. */
  kind: string
  events: SlimEvent[]
  /** Usage of the run so far, if it changed. */
  spent?: SpentSoFar | undefined
}

/** An event without the fields of its item; long texts are cut or left out. */
export type SlimEvent = DistributiveOmit<AgentEvent, 'line' | 'at' | 'agent'> & {
  /** Set if a text was cut or left out. */
  isCut?: true | undefined
  /** Length of the complete text, if it was cut. */
  length?: number | undefined
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Usage of a run up to a line. */
export interface SpentSoFar {
  costUsd: number | null
  isEstimate: boolean
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Tokens in the context of the last request, if the agent reports them. */
  context?: number | undefined
  /** Usage of the sub-agents that used more than last reported. */
  subAgents?: SubAgentSpent[] | undefined
}

/** Estimated usage of a sub-agent up to a line: agents do not report it. */
export interface SubAgentSpent {
  /** The tool call that started the sub-agent. */
  toolId: string
  /** Tokens of all kinds. */
  tokens: number
  /** At list prices; `null` if a price is unknown. */
  costUsd: number | null
}

/** A permission request was answered. */
export interface AnswerItem extends ItemBase {
  type: 'answer'
  requestId: string
  /** The decision, if it was recorded. */
  allow?: boolean | undefined
  /** Source of the answer: `you` (terminal), `dashboard`, `rule`, `mode` or `timeout`. */
  who?: string | undefined
  rule?: string | undefined
  /** Answers to a question to the user. */
  answers?: UserAnswers | undefined
  waitedMs?: number | undefined
}

/** A file was created, modified or deleted. */
export interface FileItem extends ItemBase {
  type: 'file'
  path: string
  action: FileAction
  sizeBytes?: number | undefined
  /** Whether another run may have made the change. */
  isUncertain?: boolean | undefined
}

/** The run ended. This is the last item. */
export interface EndItem extends ItemBase, RunEnding {
  type: 'end'
  /** Events of the end of the stream, such as unfinished tools. */
  events: SlimEvent[]
}

/** Sends items of a run to a client. */
export interface RunItemsMessage {
  type: 'run_items'
  runId: string
  items: RunItem[]
  /** Whether the client now has all items that exist. */
  isCaughtUp: boolean
  /** Bytes of stdout read so far, and in total. */
  bytes: {read: number; total: number}
  /**
   * Set if the items are a preview: the start and the last items of a long run, from line `from` of `of`. All items
   * follow from the beginning.
   */
  preview?: {from: number; of: number} | undefined
}

/** Complete lines of a recording, the response of `GET /api/runs/{runId}/records`. */
export interface RecordsAnswer {
  records: FullRecord[]
}

/** A line in full with secrets masked; texts are cut at 64 KiB, and `/raw` has the original bytes. */
export interface FullRecord {
  line: number
  /** The line as printed, cut at 64 KiB. */
  raw: string
  events: SlimEvent[]
}

/** First and last line, starting at 1. */
export type LineRange = readonly [from: number, to: number]
