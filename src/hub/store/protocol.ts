import type {Change} from './batch.ts'
import type {Reads} from './reads.ts'

/** One question, as data. */
export type Question = {
  [M in keyof Reads]: {method: M; args: Parameters<Reads[M]>}
}[keyof Reads]

/** What the store tells its thread. Changes that were given before damage came to light have an older epoch, and are forgotten. */
export type ToThread =
  | {type: 'write'; epoch: number; changes: Change[]}
  | {type: 'read'; id: number; question: Question}
  | {type: 'settle' | 'clear' | 'close'; id: number}

/** What the thread tells the store. */
export type FromThread =
  | {type: 'written'; error?: Error | undefined}
  | {type: 'answer'; id: number; value: unknown}
  | {type: 'refusal'; id: number; error: Error}
  | {type: 'damage'; epoch: number; reason: string}

/** The id of the answer that the index is open, which comes without a question. */
export const OPENING = 0
