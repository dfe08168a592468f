import type {Store, StoreStats} from '../index/store.ts'
import type {EncodedBatch, EncodedMessage} from './message-sink.ts'
import type {PublishedSeqs} from './run-publisher.ts'

/** The data that the reader thread is created with. */
export interface ReaderData {
  dataDir: string
  stateIntervalMs: number | undefined
  published: PublishedSeqs
}

/** The functions of the reader thread that the socket thread calls. */
export interface ReaderCalls extends Omit<Store, 'stats'> {
  stats(todayFrom: number): Promise<StoreStats>
  /** Resolves when the index has everything that existed at the start. */
  whenCaughtUp(): Promise<void>
  /** Writes everything; the thread can be ended then. */
  close(): Promise<void>
}

/** A call, as data. */
export interface ReaderCall<M extends keyof ReaderCalls = keyof ReaderCalls> {
  method: M
  args: Parameters<ReaderCalls[M]>
}

/** How many runs are followed, and how many recordings wait to be indexed. */
export interface Counts {
  live: number
  waiting: number
}

/** A batch without the JSON of its messages, which is posted in one piece: that is faster and needs less memory. */
export interface PostedBatch extends Omit<EncodedBatch, 'messages' | 'removal'> {
  messages: PostedMessage[]
  removal: PostedMessage<NonNullable<EncodedBatch['removal']>['type']> | undefined
}

/** A message, and the size of its JSON in bytes. */
export type PostedMessage<T extends string = EncodedMessage['type']> = Omit<
  EncodedMessage<T>,
  'json'
> & {size: number}

/** Messages to the reader thread. */
export type ToReader =
  | {type: 'call'; id: number; call: ReaderCall}
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
