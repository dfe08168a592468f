import {countTokens} from '../../core/run/ledger.ts'
import {createUsageBlocks} from './blocks.ts'
import {createCalendar, localTimezone} from './calendar.ts'
import {formatDay, parseDay, weekdayOf} from './days.ts'
import {agentOf, visitRequests} from './filter.ts'
import {createMonthOutlook} from './outlook.ts'
import type {
  ReportedLimit,
  TopSession,
  UsageBlock,
  UsageCell,
  UsageEntry,
  UsageOverview,
  UsagePrices,
  UsageQuery,
  UsageRequest,
} from './report.ts'
import {
  addToSum,
  compareSums,
  costOfSum,
  countTurns,
  createCostReader,
  createSum,
  toFigures,
  type Sum,
} from './sum.ts'

/** The range and time of an overview. */
export interface OverviewOptions extends UsageQuery {
  since: string
  until: string
  now: number
  /** The budget of a month. */
  monthUsd?: number | undefined
  reportedLimits?: readonly ReportedLimit[] | undefined
}

const MAX_TOP_SESSIONS = 20

/** Describes the usage in a range of days for a page. */
export function createUsageOverview(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  options: OverviewOptions,
): UsageOverview {
  const {timezone = localTimezone(), since, until, now, monthUsd} = options
  const {dayOf, hourOf} = createCalendar(timezone)
  const costs = createCostReader(prices)
  const cells = createCellTable()
  const ofEntries = new Map<UsageEntry, Sum>()
  const hours = Array.from({length: 7}, () => Array.from({length: 24}, () => 0))
  const saved = createSavings(prices)
  const visit = (entry: UsageEntry, request: UsageRequest, day: number) => {
    const costUsd = costs.costOf(request)
    addToSum(cells.at(entry, request, day), entry, request, costUsd)
    const sum = ofEntries.get(entry) ?? createSum()
    ofEntries.set(entry, sum)
    addToSum(sum, entry, request, costUsd)
    const ofDay = hours[weekdayOf(day)]
    const hour = hourOf(request.at)
    if (ofDay !== undefined) ofDay[hour] = (ofDay[hour] ?? 0) + (costUsd ?? 0)
    saved.add(request, costUsd)
  }
  visitRequests(entries, options, visit, dayOf)
  const {forecast, budget} = createMonthOutlook(entries, prices, {timezone, now, monthUsd})
  const used = [...ofEntries.keys()]
  const runCount = used.filter(({kind}) => kind === 'run').length
  return {
    from: since,
    to: until,
    timezone,
    updatedAt: now,
    cells: cells.list(),
    hours: averageHours(hours, since, until, dayOf(now)),
    runCount,
    sessionCount: used.length - runCount,
    projects: countProjects(used),
    topSessions: listTopSessions(ofEntries),
    savedUsd: saved.sum(),
    block: findOpenBlock(entries, prices, options),
    unpriced: costs.unpriced(),
    pricesFrom: prices.pricesFrom,
    budget,
    forecast,
  }
}

interface Cell {
  day: number
  entry: UsageEntry
  model: string
  sum: Sum
}

/** Most requests belong to the cell of the request before. */
function createCellTable() {
  const cells = new Map<string, Cell>()
  let last: Cell | undefined
  return {
    at(entry: UsageEntry, {model = ''}: UsageRequest, day: number): Sum {
      if (last?.entry === entry && last.day === day && last.model === model) return last.sum
      const key = [day, agentOf(entry), model, entry.cwd ?? ''].join('\n')
      const {sum} = cells.get(key) ?? {sum: createSum()}
      last = {day, entry, model, sum}
      cells.set(key, last)
      return sum
    },
    list: (): UsageCell[] =>
      [...cells.values()]
        .toSorted((one, other) => one.day - other.day || compareSums(one.sum, other.sum))
        .map(toCell),
  }
}

function toCell({day, entry, model, sum}: Cell): UsageCell {
  const project = entry.cwd ?? ''
  return {day: formatDay(day), agent: agentOf(entry), model, project, ...toFigures(sum)}
}

/** Adds up the difference between the prices of input and of reading it from the cache. */
function createSavings({costOf}: UsagePrices) {
  let savedUsd: number | null = null
  return {
    sum: () => savedUsd,
    add(request: UsageRequest, knownUsd: number | null) {
      const {at, model, isFast, hourCacheWrite, toolCount} = request
      const {input, output, cacheRead, cacheWrite} = request.tokens
      if (cacheRead === 0) return
      const listUsd = request.costUsd === undefined ? knownUsd : costOf(request)
      if (listUsd === null) return
      const tokens = {input: input + cacheRead, output, cacheRead: 0, cacheWrite}
      const fullUsd = costOf({at, model, isFast, hourCacheWrite, toolCount, tokens})
      savedUsd = (savedUsd ?? 0) + (fullUsd ?? listUsd) - listUsd
    },
  }
}

/** Divides the cost of each weekday by the number of such days in the range, up to today. */
function averageHours(
  hours: readonly number[][],
  since: string,
  until: string,
  today: number,
): number[][] {
  const first = parseDay(since) ?? today
  const last = Math.min(parseDay(until) ?? today, today)
  return hours.map((costs, weekday) => {
    const start = first + ((weekday - weekdayOf(first) + 7) % 7)
    const days = Math.max(1, Math.floor((last - start) / 7) + 1)
    return costs.map((costUsd) => costUsd / days)
  })
}

function countProjects(entries: readonly UsageEntry[]): UsageOverview['projects'] {
  const counts = new Map<string, number>()
  for (const {cwd = ''} of entries) counts.set(cwd, (counts.get(cwd) ?? 0) + 1)
  return [...counts]
    .map(([project, sessions]) => ({project, sessions}))
    .toSorted((one, other) => other.sessions - one.sessions)
}

function listTopSessions(ofEntries: ReadonlyMap<UsageEntry, Sum>): TopSession[] {
  return [...ofEntries]
    .toSorted(([, one], [, other]) => compareSums(one, other))
    .slice(0, MAX_TOP_SESSIONS)
    .map(([entry, sum]) => toTopSession(entry, sum))
}

function toTopSession(entry: UsageEntry, sum: Sum): TopSession {
  const {id, kind, title = '', cwd = '', startedAt, requests} = entry
  return {
    runId: id,
    agent: agentOf(entry),
    title,
    project: cwd,
    kind,
    startedAt,
    turns: entry.turns ?? countTurns(requests),
    tokens: countTokens(sum.tokens),
    ...costOfSum(sum),
  }
}

function findOpenBlock(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  {timezone, now, agents, project, reportedLimits}: OverviewOptions,
): UsageBlock | null {
  const options = {timezone, now, agents, project, reportedLimits}
  return createUsageBlocks(entries, prices, options).find(({isOpen}) => isOpen) ?? null
}
