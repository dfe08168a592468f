import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {describeState, needsAttention} from '../ui/state.ts'

/** More at once are counted, not named. */
const MAX_NAMED = 3

/** The runs that newly need attention, and the announcements for a change of the run list. */
export function findRunNews(
  before: ReadonlyMap<string, RunSummary>,
  after: ReadonlyMap<string, RunSummary>,
) {
  const needs: RunSummary[] = []
  const changed: RunSummary[] = []
  for (const [runId, run] of after) {
    const old = before.get(runId)
    if (old === run) continue
    if (needsAttention(run) && (old === undefined || !needsAttention(old))) needs.push(run)
    const isOver = run.state === 'over'
    if (isOver && old !== undefined && old.state !== 'over') changed.push(run)
  }
  return {
    needs,
    polite: describeRuns(changed, 'runs ended'),
    assertive: describeRuns(needs, 'runs need you'),
  }
}

function describeRuns(runs: readonly RunSummary[], many: string): string {
  if (runs.length > MAX_NAMED) return `${runs.length} ${many}`
  return runs.map((run) => `${describeState(run).word}: ${escapeControls(run.title)}`).join('. ')
}
