import {listRuns, removeRun, type RecordedRun} from '../recording/list-runs.ts'
import {supervisionOf} from '../recording/supervision.ts'

/** Removes all recordings but the newest; runs that have not ended are always kept. */
export function pruneRuns(count: number, dataDir: string | undefined): RecordedRun[] {
  const over = listRuns(dataDir).filter(({record}) => !isRunning(record))
  const removed = over.slice(count)
  for (const run of removed) removeRun(run)
  return removed
}

/** Whether a run has not ended, supervised or not. */
export function isRunning(record: RecordedRun['record']): boolean {
  const supervision = supervisionOf(record)
  return supervision === 'supervised' || supervision === 'orphaned'
}
