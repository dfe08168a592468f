import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {AgentRun, Notice} from '../runner/agent-run.ts'

/** How a run is shown. */
export interface RunViewOptions {
  format: 'pretty' | 'json' | 'raw' | 'quiet'
  verbose: number
  text: boolean
  maxCost?: number | undefined
  /** Whether a question rings. */
  bell?: boolean | undefined
  /** Whether the output of an unknown program is escaped, also into a pipe. */
  escapes?: boolean | undefined
}

/** Shows a run while it goes on, and how it ended. */
export interface RunView {
  start(run: AgentRun): void
  onEvent(event: AgentEvent): void
  /** Gets the agent's output as it comes. */
  onOutput?(chunk: Uint8Array): void | Promise<void>
  onStderr?(chunk: Uint8Array): void
  onNotice(notice: Notice): void
  end(result: RunResult): void | Promise<void>
  /** Leaves the run before its end. */
  leave?(): void
}
