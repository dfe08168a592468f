import {groupBy} from '../ui/group-by.ts'
import {sumCells, type Amount, type UsageCell, type Unit} from './amounts.ts'
import {addDays, countDays, formatDay, formatWeekday, type Day, type DaySpan} from './days.ts'
import type {Group, Series} from './series.ts'

/** A column of the chart: a day, or several when there is little space. */
export interface Column extends DaySpan {
  total: Amount
  /** One per series; undefined without usage. */
  parts: readonly (Amount | undefined)[]
}

/** Stacks the usage of each day, or of several days. The last column is always complete, the first may be cut. */
export function stackDays(
  cells: readonly UsageCell[],
  {span, series, group, unit, step}: StackOptions,
): Column[] {
  const byDay = groupBy(cells, ({day}) => day)
  return listSpans(span, step).map(({from, to}) => {
    const own = listDays({from, to}).flatMap((day) => byDay.get(day) ?? [])
    const parts = series.map(({keys}) => {
      const part = own.filter((cell) => keys.has(cell[group]))
      return part.length === 0 ? undefined : sumCells(part, unit)
    })
    return {from, to, total: sumCells(own, unit), parts}
  })
}

export interface StackOptions {
  span: DaySpan
  series: readonly Series[]
  group: Group
  unit: Unit
  /** The number of days in a column. */
  step: number
}

const STEPS = [1, 7, 28, 91, 364]
/** A narrower column cannot be pointed at. */
const MIN_COLUMN_WIDTH = 6

/** The number of days in a column, so that all columns fit into a width. */
export function pickStep(span: DaySpan, width: number): number {
  const days = countDays(span)
  return STEPS.find((step) => (days / step) * MIN_COLUMN_WIDTH <= width) ?? 364
}

/** Names a column: `Mon 16 Nov`, `Week of 10 Nov`, `20 Oct to 16 Nov`. */
export function nameColumn({from, to}: DaySpan, step: number): string {
  if (step === 1) return formatWeekday(from)
  return step === 7 ? `Week of ${formatDay(from)}` : `${formatDay(from)} to ${formatDay(to)}`
}

/** All days of a range. */
function listDays(span: DaySpan): Day[] {
  return Array.from({length: countDays(span)}, (_, index) => addDays(span.from, index))
}

function listSpans({from, to}: DaySpan, step: number): DaySpan[] {
  const count = Math.ceil(countDays({from, to}) / step)
  return Array.from({length: count}, (_, index) => {
    const end = addDays(to, -step * (count - 1 - index))
    const start = addDays(end, 1 - step)
    return {from: start < from ? from : start, to: end}
  })
}
