import type {RunMessage, RunRemovedMessage} from '../../core/protocol/server-message.ts'

/** A message for subscribers, masked and encoded. */
export interface EncodedMessage<T extends string = RunMessage['type']> {
  type: T
  seq: number
  json: string
}

/** New messages of one run, in order. */
export interface EncodedBatch {
  runId: string
  workOrderId: string
  /** Distinguishes the run from a later one with the same id. */
  marker: string
  messages: readonly EncodedMessage[]
  /** Whether the run had ended before it was found: such messages go only to subscribers of that run. */
  isOld?: boolean | undefined
  /** Reports that the run was removed; such a batch contains nothing else. */
  removal?: EncodedMessage<RunRemovedMessage['type']> | undefined
}

/** Receives the messages of live runs, which are in the index already. */
export interface MessageSink {
  publish(batch: EncodedBatch): void
  /** Backpressure: whether reading should wait for `whenDrained`. */
  readonly isFull: boolean
  whenDrained(): Promise<void>
}

/** Discards everything. */
export const nullSink: MessageSink = {publish() {}, isFull: false, whenDrained: async () => {}}
