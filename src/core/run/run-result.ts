import type {Tokens} from '../events/events.ts'
import type {Verdict} from './verdict.ts'

/** All that is known of a run that is over: of the same shape whether it succeeded or not. */
export interface RunResult extends Verdict {
  runId: string
  /** The folder of its recording. */
  dir: string
  /** `null` for a command that is no known agent. */
  agent: string | null
  /** What the verdict rests on besides its reason, in words. */
  evidence: string[]
  /** `null` when a signal ended it, and when nobody was there to see. */
  exitCode: number | null
  signal: string | null
  /** How it was ended, when it was. */
  ended?: Ending | undefined
  startedAt: number
  durationMs: number
  /** `null` when that is not known. */
  costUsd: number | null
  /** Whether the cost is an estimate: the agent did not live to tell it. */
  isEstimate: boolean
  /** What the cost was thought to be before the agent told it. */
  estimateUsd: number | null
  /** `null` when the agent reported none. */
  tokens: Tokens | null
  /** Requests to the model in the main conversation. */
  turns: number
  toolCount: number
  failedToolCount: number
  deniedCount: number
  /** How many files were changed: as tools report, and as seen on disk where {@link isWatched}. */
  fileCount: number
  /** Whether the folder was watched: without, a `fileCount` of 0 says nothing. */
  isWatched: boolean
  added: number
  removed: number
  lines: number
  malformed: number
  unknown: number
  /** What it did last, or was doing. */
  lastSeen: string
  /** The agent's last answer. */
  text: string
}

/** How a process ended; both are `null` when its exit was not observed. */
export interface ProcessEnd {
  exitCode: number | null
  /** Such as `SIGKILL`. */
  signal: string | null
}

/** How a process was ended: which signal it took, and how long. */
export interface Ending {
  signal: string
  afterMs: number
  /** Whether it would not go by itself. */
  wasForced: boolean
}
