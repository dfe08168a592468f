import type {UsageCell} from './amounts.ts'
import type {Day, DaySpan} from './days.ts'

/** The nearest days with usage on both sides of a range. */
export interface NearestDays {
  before?: Day | undefined
  after?: Day | undefined
}

/** Finds the last day with usage before a range and the first after it. */
export function findNearestDays(cells: readonly UsageCell[], {from, to}: DaySpan): NearestDays {
  let before: Day | undefined
  let after: Day | undefined
  for (const {day} of cells) {
    if (day < from && (before === undefined || day > before)) before = day
    if (day > to && (after === undefined || day < after)) after = day
  }
  return {before, after}
}
