import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {needsAttention} from '../ui/state.ts'
import {dayBefore, dayOf} from './day.ts'

/** Runs and sessions under one heading. */
export interface Section {
  key: string
  title: string
  /** Those that are loaded. */
  runIds: readonly string[]
  /** Also those that are not loaded; absent if it is unknown. */
  count?: number | undefined
  /** How many are not loaded. */
  missing: number
  /** The cost of all of them; absent if it is unknown. */
  cost?: {usd: number; isEstimate: boolean} | undefined
}

/** Known facts about runs that are not loaded. */
export interface Totals {
  /** How many runs there are. */
  total: number
  /** The start of the oldest run up to which all are loaded. */
  loadedFrom: number
  /** How many started on each day; absent if the hub does not count them. */
  days?: readonly DayTotal[] | undefined
}

/** The runs and sessions that started on a day. */
interface DayTotal {
  /** Such as `2026-11-16`. */
  day: string
  count: number
  /** `null` if it is unknown. */
  costUsd: number | null
  isEstimate: boolean
}

/** The key of the section of runs that are not over. */
export const LIVE = 'live'

/**
 * Groups runs under headings: live, then by the day of their start, before this week by its month. The runs that are
 * loaded are the newest.
 */
export function makeSections(runs: Iterable<RunSummary>, now: number, totals?: Totals): Section[] {
  const sorted = [...runs].toSorted(compareRuns)
  const live = sorted.filter(({state}) => state !== 'over')
  const ended = sorted.filter(({state}) => state === 'over')
  const keyOf = createKeys(now)
  const groups = groupByKey(ended, keyOf)
  const {total = 0, days, loadedFrom = -Infinity} = totals ?? {}
  const rest = Math.max(0, total - sorted.length)
  const counted = days === undefined ? undefined : countByKey(days, live, keyOf)
  const keys = new Set([...groups.keys(), ...(rest > 0 ? (counted?.keys() ?? []) : [])])
  const lastKey = Number.isFinite(loadedFrom) ? keyOf(dayOf(loadedFrom)) : undefined
  const sections = [...keys].toSorted(compareKeys).map((key) => {
    const runIds = groups.get(key) ?? []
    const {count, cost} = counted?.get(key) ?? {}
    const isLoaded = rest === 0 || (lastKey !== undefined && compareKeys(key, lastKey) < 0)
    const missing = isLoaded ? 0 : Math.max(0, (count ?? 0) - runIds.length)
    const title = titleOf(key, now)
    return {key, title, runIds, count: runIds.length + missing, missing, cost}
  })
  const first = toLiveSection(live)
  const all = first === undefined ? sections : [first, ...sections]
  return rest > 0 && counted === undefined ? addRest(all, rest) : all.filter(isShown)
}

function compareRuns(a: RunSummary, b: RunSummary): number {
  return b.startedAt - a.startedAt || (a.runId < b.runId ? -1 : 1)
}

/** Groups sorted runs, and finds the day of each only when it differs from that of the run before. */
function groupByKey(
  sorted: readonly RunSummary[],
  keyOf: (day: string) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  let group: string[] = []
  let dayStart = Infinity
  for (const {runId, startedAt} of sorted) {
    if (startedAt < dayStart) {
      const key = keyOf(dayOf(startedAt))
      group = groups.get(key) ?? []
      groups.set(key, group)
      dayStart = new Date(startedAt).setHours(0, 0, 0, 0)
    }
    group.push(runId)
  }
  return groups
}

/** Live runs that need attention come first. */
function toLiveSection(live: readonly RunSummary[]): Section | undefined {
  if (live.length === 0) return undefined
  const urgent = live.filter(needsAttention)
  const others = live.filter((run) => !needsAttention(run))
  const runIds = [...urgent, ...others].map(({runId}) => runId)
  return {key: LIVE, title: 'Live', runIds, count: live.length, missing: 0}
}

/** Without counts, what is not loaded is at the end, and belongs to the last section or to later ones. */
function addRest(sections: readonly Section[], rest: number): Section[] {
  const last = sections.at(-1)
  if (last === undefined) return []
  return [...sections.slice(0, -1), {...last, count: undefined, missing: rest}]
}

function isShown({runIds, missing}: Section): boolean {
  return runIds.length + missing > 0
}

/** The first day with a section of its own: the Monday of this week, or yesterday. */
export function findFirstDay(now: number): string {
  const sinceMonday = (new Date(now).getDay() + 6) % 7
  return dayBefore(now, Math.max(sinceMonday, 1))
}

/** Names the section of a day: that of the day, or of its month before this week. */
function createKeys(now: number): (day: string) => string {
  const firstDay = findFirstDay(now)
  return (day) => (day >= firstDay ? `${DAY}${day}` : `${MONTH}${day.slice(0, 7)}`)
}

const DAY = 'day-'
const MONTH = 'month-'

/** The latest first; a day of this week comes before its month. */
function compareKeys(a: string, b: string): number {
  const rank = (key: string) => (key.startsWith(DAY) ? `1${key}` : `0${key}`)
  return a === b ? 0 : rank(a) < rank(b) ? 1 : -1
}

interface Counted {
  count: number
  cost: {usd: number; isEstimate: boolean} | undefined
}

/** Counts ended runs by section. */
function countByKey(
  days: readonly DayTotal[],
  live: readonly RunSummary[],
  keyOf: (day: string) => string,
): Map<string, Counted> {
  const counted = new Map<string, Counted>()
  const add = (key: string, count: number, usd: number | null, isEstimate: boolean) => {
    const known = counted.get(key) ?? {count: 0, cost: undefined}
    const before = known.cost ?? {usd: 0, isEstimate: false}
    const cost =
      usd === null
        ? known.cost
        : {usd: before.usd + usd, isEstimate: before.isEstimate || isEstimate}
    counted.set(key, {count: known.count + count, cost})
  }
  for (const {day, count, costUsd, isEstimate} of days) {
    add(keyOf(day), count, costUsd, isEstimate)
  }
  // The counts contain live runs, which have a section of their own.
  for (const {startedAt, costUsd} of live) {
    const key = keyOf(dayOf(startedAt))
    if (counted.has(key)) add(key, -1, costUsd === null ? null : -costUsd, false)
  }
  for (const [key, {count, cost}] of counted) {
    const usd = Math.max(0, cost?.usd ?? 0)
    counted.set(key, {count: Math.max(0, count), cost: cost && {...cost, usd}})
  }
  return counted
}

function titleOf(key: string, now: number): string {
  const isMonth = key.startsWith(MONTH)
  const day = key.slice(isMonth ? MONTH.length : DAY.length)
  if (day === dayOf(now)) return 'Today'
  if (day === dayBefore(now, 1)) return 'Yesterday'
  const date = new Date(isMonth ? `${day}-15T12:00` : `${day}T12:00`)
  const name = (part: 'weekday' | 'month') => date.toLocaleDateString('en', {[part]: 'long'})
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${date.getFullYear()}`
  return isMonth
    ? `${name('month')}${year}`
    : `${name('weekday')} ${date.getDate()} ${name('month')}${year}`
}
