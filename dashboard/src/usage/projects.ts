import {groupBy} from '../ui/group-by.ts'
import {
  countTokens,
  shareOfCache,
  sumCells,
  sumTokens,
  type Amount,
  type UsageCell,
} from './amounts.ts'
import {countDays, type DaySpan} from './days.ts'
import {stackDays} from './stack.ts'

/** A project with its usage in the range. */
export interface ProjectRow {
  project: string
  /** The agents that worked in it, the most expensive first. */
  agents: readonly string[]
  /** The cost over the range, in at most 15 steps. */
  trend: readonly number[]
  sessions: number
  tokens: number
  /** Undefined without input. */
  cacheShare: number | undefined
  /** The share of the cost of all projects, from 0 to 1. */
  share: number
  cost: Amount
}

/** The columns that can be sorted. */
export const PROJECT_SORTS = ['name', 'sessions', 'tokens', 'cache', 'spend'] as const

export type ProjectSort = (typeof PROJECT_SORTS)[number]

const MAX_TREND_POINTS = 15

/** Lists the projects of a range. */
export function listProjects(
  cells: readonly UsageCell[],
  span: DaySpan,
  counts: readonly {project: string; sessions: number}[],
): ProjectRow[] {
  const sessionsOf = new Map(counts.map(({project, sessions}) => [project, sessions]))
  const total = sumCells(cells, 'spend').value ?? 0
  const step = Math.ceil(countDays(span) / MAX_TREND_POINTS)
  return Array.from(
    groupBy(cells, ({project}) => project),
    ([project, own]) => {
      const tokens = sumTokens(own)
      const cost = sumCells(own, 'spend')
      const columns = stackDays(own, {span, series: [], group: 'agent', unit: 'spend', step})
      return {
        project,
        agents: listAgents(own),
        trend: columns.map((column) => column.total.value ?? 0),
        sessions: sessionsOf.get(project) ?? 0,
        tokens: countTokens(tokens),
        cacheShare: shareOfCache(tokens),
        share: total > 0 ? (cost.value ?? 0) / total : 0,
        cost,
      }
    },
  )
}

/** Sorts projects by a column; those that are equal by cost, then by name. */
export function sortProjects(
  rows: readonly ProjectRow[],
  sort: ProjectSort,
  isAscending: boolean,
): ProjectRow[] {
  const sign = isAscending ? 1 : -1
  return rows.toSorted(
    (a, b) => sign * compare(a, b, sort) || compare(b, a, 'spend') || compare(a, b, 'name'),
  )
}

function listAgents(cells: readonly UsageCell[]): string[] {
  return Array.from(
    groupBy(cells, ({agent}) => agent),
    ([agent, own]) => ({agent, cost: sumCells(own, 'spend').value ?? 0}),
  )
    .toSorted((a, b) => b.cost - a.cost)
    .map(({agent}) => agent)
}

function compare(a: ProjectRow, b: ProjectRow, sort: ProjectSort): number {
  switch (sort) {
    case 'name':
      return a.project.localeCompare(b.project, 'en')
    case 'sessions':
      return a.sessions - b.sessions
    case 'tokens':
      return a.tokens - b.tokens
    case 'cache':
      return (a.cacheShare ?? -1) - (b.cacheShare ?? -1)
    case 'spend':
      // Projects without a known cost come after those that cost nothing.
      return (a.cost.value ?? -1) - (b.cost.value ?? -1)
  }
}
