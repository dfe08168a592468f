import type {UsageOverview} from '../hub/usage-api.ts'

/** The usage of one agent with one model in one project on one day. */
export type UsageCell = UsageOverview['cells'][number]

/** The unit of the charts. */
export type Unit = 'spend' | 'tokens'

/** A sum of costs or tokens. */
export interface Amount {
  /** In dollars or tokens; `null` when no cost is known. */
  value: number | null
  /** Whether a part of the cost is tokens times list price. */
  isEstimate: boolean
}

type TokenCounts = UsageCell['tokens']

/** Adds up the costs or the tokens of cells; no cells are 0. */
export function sumCells(cells: readonly UsageCell[], unit: Unit): Amount {
  if (unit === 'tokens') {
    return {value: countTokens(sumTokens(cells)), isEstimate: false}
  }
  const priced = cells.filter(({costUsd}) => costUsd !== null)
  const value = priced.reduce((sum, {costUsd}) => sum + (costUsd ?? 0), 0)
  return {
    value: priced.length === 0 && cells.length > 0 ? null : value,
    isEstimate: priced.some(({isEstimate}) => isEstimate),
  }
}

/** Adds up the tokens of cells by kind. */
export function sumTokens(cells: readonly UsageCell[]): TokenCounts {
  const sum = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0}
  for (const {tokens} of cells) {
    sum.input += tokens.input
    sum.output += tokens.output
    sum.cacheRead += tokens.cacheRead
    sum.cacheWrite += tokens.cacheWrite
    sum.reasoning += tokens.reasoning
  }
  return sum
}

/** The number of tokens of all kinds; reasoning is a part of the output. */
export function countTokens({input, output, cacheRead, cacheWrite}: TokenCounts): number {
  return input + output + cacheRead + cacheWrite
}

/** The share of the input that was read from a cache, from 0 to 1; undefined without input. */
export function shareOfCache({input, cacheRead, cacheWrite}: TokenCounts): number | undefined {
  const all = input + cacheRead + cacheWrite
  return all > 0 ? cacheRead / all : undefined
}

/** The change of the cost against an earlier one as a share; undefined when there is nothing to compare. */
export function compareCosts(now: Amount, before: Amount): number | undefined {
  if (now.value === null || before.value === null || before.value <= 0) return undefined
  return now.value / before.value - 1
}

/** The cells of a range that pass the filters; an empty filter passes all. A project is a folder, or its name. */
export function filterCells(
  cells: readonly UsageCell[],
  {from, to, agent, project}: {from: string; to: string; agent: string; project: string},
): UsageCell[] {
  return cells.filter(
    (cell) =>
      cell.day >= from &&
      cell.day <= to &&
      (agent === '' || cell.agent === agent) &&
      (project === '' || cell.project === project || cell.project.endsWith(`/${project}`)),
  )
}
