import type {RunSummary} from '../../../src/core/index.ts'
import type {RunSnapshot} from '../model/run-model.ts'

/** The figures of a run. */
export function StatsPanel({
  run,
}: {
  snapshot: RunSnapshot
  until: number | undefined
  startedAt: number
  /** The moment up to which they are shown. */
  at: number
  run: RunSummary
}) {
  return <p className="none">{run.toolCount} tools</p>
}
