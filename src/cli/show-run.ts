import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {AgentRun, Notice, SuperviseOptions} from '../runner/agent-run.ts'
import {waitForDrain} from './output.ts'

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
  onEvent?(event: AgentEvent): void
  onOutput?(chunk: Uint8Array): void | Promise<void>
  onStderr?(chunk: Uint8Array): void
  onNotice(notice: Notice): void
  end(result: RunResult): void | Promise<void>
  /** Detaches from the run before its end. */
  leave?(): void
}

/** Creates callbacks for a view that is created after the run was started. A view that fails does not affect the run. */
export function createViewCallbacks(
  getView: () => Promise<RunView>,
): Pick<SuperviseOptions, 'onOutput' | 'onStderr' | 'onNotice'> {
  return {
    onOutput: (chunk) => getView().then((view) => view.onOutput?.(chunk), ignore),
    onStderr: (chunk) => getView().then((view) => view.onStderr?.(chunk), ignore),
    onNotice: (notice) => getView().then((view) => view.onNotice(notice), ignore),
  }
}

function ignore(): void {}

/** Shows a run to its end. */
export async function showRun(run: AgentRun, view: RunView): Promise<RunResult> {
  for await (const event of run) {
    view.onEvent?.(event)
    await waitForDrain()
  }
  const result = await run.result
  await view.end(result)
  return result
}
