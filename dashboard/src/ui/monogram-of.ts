import type {RunSummary} from '../../../src/core/run/run-summary.ts'

/** The two letters of an agent, such as `Cl` for `claude`; `$_` for a command that is not an agent. */
export function monogramOf({agent, monogram}: Pick<RunSummary, 'agent' | 'monogram'>): string {
  if (agent === null) return '$_'
  return monogram ?? agent.charAt(0).toUpperCase() + agent.slice(1, 2).toLowerCase()
}
