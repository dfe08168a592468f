import {formatCount} from '../core/text/figures.ts'
import {toCleanLine} from '../core/text/text.ts'
import {joinSides, widthOf, wrapWords, type ScreenStyle, type Segment} from './layout.ts'
import {
  formatBudget,
  formatCost,
  formatTokenCount,
  usageSignsFor,
  type ShownCost,
} from './usage-figures.ts'

/** The cost of the current month, so far and at its end. */
export interface ShownOutlook {
  /** Such as `2026-11`. */
  month: string
  spentUsd: number | null
  isEstimate: boolean
  forecast: {usd: number} | null
  budget: {monthUsd: number; spentUsd: number; reachedOn: string | null} | null
}

/** The prices of a report. */
export interface ShownPrices {
  /** Whether a part of the cost is tokens times list price. */
  isEstimate: boolean
  pricesFrom: string
  unpriced: readonly {model: string; tokens: number}[]
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const MAX_NOTE_LINES = 20

/** Formats the current month: `November ≈$239 of $420      forecast ≈$446, over budget about 29 Nov`. */
export function formatOutlook(outlook: ShownOutlook, style: ScreenStyle): string[] {
  const {month, forecast, budget} = outlook
  const {symbols} = style
  const name = MONTHS[Number(month.slice(5)) - 1] ?? month
  const spent: ShownCost = {costUsd: outlook.spentUsd ?? 0, isEstimate: outlook.isEstimate}
  const limit = budget === null ? '' : ` of ${formatBudget(budget.monthUsd)}`
  const left = [{text: `${name} ${formatCost(spent, symbols)}${limit}`}]
  const right: Segment[] =
    forecast === null
      ? []
      : [
          {
            text: `forecast ${symbols.about}${formatCost({costUsd: forecast.usd, isEstimate: false}, symbols)}`,
          },
        ]
  if (budget?.reachedOn != null) {
    if (right.length > 0) right.push({text: ', '})
    right.push(describeBudget(budget.monthUsd <= budget.spentUsd, budget.reachedOn, style))
  }
  if (widthOf(left) + 2 + widthOf(right) <= style.width) return [joinSides(left, right, style)]
  return [joinSides(left, [], style), joinSides(right, [], style)]
}

/** Formats the notes below a table: the meaning of the estimate, and models without a price. */
export function formatPriceNotes(
  {isEstimate, pricesFrom, unpriced}: ShownPrices,
  {symbols, width}: ScreenStyle,
): string[] {
  const {times} = usageSignsFor(symbols)
  const estimate = `${symbols.about} estimate: tokens ${times} list price of ${pricesFrom}.`
  const text = [
    ...(isEstimate ? [estimate] : []),
    ...(unpriced.length > 0 ? [describeUnpriced(unpriced)] : []),
  ].join(' ')
  return wrapWords(text, width - INDENT.length, MAX_NOTE_LINES, symbols.more).map((line, index) =>
    index === 0 ? line : INDENT + line,
  )
}

const INDENT = '  '

/** Names the models without a price: `No price: kimi-k3-preview (1.92M tokens not in the cost).`. */
export function describeUnpriced(unpriced: ShownPrices['unpriced']): string {
  const models = unpriced.map(({model}) => toCleanLine(model, MAX_NAME_LENGTH)).join(', ')
  const tokens = unpriced.reduce((sum, {tokens: count}) => sum + count, 0)
  return `No price: ${models} (${formatTokenCount(tokens)} tokens not in the cost).`
}

const MAX_NAME_LENGTH = 60

/** Formats the number of rows that are not shown. */
export function formatMoreRows(count: number, noun: string): string {
  return `${formatCount(count, noun).replace(' ', ' more ')}. All of them: --all`
}

function describeBudget(isSpent: boolean, day: string, {colors}: ScreenStyle): Segment {
  return isSpent
    ? {text: `over budget since ${formatDate(day)}`, color: colors.bad}
    : {text: `over budget about ${formatDate(day)}`, color: colors.waiting}
}

/** Formats a day: `29 Nov`. */
export function formatDate(day: string): string {
  const month = MONTHS[Number(day.slice(5, 7)) - 1]?.slice(0, 3) ?? ''
  return `${Number(day.slice(8, 10))} ${month}`
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Formats the key of a time group in ten columns: `Tue 10 Nov`, `10 Nov`, `Nov 2026`; a day of another year as it is. */
export function formatPeriod(key: string, group: 'day' | 'week' | 'month', year: string): string {
  if (group === 'month') return `${formatDate(`${key}-01`).slice(2)} ${key.slice(0, 4)}`
  if (!key.startsWith(year)) return key
  if (group === 'week') return formatDate(key)
  return `${WEEKDAYS[new Date(`${key}T00:00:00Z`).getUTCDay()] ?? ''} ${formatDate(key)}`
}
