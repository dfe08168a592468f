import type {RunMessage, RunRemovedMessage} from '../../core/protocol/server-message.ts'

/** A message for subscribers, masked, with its JSON in some form. */
type MessageWith<Json, T extends string> = {readonly type: T; readonly seq: number} & Json

/** New messages of one run, in order. */
interface BatchWith<Json> {
  runId: string
  workOrderId: string
  /** Distinguishes the run from a later one with the same id. */
  marker: string
  messages: readonly MessageWith<Json, RunMessage['type']>[]
  /** Whether the run had ended before it was found: such messages go only to subscribers of that run. */
  isOld?: boolean | undefined
  /** Reports that the run was removed; such a batch contains nothing else. */
  removal?: MessageWith<Json, RunRemovedMessage['type']> | undefined
}

export type EncodedMessage<T extends string = RunMessage['type']> = MessageWith<{json: string}, T>
export type EncodedBatch = BatchWith<{json: string}>

/** A message whose JSON is posted with that of others in one piece, which is faster: only its size in bytes. */
export type PostedMessage<T extends string = RunMessage['type']> = MessageWith<{size: number}, T>
export type PostedBatch = BatchWith<{size: number}>

/** A message that was encoded once for all subscribers. */
export type LiveMessage<T extends string = RunMessage['type']> = MessageWith<{data: Buffer}, T>
export type LiveBatch = BatchWith<{data: Buffer}>

/** Receives the messages of live runs, which are in the index already. */
export interface MessageSink {
  publish(batch: EncodedBatch): void
  /** Backpressure: whether reading should wait for `whenDrained`. */
  readonly isFull: boolean
  whenDrained(): Promise<void>
}

/** Discards everything. */
export const nullSink: MessageSink = {publish() {}, isFull: false, whenDrained: async () => {}}
