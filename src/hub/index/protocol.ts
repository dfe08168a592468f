import type {Change} from './batch.ts'
import type {Reads} from './reads.ts'

/** A question to the index, as data. */
export type Question = {
  [M in keyof Reads]: {method: M; args: Parameters<Reads[M]>}
}[keyof Reads]

/** What is asked of the thread besides writing. */
export type Request =
  | {type: 'read'; id: number; question: Question}
  | {type: 'settle'; id: number}
  /** Is answered when every message can be found. */
  | {type: 'seek'; id: number}
  /** Nothing comes after it: the thread closes the index and ends. */
  | {type: 'leave'; id: number}

/** What the store tells its thread, which does one after the other. */
export type ToThread = {type: 'write'; changes: Change[]} | Request

/** What the thread tells the store. */
export type FromThread =
  | {type: 'written'; error?: Error | undefined}
  | {type: 'answer'; id: number; value: unknown}
  | {type: 'refusal'; id: number; error: Error}
  /** The index is of no use any more, and nothing is written: the thread waits to be told to leave. */
  | {type: 'damage'; reason: string}

/** The id of the answer that the index is open, which comes without a question. */
export const OPENING = 0
