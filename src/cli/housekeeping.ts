import {listRuns, removeRun, type RecordedRun} from '../runner/index.ts'

/** Removes all recordings but the newest; those of runs that are not over are kept in any case. */
export function keepNewest(count: number, dataDir: string | undefined): RecordedRun[] {
  const over = listRuns(dataDir).filter(({record}) => record.result !== undefined)
  const removed = over.slice(count)
  for (const run of removed) removeRun(run)
  return removed
}
