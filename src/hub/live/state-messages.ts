import {toTimestamp} from '../../core/protocol/timestamp.ts'
import {toProgressMessage} from '../../core/protocol/progress-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import type {EncodedMessage} from '../reader/message-sink.ts'

/**
 * Encodes the state messages of a run.
 *
 * @param json - The summary, encoded and masked.
 */
export function encodeStateMessages(
  summary: RunSummary,
  json: string,
  seq: number,
  now: number,
): EncodedMessage[] {
  const {workOrderId, runId, toolCount: toolCallCount, startedAt, endedAt: at = now} = summary
  const context = {workOrderId, runId, seq, toolCallCount, at, startedAt}
  const progress = toProgressMessage(summary, context)
  const head = {type: 'run_updated', workOrderId, runId, seq, timestamp: toTimestamp(at)}
  return [
    {type: 'progress_update', seq, json: JSON.stringify(progress)},
    {type: 'run_updated', seq, json: `${JSON.stringify(head).slice(0, -1)},"run":${json}}`},
  ]
}
