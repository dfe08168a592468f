import type {Store} from '../index/store.ts'
import type {PostedBatch} from './message-sink.ts'
import type {createArchiveCalls} from './archive-calls.ts'
import type {createHistoryReads} from './history-reads.ts'
import type {HistorySearcher} from './history-search.ts'
import type {IndexerOptions} from './indexer.ts'

/** The data that the reader thread is created with. */
export type ReaderData = Pick<
  IndexerOptions,
  'dataDir' | 'machine' | 'stateIntervalMs' | 'published'
>

type HistoryReads = ReturnType<typeof createHistoryReads>
type ArchiveCalls = ReturnType<typeof createArchiveCalls>['calls']

/** The functions of the reader thread that the socket thread calls. */
export interface ReaderCalls extends Store, HistoryReads, ArchiveCalls {
  historySearch: HistorySearcher['search']
  /** Resolves when the items and messages of an entry are in the index. */
  prepare(runId: string): Promise<void>
  /** Resolves when the index has everything that existed at the start. */
  whenCaughtUp(): Promise<void>
  /** Writes everything; the thread can be ended then. */
  close(): Promise<void>
}

/** A call, as data. */
export interface ReaderCall {
  type: 'call'
  id: number
  method: keyof ReaderCalls
  args: unknown[]
}

/** How many runs are followed, and how many recordings wait to be indexed. */
export interface Counts {
  live: number
  waiting: number
}

/** Messages to the reader thread. */
export type ToReader =
  | ReaderCall
  | {type: 'wake'; runs: (readonly [runId: string, hasRecord: boolean])[]}
  /** How many published messages the socket thread has processed. */
  | {type: 'processed'; count: number}

/** Messages from the reader thread. */
export type FromReader =
  | {type: 'result'; id: number; value: unknown; error?: Error | undefined; counts: Counts}
  | {type: 'publish'; batches: PostedBatch[]; json: Uint8Array; count: number; counts: Counts}
  | {type: 'adopt' | 'refresh'; runId: string}
  | {type: 'error'; error: Error}
  /** The thread ends; its index must be removed. */
  | {type: 'damaged'; reason: string}
