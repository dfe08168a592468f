import {useMemo} from 'react'
import {updateQuery, useQuery} from '../shell/router.ts'
import type {Unit} from './amounts.ts'
import type {Day} from './days.ts'
import {PROJECT_SORTS, type ProjectSort} from './projects.ts'
import {parseRange, type Range} from './range.ts'
import type {Group} from './series.ts'

/** The state of the controls. It is in the URL, for links and reloads. */
export interface Controls {
  range: Range
  group: Group
  unit: Unit
  /** Whether charts are shown as tables. */
  isTable: boolean
  /** The agent and the project to show; empty for all. */
  agent: string
  project: string
  sort: ProjectSort
  isAscending: boolean
}

export const GROUPS: readonly Group[] = ['agent', 'model', 'project']
export const UNITS: readonly Unit[] = ['spend', 'tokens']

/** The controls as the URL has them. */
export function useControls(today: Day): Controls {
  const [range, since, until] = [useQuery('range'), useQuery('since'), useQuery('until')]
  const group = useQuery('by')
  const unit = useQuery('unit')
  const sort = useQuery('sort')
  return {
    range: useMemo(() => parseRange({range, since, until}, today), [range, since, until, today]),
    group: GROUPS.find((one) => one === group) ?? 'agent',
    unit: UNITS.find((one) => one === unit) ?? 'spend',
    isTable: useQuery('view') === 'table',
    agent: useQuery('agent'),
    project: useQuery('project'),
    sort: PROJECT_SORTS.find((one) => one === sort) ?? 'spend',
    isAscending: useQuery('order') === 'up',
  }
}

/** Chooses a range that ends today. */
export function choosePreset(days: number): void {
  updateQuery({range: days === 30 ? undefined : String(days), since: undefined, until: undefined})
}

/** Chooses the first and the last day. */
export function chooseSpan(since: Day, until: Day): void {
  updateQuery({range: undefined, since, until})
}

export function chooseGroup(group: Group): void {
  updateQuery({by: group === 'agent' ? undefined : group})
}

export function chooseUnit(unit: Unit): void {
  updateQuery({unit: unit === 'spend' ? undefined : unit})
}

/** Shows charts or tables. */
export function chooseTable(isTable: boolean): void {
  updateQuery({view: isTable ? 'table' : undefined})
}

/** Sorts the projects; the same column again reverses the order. */
export function chooseSort(sort: ProjectSort, current: Controls): void {
  const isAscending = sort === current.sort ? !current.isAscending : sort === 'name'
  updateQuery({
    sort: sort === 'spend' ? undefined : sort,
    order: isAscending ? 'up' : undefined,
  })
}

/** Shows one agent, or all. */
export function chooseAgent(agent: string): void {
  updateQuery({agent})
}

/** Shows one project, or all. */
export function chooseProject(project: string): void {
  updateQuery({project})
}

/** Shows all agents and projects. */
export function clearFilters(): void {
  updateQuery({agent: undefined, project: undefined})
}
