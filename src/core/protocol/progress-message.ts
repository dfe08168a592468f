import {createProgressEvent, type ProgressUpdateEvent} from './server-message.ts'
import {toTimestamp} from './timestamp.ts'
import {type Progress} from '../run/progress.ts'

/** Of which run, and when, progress is told. */
export interface ProgressContext {
  workOrderId: string
  runId: string
  seq: number
  toolCallCount: number
  at: number
  startedAt: number
}

/** A message for how far a run is. */
export function describeProgress(
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
