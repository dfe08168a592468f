import {createCalendar} from './calendar.ts'
import {DAY_MS, formatDay, formatMonth, startOfMonth} from './days.ts'
import {visitRequests} from './filter.ts'
import type {BudgetOutlook, Forecast, UsageEntry, UsagePrices} from './report.ts'
import {addToSum, costOfSum, createCostReader, createSum} from './sum.ts'

/** The cost of the current month, so far and at its end. */
export interface MonthOutlook {
  /** Such as `2026-11`. */
  month: string
  /** `null` if nothing has a price. */
  spentUsd: number | null
  isEstimate: boolean
  /** `null` with too little data. */
  forecast: Forecast | null
  /** `null` without a budget. */
  budget: BudgetOutlook | null
}

export interface OutlookOptions {
  timezone?: string | undefined
  now: number
  /** The budget of a month. */
  monthUsd?: number | undefined
}

/** The number of complete days before today that a forecast is made from. */
const BASE_DAYS = 28
const MIN_BASE_DAYS = 7
/** The number of standard deviations around the mean that contain 80 % of a normal distribution. */
const SPREAD = 1.28

/** Adds up the cost of the current month, and estimates its cost at the end from the last 28 days. */
export function createMonthOutlook(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  {timezone, now, monthUsd}: OutlookOptions,
): MonthOutlook {
  const {dayOf, toLocal} = createCalendar(timezone)
  const today = dayOf(now)
  const firstOfMonth = startOfMonth(today)
  const {costOf} = createCostReader(prices)
  const costs = new Map<number, number>()
  const month = createSum()
  const since = formatDay(Math.min(firstOfMonth, today - BASE_DAYS))
  const visit: Parameters<typeof visitRequests>[2] = (entry, request, day) => {
    const costUsd = costOf(request)
    costs.set(day, (costs.get(day) ?? 0) + (costUsd ?? 0))
    if (day >= firstOfMonth) addToSum(month, entry, request, costUsd)
  }
  visitRequests(entries, {timezone, since, until: formatDay(today)}, visit, dayOf)
  const firstDay = entries.reduce((first, {startedAt}) => Math.min(first, dayOf(startedAt)), today)
  const base = listCosts(costs, Math.max(firstDay, today - BASE_DAYS), today)
  const spent = costOfSum(month)
  const facts: MonthFacts = {
    spentUsd: spent.costUsd ?? 0,
    costs,
    firstOfMonth,
    today,
    /** Days until the end of the month, with the rest of today. */
    daysLeft: startOfMonth(today, 1) - toLocal(now) / DAY_MS,
    mean: base.reduce((sum, costUsd) => sum + costUsd, 0) / Math.max(1, base.length),
  }
  const forecast = base.length < MIN_BASE_DAYS ? null : createForecast(facts, base)
  return {
    month: formatMonth(today),
    spentUsd: spent.costUsd,
    isEstimate: spent.isEstimate,
    forecast,
    budget: monthUsd === undefined ? null : createBudgetOutlook(facts, forecast, monthUsd),
  }
}

interface MonthFacts {
  spentUsd: number
  costs: ReadonlyMap<number, number>
  firstOfMonth: number
  today: number
  daysLeft: number
  /** The average cost of a day. */
  mean: number
}

/** The costs of the days from the first one to the day before the last one. */
function listCosts(costs: ReadonlyMap<number, number>, from: number, to: number): number[] {
  return Array.from({length: Math.max(0, to - from)}, (_, index) => costs.get(from + index) ?? 0)
}

function createForecast({spentUsd, daysLeft, mean}: MonthFacts, base: readonly number[]): Forecast {
  const variance = base.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / (base.length - 1)
  const spread = SPREAD * Math.sqrt(variance * daysLeft)
  const usd = spentUsd + mean * daysLeft
  return {lowUsd: Math.max(spentUsd, usd - spread), highUsd: usd + spread, usd}
}

function createBudgetOutlook(
  facts: MonthFacts,
  forecast: Forecast | null,
  monthUsd: number,
): BudgetOutlook {
  const {spentUsd} = facts
  const forecastUsd = forecast?.usd ?? spentUsd
  const day = forecastUsd < monthUsd ? undefined : findDay(facts, monthUsd)
  return {monthUsd, spentUsd, forecastUsd, reachedOn: day === undefined ? null : formatDay(day)}
}

/** The day on which the cost of the month reaches a budget. */
function findDay(facts: MonthFacts, monthUsd: number): number {
  const {spentUsd, costs, firstOfMonth, today, daysLeft, mean} = facts
  if (spentUsd < monthUsd) {
    const restOfToday = daysLeft % 1
    return today + Math.max(0, Math.ceil((monthUsd - spentUsd) / mean - restOfToday))
  }
  let sum = 0
  let day = firstOfMonth - 1
  while (sum < monthUsd && day < today) sum += costs.get(++day) ?? 0
  return day
}
