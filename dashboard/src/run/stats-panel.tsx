import type {RunSummary} from '../../../src/core/index.ts'
import type {RunModel} from '../model/run-model.ts'

/** The figures of a run. */
export function StatsPanel({
  run,
}: {
  model: RunModel
  version: number
  until: number | undefined
  startedAt: number
  endedAt: number
  run: RunSummary
}) {
  return <p className="none">{run.toolCount} tools</p>
}
