import type {AgentEvent, FileAction} from '../core/events/events.ts'
import type {UserAnswers} from '../core/events/question.ts'
import type {Limits} from '../core/run/limits.ts'
import type {RunEnding, RunOrigin} from '../core/run/run-summary.ts'

/**
 * What a hub shows of one run to those who look closely: everything in its recording, in order, each item numbered from 1.
 * Long texts are left out; {@link RecordsAnswer} has them. Items are a function of the recording alone.
 */
export type RunItem = StartItem | LineItem | AnswerItem | FileItem | EndItem

/** What every item has. */
interface ItemBase {
  /** Counts the items of a run from 1, without a hole. */
  n: number
  /** When, in milliseconds since 1970, by the clock of whoever watched the run. */
  at: number
}

/** The run began. */
export interface StartItem extends ItemBase, RunOrigin {
  type: 'start'
  /** What the agent was asked to do, whole up to 10,000 characters. */
  prompt?: string | undefined
  /** What it may use. */
  limits?: Limits | undefined
}

/** A line of what the agent printed. */
export interface LineItem extends ItemBase {
  type: 'line'
  /** Which, counted from 1. */
  line: number
  /** Where it begins in `stdout`, and how many bytes it has with its end. */
  offset: number
  size: number
  /** The agent's word for what it is, such as `system/init`; empty for a blank one. */
  kind: string
  events: SlimEvent[]
  /** What the run has used up to here, where that is another than before. */
  spent?: SpentSoFar | undefined
}

/** An event as its line tells it, without what the item has; its long texts are left out. */
export type SlimEvent = DistributiveOmit<AgentEvent, 'line' | 'at' | 'agent'> & {
  /** Something of it is cut or left out. */
  isCut?: true | undefined
  /** How long its text is, where it is cut. */
  length?: number | undefined
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** What a run has used up to a line. */
export interface SpentSoFar {
  costUsd: number | null
  isEstimate: boolean
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** How many tokens the last request of the conversation held, where that is told. */
  context?: number | undefined
  /** What sub-agents have used, of those that used more than was told before. */
  subAgents?: SubAgentSpent[] | undefined
}

/** What a sub-agent has used up to a line: an estimate, as no agent tells it. */
export interface SubAgentSpent {
  /** The call that it is. */
  toolId: string
  /** Of all kinds. */
  tokens: number
  /** By list prices; `null` where a price is not known. */
  costUsd: number | null
}

/** Somebody answered a request for permission. */
export interface AnswerItem extends ItemBase {
  type: 'answer'
  requestId: string
  /** What the answer was, where it was written down. */
  allow?: boolean | undefined
  /** Who gave it: `you` at the terminal, `dashboard`, or a `rule`, the `mode`, a `timeout`. */
  who?: string | undefined
  rule?: string | undefined
  /** The answers to a question to the user. */
  answers?: UserAnswers | undefined
  waitedMs?: number | undefined
}

/** A file was seen to be another. */
export interface FileItem extends ItemBase {
  type: 'file'
  path: string
  action: FileAction
  sizeBytes?: number | undefined
  /** Whether another run may have made the change. */
  isUncertain?: boolean | undefined
}

/** The run ended. Nothing comes after it. */
export interface EndItem extends ItemBase, RunEnding {
  type: 'end'
  /** What the end of the stream told: tools that were open. */
  events: SlimEvent[]
}

/** Items of a run, on their way to a client. */
export interface RunItemsMessage {
  type: 'run_items'
  runId: string
  items: RunItem[]
  /** Whether this is all there is so far. */
  isCaughtUp: boolean
  /** How many bytes of stdout have been read, of how many. */
  bytes: {read: number; total: number}
  /**
   * These are the last lines of a long run, from this one of how many, ahead of all: everything follows from the beginning,
   * with numbers of its own.
   */
  preview?: {from: number; of: number} | undefined
}

/** Lines of a recording in full, as `GET /api/runs/{runId}/records` gives them. */
export interface RecordsAnswer {
  records: FullRecord[]
}

/** A line in full, without secrets; texts over 64 KiB are cut, and `/raw` has the bytes. */
export interface FullRecord {
  line: number
  /** The line as it came, cut at 64 KiB. */
  raw: string
  events: SlimEvent[]
}

/** The first and the last of some lines, counted from 1. */
export type LineRange = readonly [from: number, to: number]
