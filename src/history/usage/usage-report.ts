import {createBlockFinder, selectBlockEntries} from './blocks.ts'
import {createCalendar} from './calendar.ts'
import {formatDay, formatMonth, weekOf} from './days.ts'
import {agentOf, visitRequests} from './filter.ts'
import {addToGroup, createGroup, mergeGroups, toRow, toTotal, type Group} from './group.ts'
import type {
  UnpricedModel,
  UsageEntry,
  UsageGroup,
  UsagePrices,
  UsageQuery,
  UsageReport,
  UsageRequest,
} from './report.ts'
import {compareSums, createCostReader} from './sum.ts'

/** The usage to report, and how. */
export interface ReportOptions extends UsageQuery {
  group: UsageGroup
  /** Whether rows contain the usage of each agent and model. */
  hasBreakdown?: boolean | undefined
}

/** A report, with the tokens that are not in its cost. */
export interface DetailedReport {
  report: UsageReport
  unpriced: UnpricedModel[]
}

/** The groups whose rows are in the order of time; the others begin with the most expensive row. */
const TIME_GROUPS: ReadonlySet<UsageGroup> = new Set(['day', 'week', 'month', 'block'])

/** Adds up usage by day, model or another group. Every request counts in the day of its own time. */
export function createUsageReport(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  options: ReportOptions,
): DetailedReport {
  const costs = createCostReader(prices)
  const groups = new Map<string, Group>()
  let sessions = 0
  let lastEntry: UsageEntry | undefined
  const {entries: counted, keyOf, dayOf} = createGrouping(entries, options)
  const visit = (entry: UsageEntry, request: UsageRequest, day: number) => {
    const key = keyOf(entry, request, day)
    let group = groups.get(key)
    if (group === undefined) {
      group = createGroup()
      groups.set(key, group)
    }
    addToGroup(group, entry, request, costs.costOf(request))
    if (entry !== lastEntry) sessions++
    lastEntry = entry
  }
  visitRequests(counted, options, visit, dayOf)
  const total = createGroup()
  for (const group of groups.values()) mergeGroups(total, group)
  const unpriced = costs.unpriced()
  return {
    report: {
      rows: [...groups]
        .toSorted(TIME_GROUPS.has(options.group) ? compareKeys : compareGroups)
        .map(([key, group]) => toRow(key, group, options.hasBreakdown)),
      total: {...toTotal(total), sessions},
      unpricedModels: unpriced.map(({model}) => model),
      pricesFrom: prices.pricesFrom,
    },
    unpriced,
  }
}

type KeyedGroup = readonly [key: string, group: Group]

function compareKeys([one]: KeyedGroup, [other]: KeyedGroup): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function compareGroups(one: KeyedGroup, other: KeyedGroup): number {
  return compareSums(one[1].sum, other[1].sum) || compareKeys(one, other)
}

/** How requests are assigned to rows. */
interface Grouping {
  entries: readonly UsageEntry[]
  keyOf: (entry: UsageEntry, request: UsageRequest, day: number) => string
  dayOf: (at: number) => number
}

function createGrouping(
  entries: readonly UsageEntry[],
  {group, timezone}: ReportOptions,
): Grouping {
  const {dayOf} = createCalendar(timezone)
  switch (group) {
    case 'day':
      return {entries, dayOf, keyOf: createKeyCache(readDay, formatDay)}
    case 'week':
      return {entries, dayOf, keyOf: createKeyCache(readDay, (day) => formatDay(weekOf(day)))}
    case 'month':
      return {entries, dayOf, keyOf: createKeyCache(readDay, formatMonth)}
    case 'session':
      return {entries, dayOf, keyOf: ({id}) => id}
    case 'project':
      return {entries, dayOf, keyOf: ({cwd = ''}) => cwd}
    case 'model':
      return {entries, dayOf, keyOf: (_, {model = ''}) => model}
    case 'agent':
      return {entries, dayOf, keyOf: agentOf}
    case 'block': {
      const ofBlocks = selectBlockEntries(entries)
      const findBlock = createBlockFinder(ofBlocks)
      return {
        entries: ofBlocks,
        dayOf: (at) => dayOf(findBlock(at)),
        keyOf: createKeyCache(
          ({at}) => findBlock(at),
          (start) => new Date(start).toISOString(),
        ),
      }
    }
    default:
      return group satisfies never
  }
}

/** Creates a reader of keys that are dates: formatting a date takes longer than adding a request. */
function createKeyCache(
  read: (request: UsageRequest, day: number) => number,
  format: (value: number) => string,
): Grouping['keyOf'] {
  const known = new Map<number, string>()
  return (_, request, day) => {
    const value = read(request, day)
    let key = known.get(value)
    if (key === undefined) {
      key = format(value)
      known.set(value, key)
    }
    return key
  }
}

function readDay(_: UsageRequest, day: number): number {
  return day
}
