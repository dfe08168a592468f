import type {AgentEvent, PermissionEvent} from '../core/events/events.ts'
import type {Breach, Limits} from '../core/run/limits.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {RunState} from '../core/run/run-state.ts'
import type {StopCause} from '../core/run/verdict.ts'
import type {Waiting} from '../core/run/waiting.ts'
import type {LineOptions} from '../core/wire/lines.ts'
import type {Answer, AnsweringPerson, PersonalAnswer} from './permission-broker.ts'
import type {ProcessState} from './process.ts'

/** How to look after a run. */
export interface SuperviseOptions extends Limits, LineOptions {
  /**
   * What to do with a run that is stuck.
   *
   * @defaultValue `warn`
   */
  onStuck?: 'warn' | 'stop' | undefined
  /**
   * How long an agent that is told to stop has to do so.
   *
   * @defaultValue 5 seconds
   */
  killAfterMs?: number | undefined
  /** Gets the agent's output as it comes, before it is events. */
  onOutput?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Gets what the agent prints on stderr. */
  onStderr?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Gets what Vitrine has to say of the run itself. */
  onNotice?: ((notice: Notice) => void | Promise<void>) | undefined
}

/** What Vitrine has to say of a run. */
export type Notice =
  | {
      type: 'stuck'
      breach: Breach
      waiting: Waiting
      process: ProcessState | null
      /** Whether the run is stopped for it. */
      isStopping: boolean
    }
  | {type: 'stopping'; cause: StopCause; reason: string}
  | {type: 'killing'}
  | {type: 'not-recorded'; reason: string}
  | {type: 'not-watched'; reason: string}
  | {type: 'budget-in-doubt'; reason: string}
  | {type: 'asked'; request: PermissionEvent}
  | {type: 'answered'; answer: Answer}
  | {type: 'cancelled'; requestId: string}

/** An agent at work: its events as they come, and how it ended. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly runId: string
  /** The folder of its recording. */
  readonly dir: string
  /** `null` for a command that is no known agent. */
  readonly agent: string | null
  /** How it ended; never rejected. */
  readonly result: Promise<RunResult>
  /** Tells the agent to stop, politely first. A second call forces it. */
  stop(reason?: string): void
  /**
   * Answers a request of the agent; false when no such request is open.
   *
   * @throws RunError when a question to the user is allowed without its answers.
   */
  answer(requestId: string, answer: PersonalAnswer, who?: AnsweringPerson): boolean
  /** What holds right now. */
  status(): RunStatus
}

/** What holds of a run right now. */
export interface RunStatus {
  state: RunState
  waiting: Waiting
  startedAt: number
  costUsd: number | undefined
  isEstimate: boolean
  /** What it may cost. */
  maxCostUsd: number | undefined
  /** How long the process may live on after its last turn. */
  lingerMs: number | undefined
  /** What the system tells of a process that is stuck. */
  stuck: {breach: Breach; process: ProcessState | null} | undefined
}
