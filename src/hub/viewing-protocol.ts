/** What the thread that shows runs is made with. */
export interface ViewingData {
  dataDir: string
}

/** The first and the last of some lines, counted from 1. */
export type LineRange = readonly [from: number, to: number]

/** What the thread that shows runs is told. */
export type ToViewing =
  /** Somebody looks at a run, and has its items up to a number. */
  | {type: 'open'; id: number; runId: string; since: number; mayAnswer: boolean}
  /** Whoever looks has room for more. */
  | {type: 'more'; id: number}
  | {type: 'close'; id: number}
  /** Somebody wants lines of a run in full. */
  | {
      type: 'records'
      id: number
      runId: string
      /** First and last lines, in order. */
      ranges: LineRange[]
      mayAnswer: boolean
    }
  /** Somebody wants to know which lines of a run hold a text. */
  | {type: 'find'; id: number; runId: string; text: string}

/** What it says. */
export type FromViewing =
  /** A message for whoever looks, encoded. A few are said unasked, then one for each time more is asked for. */
  | {type: 'items'; id: number; message: Uint8Array; isLast: boolean}
  | {type: 'answer'; id: number; json: string}
  /** There is nothing to show, or it cannot be read. */
  | {type: 'failed'; id: number; error?: Error | undefined}
