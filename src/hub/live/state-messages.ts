import {toTimestamp} from '../../core/protocol/timestamp.ts'
import {toProgressMessage} from '../../core/protocol/progress-message.ts'
import type {Progress} from '../../core/run/progress.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import type {LiveMessage} from './bus.ts'
import {createLive} from './live-message.ts'

/** The fields of a summary that state messages use. */
type StateMessage = Progress &
  Pick<RunSummary, 'workOrderId' | 'runId' | 'toolCount' | 'startedAt' | 'endedAt'>

/**
 * Creates the state messages of a run.
 *
 * @param json - The summary, encoded and masked.
 */
export function createStateMessages(
  summary: StateMessage,
  json: string,
  seq: number,
  now: number,
): LiveMessage[] {
  const {workOrderId, runId, percentage, phase, remainingMs, toolCount, startedAt} = summary
  const at = summary.endedAt ?? now
  const progress = () =>
    JSON.stringify(
      toProgressMessage(
        {percentage, phase, remainingMs},
        {workOrderId, runId, seq, toolCallCount: toolCount, at, startedAt},
      ),
    )
  const updated = () => {
    const type = 'run_updated'
    const head = JSON.stringify({type, workOrderId, runId, seq, timestamp: toTimestamp(at)})
    return `${head.slice(0, -1)},"run":${json}}`
  }
  return [createLive('progress_update', seq, progress), createLive('run_updated', seq, updated)]
}
