import type {SelectOption} from '../ui/select.tsx'
import type {UsageCell} from './amounts.ts'
import type {Names} from './names.ts'

/** The agents that can be chosen: those with usage, and the chosen one. */
export function listAgentOptions(
  cells: readonly UsageCell[],
  chosen: string,
  names: Names,
): SelectOption[] {
  return listOptions([...cells.map(({agent}) => agent), chosen], names.agent)
}

/** The projects that can be chosen: those with usage, and the chosen one. */
export function listProjectOptions(
  cells: readonly UsageCell[],
  chosen: string,
  names: Names,
): SelectOption[] {
  return listOptions([...cells.map(({project}) => project), chosen], names.project)
}

/** An unknown agent or folder has an empty name, which no filter can select. */
function listOptions(values: readonly string[], nameOf: (value: string) => string): SelectOption[] {
  return [...new Set(values)]
    .filter((value) => value !== '')
    .map((value) => [value, nameOf(value)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
}
