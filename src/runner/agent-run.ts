import type {AgentEvent} from '../core/events/events.ts'
import type {Breach, Limits} from '../core/run/limits.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {RunState} from '../core/run/run-state.ts'
import type {StopCause} from '../core/run/verdict.ts'
import type {Waiting} from '../core/run/waiting.ts'
import type {LineOptions} from '../core/wire/lines.ts'
import type {AnsweringPerson, PermissionNotice, PersonalAnswer} from './permission-broker.ts'
import type {ProcessState} from './process.ts'

/** How to supervise a run. */
export interface SuperviseOptions extends Limits, LineOptions {
  /**
   * What to do with a run that is stuck.
   *
   * @defaultValue `warn`
   */
  onStuck?: 'warn' | 'stop' | undefined
  /**
   * Time between the request to stop and SIGKILL.
   *
   * @defaultValue 5 seconds
   */
  killAfterMs?: number | undefined
  /** Receives stdout of the agent before it is parsed. */
  onOutput?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Receives stderr of the agent. */
  onStderr?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Receives notices of the supervisor about the run. */
  onNotice?: ((notice: Notice) => void | Promise<void>) | undefined
}

/** A notice of the supervisor about a run. */
export type Notice =
  | {
      type: 'stuck'
      breach: Breach
      waiting: Waiting
      process: ProcessState | null
      /** Whether the run is stopped because of it. */
      isStopping: boolean
    }
  | {type: 'stopping'; cause: StopCause; reason: string}
  | {type: 'killing'}
  | {type: 'not-recorded'; reason: string}
  | {type: 'not-watched'; reason: string}
  | {type: 'budget-in-doubt'; reason: string}
  | PermissionNotice

/** A running agent: its events as they arrive, and its result. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly runId: string
  /** Directory of its recording. */
  readonly dir: string
  /** `null` for a command that is not a known agent. */
  readonly agent: string | null
  /** The result; never rejects. */
  readonly result: Promise<RunResult>
  /** Stops the agent with SIGINT, then SIGTERM, then SIGKILL. A second call sends SIGKILL at once. */
  stop(reason?: string): void
  /**
   * Answers a permission request; false when no such request is open.
   *
   * @throws RunError when a question to the user is allowed without its answers.
   */
  answer(requestId: string, answer: PersonalAnswer, who?: AnsweringPerson): boolean
  status(): RunStatus
}

/** Current status of a run. */
export interface RunStatus {
  state: RunState
  waiting: Waiting
  startedAt: number
  costUsd: number | undefined
  isEstimate: boolean
  maxCostUsd: number | undefined
  /** How long the process may stay alive after its last turn. */
  lingerMs: number | undefined
  /** The limit that a stuck run exceeded, and the activity of its process. */
  stuck: {breach: Breach; process: ProcessState | null} | undefined
}
