import type {Tokens} from '../events/events.ts'
import type {Verdict} from './verdict.ts'

/** The result of an ended run; the same shape for every verdict. */
export interface RunResult extends Verdict, ProcessEnd {
  runId: string
  /** The directory of the recording. */
  dir: string
  /** `null` for an unknown agent. */
  agent: string | null
  /** Further facts that support the verdict. */
  evidence: string[]
  /** How Vitrine ended the process, if it did. */
  ended?: Ending | undefined
  startedAt: number
  durationMs: number
  /** `null` when it is unknown. */
  costUsd: number | null
  /** Whether the cost is an estimate, because the agent ended before it reported its cost. */
  isEstimate: boolean
  /** The last estimate before the agent reported its cost. */
  estimateUsd: number | null
  /** `null` when the agent reported none. */
  tokens: Tokens | null
  /** Requests to the model in the main conversation. */
  turns: number
  toolCount: number
  failedToolCount: number
  deniedCount: number
  /** Number of changed files, as reported by tools and, if {@link isWatched}, as seen on disk. */
  fileCount: number
  /** Whether the working directory was watched; without, a `fileCount` of 0 does not mean that no file changed. */
  isWatched: boolean
  added: number
  removed: number
  lines: number
  malformed: number
  unknown: number
  /** The last tool call, such as `Bash: npm test`. */
  lastSeen: string
  /** The agent's last answer. */
  text: string
}

/** How a process ended; both are `null` when its exit was not observed. */
export interface ProcessEnd {
  /** `null` when a signal ended the process. */
  exitCode: number | null
  /** Such as `SIGKILL`. */
  signal: string | null
}

/** How Vitrine ended a process: with which signal, and how long it took. */
export interface Ending {
  signal: string
  afterMs: number
  /** Whether SIGKILL was needed. */
  wasForced: boolean
}
