import type {ReadBatch, RemovalNews, RunNews, Outlet} from './message-sink.ts'
import type {RunEntry} from '../index/store.ts'

/** What the thread that reads recordings is made with. */
export interface IntakeData {
  dataDir: string
  stateIntervalMs: number | undefined
}

/** What was read, in order. */
export type Gift =
  | {type: 'pass'; batch: ReadBatch}
  | {type: 'put'; entry: RunEntry; news: RunNews | undefined}
  | {type: 'remove'; runId: string; news: RemovalNews | undefined}

type Asked = Pick<Outlet, 'room' | 'settled' | 'clear' | 'listStamps' | 'listRuns'>

/** A question to whoever has the index, as data. */
export type Question = {
  [M in keyof Asked]: {method: M; args: Parameters<Asked[M]>}
}[keyof Asked]

/** How many runs are followed, and how many wait. */
export interface Counts {
  live: number
  waiting: number
}

/** What the thread that reads tells. */
export type FromIntake =
  | {type: 'give'; gifts: Gift[]; messageCount: number; counts: Counts}
  /** Is answered after all that was given before it. */
  | {type: 'ask'; id: number; question: Question}
  | {type: 'adopt' | 'refresh'; runId: string}
  /** How far it is with what was there: the first filling is 0, each time the index is made anew it is one more. */
  | {type: 'cleared' | 'listed' | 'caught-up'; filling: number; counts: Counts; error?: Error}
  | {type: 'error'; error: Error}
  | {type: 'closed'}

/** What the thread that reads is told. */
export type ToIntake =
  /** Somebody listens now. */
  | {type: 'begin'}
  | {type: 'wake'; runs: (readonly [runId: string, hasRecord: boolean])[]}
  | {type: 'rebuild' | 'close'}
  /** So many messages were taken, and so many wait to be written. */
  | {type: 'taken'; messageCount: number; isFull: boolean}
  | {type: 'answer'; id: number; value: unknown}
  | {type: 'refusal'; id: number; error: Error}
