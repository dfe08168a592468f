import {type LineRange} from '../../replay/run-item.ts'
/** The data that the view thread is created with. */
export interface ViewData {
  dataDir: string
}

/** Messages to the view thread. */
export type ToViews =
  /** A client opens a run and has its items up to a number. */
  | {
      type: 'open'
      id: number
      /** The client: all of its views share one limit of messages in flight. */
      clientId: number
      runId: string
      since: number
      mayAnswer: boolean
    }
  /** A client has received a message. */
  | {type: 'received'; clientId: number}
  /** A client has disconnected. */
  | {type: 'leave'; clientId: number}
  /** Cancels a view or a request. */
  | {type: 'close'; id: number}
  /** Requests complete lines of a run. */
  | {
      type: 'records'
      id: number
      runId: string
      /** First and last lines, in order and without overlaps. */
      ranges: LineRange[]
      mayAnswer: boolean
    }
  /** Requests the lines of a run that contain a text. */
  | {type: 'find'; id: number; runId: string; text: string}

/** Messages from the view thread. */
export type FromViews =
  /** An encoded message for a client. A few are sent ahead, then one for each that was received. */
  | {type: 'items'; id: number; clientId: number; message: Uint8Array; isLast: boolean}
  | {type: 'answer'; id: number; json: string}
  /** There is no such run, or it cannot be read. */
  | {type: 'failed'; id: number; error?: Error | undefined}
