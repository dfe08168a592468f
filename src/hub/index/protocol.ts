import type {Change} from './batch.ts'
import type {Reads} from './reads.ts'

/** A read of the index, as data. */
export type Question = {
  [M in keyof Reads]: {method: M; args: Parameters<Reads[M]>}
}[keyof Reads]

/** Requests to the thread besides writes. */
export type Request =
  | {type: 'read'; id: number; question: Question}
  | {type: 'settle'; id: number}
  /** Answered when every message is searchable. */
  | {type: 'seek'; id: number}
  /** The last request: the thread closes the index and ends. */
  | {type: 'leave'; id: number}

/** Messages from the store to its thread, processed in order. */
export type ToThread = {type: 'write'; changes: Change[]} | Request

/** Messages from the thread to the store. */
export type FromThread =
  | {type: 'written'; error?: Error | undefined}
  | {type: 'answer'; id: number; value: unknown}
  | {type: 'refusal'; id: number; error: Error}
  /** The index is unusable and nothing is written: the thread waits for `leave`. */
  | {type: 'damage'; reason: string}

/** The id of the answer sent when the index is open, without a request. */
export const OPENING = 0
