import type {ReadBatch, RunRemoval, RunStateUpdate, MessageSink} from './message-sink.ts'
import type {RunEntry} from '../index/store.ts'

/** The data that the reader thread is created with. */
export interface IndexerData {
  dataDir: string
  stateIntervalMs: number | undefined
}

/** Changes read from recordings, in order. */
export type IndexChange =
  | {type: 'pass'; batch: ReadBatch}
  | {type: 'put'; entry: RunEntry; news: RunStateUpdate | undefined}
  | {type: 'remove'; runId: string; news: RunRemoval | undefined}

type SinkRequests = Pick<
  MessageSink,
  'whenDrained' | 'whenWritten' | 'clear' | 'listStamps' | 'listRuns'
>

/** A request to the sink, as data. */
export type SinkRequest = {
  [M in keyof SinkRequests]: {method: M; args: Parameters<SinkRequests[M]>}
}[keyof SinkRequests]

/** How many runs are followed, and how many wait. */
export interface Counts {
  live: number
  waiting: number
}

/** Messages from the reader thread. */
export type FromIndexer =
  | {type: 'give'; changes: IndexChange[]; messageCount: number; counts: Counts}
  /** Answered after all changes before it. */
  | {type: 'ask'; id: number; question: SinkRequest}
  | {type: 'adopt' | 'refresh'; runId: string}
  /** Progress of filling the index: the first filling is 0, each rebuild adds 1. */
  | {type: 'cleared' | 'listed' | 'caught-up'; filling: number; counts: Counts; error?: Error}
  | {type: 'error'; error: Error}
  | {type: 'closed'}

/** Messages to the reader thread. */
export type ToIndexer =
  /** The socket thread is listening. */
  | {type: 'begin'}
  | {type: 'wake'; runs: (readonly [runId: string, hasRecord: boolean])[]}
  | {type: 'rebuild' | 'close'}
  /** How many messages were processed, and whether the index lags behind. */
  | {type: 'taken'; messageCount: number; isFull: boolean}
  | {type: 'answer'; id: number; value: unknown}
  | {type: 'refusal'; id: number; error: Error}
