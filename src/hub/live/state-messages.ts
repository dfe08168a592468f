import {toTimestamp} from '../../core/protocol/timestamp.ts'
import {toProgressMessage} from '../../core/protocol/progress-message.ts'
import type {Progress} from '../../core/run/progress.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import type {EncodedMessage} from '../reader/message-sink.ts'

/** The fields of a summary that state messages use. */
type StateMessage = Progress &
  Pick<RunSummary, 'workOrderId' | 'runId' | 'toolCount' | 'startedAt' | 'endedAt'>

/**
 * Encodes the state messages of a run.
 *
 * @param json - The summary, encoded and masked.
 */
export function encodeStateMessages(
  summary: StateMessage,
  json: string,
  seq: number,
  now: number,
): EncodedMessage[] {
  const {workOrderId, runId, percentage, phase, remainingMs, toolCount, startedAt} = summary
  const at = summary.endedAt ?? now
  const progress = toProgressMessage(
    {percentage, phase, remainingMs},
    {workOrderId, runId, seq, toolCallCount: toolCount, at, startedAt},
  )
  const head = {type: 'run_updated', workOrderId, runId, seq, timestamp: toTimestamp(at)}
  return [
    {type: 'progress_update', seq, json: JSON.stringify(progress)},
    {type: 'run_updated', seq, json: `${JSON.stringify(head).slice(0, -1)},"run":${json}}`},
  ]
}
