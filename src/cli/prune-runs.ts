import {listRuns, removeRun, type RecordedRun} from '../recording/list-runs.ts'
import {whereabouts} from '../recording/supervision.ts'

/** Removes all recordings but the newest; those of runs that are not over are kept in any case. */
export function pruneRuns(count: number, dataDir: string | undefined): RecordedRun[] {
  const over = listRuns(dataDir).filter(({record}) => !isRunning(record))
  const removed = over.slice(count)
  for (const run of removed) removeRun(run)
  return removed
}

/** Tells whether a run goes on, with or without somebody who looks after it. */
export function isRunning(record: RecordedRun['record']): boolean {
  const where = whereabouts(record)
  return where === 'supervised' || where === 'orphaned'
}
