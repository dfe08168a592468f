import {listRuns, removeRun, type RecordedRun} from '../recording/list-runs.ts'
import {supervisionOf} from '../recording/supervision.ts'

/** Removes all recordings but the newest; those of runs that are not over are kept in any case. */
export function keepNewest(count: number, dataDir: string | undefined): RecordedRun[] {
  const over = listRuns(dataDir).filter(({record}) => !isRunning(record))
  const removed = over.slice(count)
  for (const run of removed) removeRun(run)
  return removed
}

/** Whether the agent of a run, or its supervisor, is still running. */
export function isRunning(record: RecordedRun['record']): boolean {
  const supervision = supervisionOf(record)
  return supervision === 'supervised' || supervision === 'orphaned'
}
