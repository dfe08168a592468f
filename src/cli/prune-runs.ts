import {listRuns, removeRun, type RecordedRun} from '../recording/list-runs.ts'
import {supervisionOf} from '../recording/supervision.ts'

/** Removes all recordings but the newest; runs that may still be running are always kept. */
export function pruneRuns(count: number, dataDir: string | undefined): RecordedRun[] {
  const ended = listRuns(dataDir).filter(({record}) => !mayBeRunning(record))
  const removed = ended.slice(count)
  for (const run of removed) removeRun(run)
  return removed
}

/** Whether a run may still be running; on another machine it counts until its end is reported. */
export function mayBeRunning(record: RecordedRun['record']): boolean {
  return ['supervised', 'orphaned', 'remote'].includes(supervisionOf(record))
}
