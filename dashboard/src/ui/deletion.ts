import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {nameAgent} from './agent-names.ts'
import {formatRemaining} from './figures.ts'

/** Shown from this long before the agent deletes a session. */
const DELETION_NOTICE_MS = 7 * 24 * 3_600_000

/** When the agent will delete a session, if soon: `Deleted by Claude Code in 3 d`. */
export function describeDeletion({agent, deletedAt}: RunSummary, now: number): string | undefined {
  if (deletedAt === undefined || deletedAt - now > DELETION_NOTICE_MS) return undefined
  const rest = deletedAt - now
  const days = Math.floor(rest / 86_400_000)
  const when = days >= 1 ? `in ${days} d` : rest > 0 ? `in ${formatRemaining(rest)}` : 'soon'
  return `Deleted by ${nameAgent(agent)} ${when}`
}
