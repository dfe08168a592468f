import {findAgent} from '../agents/find-agent.ts'
import {formatCount} from '../core/text/figures.ts'
import {findAtRisk} from '../history/archive/at-risk.ts'
import type {History} from '../history/history.ts'

/** Warns about the sessions that an agent will delete soon; `undefined` if there are none. */
export function describeRisk({sessions}: History, dataDir: string): string | undefined {
  const risk = findAtRisk({dataDir, sessions})
  if (risk === null) return undefined
  const count = formatCount(risk.sessions, 'session')
  const label = findAgent(risk.agent)?.label ?? risk.agent
  return `${count} of ${label} will be deleted by it within ${risk.withinDays} days:\n  vitrine archive`
}
