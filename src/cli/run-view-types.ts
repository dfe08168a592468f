import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {AgentRun, Notice} from '../runner/agent-run.ts'

/** Options of a view. */
export interface RunViewOptions {
  format: 'pretty' | 'json' | 'raw' | 'quiet'
  verbose: number
  text: boolean
  maxCost?: number | undefined
  /** Whether a permission request rings the terminal bell. */
  bell?: boolean | undefined
  /** Whether the output of an unknown program is escaped even in a pipe. */
  escapes?: boolean | undefined
}

/** Shows a live run and its result. */
export interface RunView {
  start(run: AgentRun): void
  onEvent(event: AgentEvent): void
  onOutput?(chunk: Uint8Array): void | Promise<void>
  onStderr?(chunk: Uint8Array): void
  onNotice(notice: Notice): void
  end(result: RunResult): void | Promise<void>
  /** Detaches from the run before its end. */
  leave?(): void
}
