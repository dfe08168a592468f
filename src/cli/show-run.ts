import type {RunResult} from '../core/run/run-result.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {waitForDrain} from './output.ts'
import type {RunView} from './run-view-types.ts'

/** Shows a run to its end; the view must have been started, so that no output arrives before that. */
export async function showRun(run: AgentRun, view: RunView): Promise<RunResult> {
  for await (const event of run) {
    view.onEvent(event)
    await waitForDrain()
  }
  const result = await run.result
  await view.end(result)
  return result
}
