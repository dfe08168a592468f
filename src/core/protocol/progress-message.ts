import {createProgressEvent, type ProgressUpdateEvent} from './server-message.ts'
import {toTimestamp} from './timestamp.ts'
import {type Progress} from '../run/progress.ts'

/** The run and the time of a progress message. */
export interface ProgressContext {
  workOrderId: string
  runId: string
  seq: number
  toolCallCount: number
  at: number
  startedAt: number
}

/** Builds the `progress_update` message of a run. */
export function toProgressMessage(
  {percentage, phase, remainingMs}: Progress,
  {workOrderId, runId, seq, toolCallCount, at, startedAt}: ProgressContext,
): ProgressUpdateEvent {
  const data = {
    seq,
    timestamp: toTimestamp(at),
    percentage,
    currentPhase: phase,
    toolCallCount,
    elapsedSeconds: toSeconds(at - startedAt),
  }
  if (remainingMs === undefined) return createProgressEvent(workOrderId, runId, data)
  const estimatedRemainingSeconds = toSeconds(remainingMs)
  return createProgressEvent(workOrderId, runId, {...data, estimatedRemainingSeconds})
}

function toSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000))
}
