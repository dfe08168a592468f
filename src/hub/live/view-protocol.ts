import {type LineRange} from '../../replay/run-item.ts'
/** What the thread that shows runs is made with. */
export interface ViewData {
  dataDir: string
}

/** What the thread that shows runs is told. */
export type ToViews =
  /** A client opens a run, and has its items up to a number. */
  | {
      type: 'open'
      id: number
      /** Whose view it is: all views of a client share what may be on its way to it. */
      clientId: number
      runId: string
      since: number
      mayAnswer: boolean
    }
  /** A client has received a message. */
  | {type: 'received'; clientId: number}
  /** A client has disconnected. */
  | {type: 'leave'; clientId: number}
  /** Nothing more is wanted: of a view, or of an answer. */
  | {type: 'close'; id: number}
  /** Somebody wants lines of a run in full. */
  | {
      type: 'records'
      id: number
      runId: string
      /** First and last lines, in order and without overlaps. */
      ranges: LineRange[]
      mayAnswer: boolean
    }
  /** Somebody wants to know which lines of a run hold a text. */
  | {type: 'find'; id: number; runId: string; text: string}

/** What it says. */
export type FromViews =
  /** A message for a client, encoded. A few are sent ahead, then one for each that was received. */
  | {type: 'items'; id: number; clientId: number; message: Uint8Array; isLast: boolean}
  | {type: 'answer'; id: number; json: string}
  /** There is nothing to show, or it cannot be read. */
  | {type: 'failed'; id: number; error?: Error | undefined}
