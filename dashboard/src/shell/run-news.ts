import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {describeState, needsPerson} from '../ui/state.ts'

/** What is worth saying of a change in the list of runs. */
export interface RunNews {
  /** Runs that need a person and did not before. */
  needs: RunSummary[]
  /** To be said politely. */
  polite: string
  /** To be said at once. */
  assertive: string
}

/** More than so many at once are counted, not named. */
const MOST_NAMED = 3

/** Tells what is new between two lists of runs. */
export function findRunNews(
  before: ReadonlyMap<string, RunSummary>,
  after: ReadonlyMap<string, RunSummary>,
): RunNews {
  const needs: RunSummary[] = []
  const changed: RunSummary[] = []
  for (const [runId, run] of after) {
    const old = before.get(runId)
    if (old === run) continue
    if (needsPerson(run) && (old === undefined || !needsPerson(old))) needs.push(run)
    const isOver = run.state === 'over'
    if (isOver && old !== undefined && old.state !== 'over') changed.push(run)
  }
  return {
    needs,
    polite: say(changed, 'runs ended'),
    assertive: say(needs, 'runs need you'),
  }
}

function say(runs: readonly RunSummary[], many: string): string {
  if (runs.length > MOST_NAMED) return `${runs.length} ${many}`
  return runs.map((run) => `${describeState(run).word}: ${escapeControls(run.title)}`).join('. ')
}
