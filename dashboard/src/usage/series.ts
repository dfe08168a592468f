import {groupBy} from '../ui/group-by.ts'
import {sumCells, type UsageCell} from './amounts.ts'
import type {Day} from './days.ts'

/** A grouping of the charts. */
export type Group = 'agent' | 'model' | 'project'

/** A part of every column of the chart. */
export interface Series {
  label: string
  /** The agents, models or projects in it. */
  keys: ReadonlySet<string>
  /** The position among the colours; `rest` is hatched. */
  color: number | 'rest'
}

/** The number of colours that are distinct for every kind of sight. */
const COLOR_COUNT = 5

/** Orders the agents, models or projects by their cost since a day, then by their cost before it. */
export function rankKeys(cells: readonly UsageCell[], group: Group, recentStart: Day): string[] {
  const ranks = Array.from(
    groupBy(cells, (cell) => cell[group]),
    ([key, own]) => {
      const recent = own.filter(({day}) => day >= recentStart)
      return {
        key,
        recentCost: sumCells(recent, 'spend').value ?? 0,
        cost: sumCells(own, 'spend').value ?? 0,
        tokens: sumCells(own, 'tokens').value ?? 0,
      }
    },
  )
  return ranks
    .toSorted(
      (a, b) =>
        b.recentCost - a.recentCost ||
        b.cost - a.cost ||
        b.tokens - a.tokens ||
        (a.key < b.key ? -1 : 1),
    )
    .map(({key}) => key)
}

/** Makes the series of a chart: one for each of the first keys, and one for the rest. Only keys with usage have one. */
export function makeSeries({
  cells,
  group,
  ranked,
  nameOf,
}: {
  cells: readonly UsageCell[]
  group: Group
  /** The keys by rank, which decides about the colour. */
  ranked: readonly string[]
  nameOf(key: string): string
}): Series[] {
  const present = new Set(cells.map((cell) => cell[group]))
  const known = new Set(ranked)
  const all = [...ranked, ...[...present].filter((key) => !known.has(key))]
  const top = all.slice(0, COLOR_COUNT).flatMap((key, color): Series[] => {
    return present.has(key) ? [{label: nameOf(key), keys: new Set([key]), color}] : []
  })
  const rest = all.slice(COLOR_COUNT).filter((key) => present.has(key))
  const [only] = rest
  if (only === undefined) return top
  const label = rest.length === 1 ? nameOf(only) : `${rest.length} others`
  return [...top, {label, keys: new Set(rest), color: 'rest'}]
}
