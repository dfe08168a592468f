import {countTokens} from '../../core/run/ledger.ts'
import {clampTime, createCalendar} from './calendar.ts'
import {agentOf, visitRequests} from './filter.ts'
import type {
  ReportedLimit,
  UsageBlock,
  UsageEntry,
  UsagePrices,
  UsageQuery,
  UsageRequest,
} from './report.ts'
import {addToSum, compareSums, costOfSum, createCostReader, createSum, type Sum} from './sum.ts'

/** The blocks to report. The days of the query are those on which blocks start. */
export interface BlockOptions extends UsageQuery {
  now: number
  /** Reports of Claude Code about its limit, in any order. */
  reportedLimits?: readonly ReportedLimit[] | undefined
}

/** Finds the start of the block of a time. */
export type FindBlock = (at: number) => number

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const BLOCK_MS = 5 * HOUR_MS
/** The time over which the burn rate is measured. */
const BURN_MS = 30 * MINUTE_MS
/** The distance of points in a chart. */
const POINT_MS = 5 * MINUTE_MS
/** Only Claude Code limits usage by blocks. */
const BLOCK_AGENT = 'claude'

/** The entries whose usage counts in blocks. */
export function selectBlockEntries(entries: readonly UsageEntry[]): UsageEntry[] {
  return entries.filter((entry) => agentOf(entry) === BLOCK_AGENT)
}

/** Creates the function that finds blocks. One starts at the full hour of the first request after the block before. */
export function createBlockFinder(entries: readonly UsageEntry[]): FindBlock {
  const starts: number[] = []
  for (const at of sortTimes(entries)) {
    if (at >= (starts.at(-1) ?? -Infinity) + BLOCK_MS) starts.push(at - (at % HOUR_MS))
  }
  let last = 0
  return (time) => {
    const at = clampTime(time)
    const start = starts[last] ?? 0
    if (at < start || at >= start + BLOCK_MS) last = findLastStart(starts, at)
    return starts[last] ?? 0
  }
}

/** Describes the blocks of Claude Code with usage, the newest first. */
export function createUsageBlocks(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  options: BlockOptions,
): UsageBlock[] {
  const {now, reportedLimits = []} = options
  const {costOf} = createCostReader(prices)
  const ofBlocks = selectBlockEntries(entries)
  const findBlock = createBlockFinder(ofBlocks)
  const {dayOf} = createCalendar(options.timezone)
  const drafts = new Map<number, Draft>()
  const recent = createSum()
  const visit = (entry: UsageEntry, request: UsageRequest) => {
    const costUsd = costOf(request)
    addToDraft(draftAt(drafts, findBlock(request.at)), entry, request, costUsd)
    if (request.at > now - BURN_MS && request.at <= now) addToSum(recent, entry, request, costUsd)
  }
  visitRequests(ofBlocks, options, visit, (at) => dayOf(findBlock(at)))
  return [...drafts.values()]
    .toSorted((one, other) => other.from - one.from)
    .map((draft) => describeBlock(draft, recent, now, reportedLimits))
}

/** The times of requests in order. */
function sortTimes(entries: readonly UsageEntry[]): Float64Array {
  const times = entries.flatMap(({requests}) => Array.from(requests, ({at}) => clampTime(at)))
  return Float64Array.from(times).toSorted()
}

/** The index of the last start that is not after a time. */
function findLastStart(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

interface Draft {
  from: number
  sum: Sum
  models: Map<string, Sum>
  /** Cost by the number of the interval in the block. */
  costs: Map<number, number>
}

function draftAt(drafts: Map<number, Draft>, from: number): Draft {
  const draft = drafts.get(from) ?? {from, sum: createSum(), models: new Map(), costs: new Map()}
  drafts.set(from, draft)
  return draft
}

function addToDraft(
  {from, sum, models, costs}: Draft,
  entry: UsageEntry,
  request: UsageRequest,
  costUsd: number | null,
): void {
  const {model = '', at} = request
  const ofModel = models.get(model) ?? createSum()
  models.set(model, ofModel)
  addToSum(ofModel, entry, request, costUsd)
  addToSum(sum, entry, request, costUsd)
  const interval = Math.floor((at - from) / POINT_MS)
  costs.set(interval, (costs.get(interval) ?? 0) + (costUsd ?? 0))
}

function describeBlock(
  draft: Draft,
  recent: Sum,
  now: number,
  limits: readonly ReportedLimit[],
): UsageBlock {
  const {from, sum, models} = draft
  const to = from + BLOCK_MS
  const isOpen = now >= from && now < to
  const {costUsd, isEstimate} = costOfSum(sum)
  const burnUsdPerHour = recent.costUsd * (HOUR_MS / BURN_MS)
  const projectedUsd = (costUsd ?? 0) + (burnUsdPerHour * (to - now)) / HOUR_MS
  const hasRate = isOpen && costUsd !== null
  const limit = findLimit(limits, {from, to, now: isOpen ? now : undefined})
  return {
    from,
    to,
    isOpen,
    tokens: countTokens(sum.tokens),
    costUsd,
    isEstimate,
    projectedUsd: hasRate ? projectedUsd : null,
    burnUsdPerHour: hasRate ? burnUsdPerHour : null,
    burnTokensPerMinute: isOpen ? (countTokens(recent.tokens) / BURN_MS) * MINUTE_MS : null,
    usedShare: limit?.usedShare ?? null,
    reportedAt: limit?.at ?? null,
    models: [...models]
      .toSorted(([, one], [, other]) => compareSums(one, other))
      .map(([model, ofModel]) => ({model, costUsd: costOfSum(ofModel).costUsd})),
    points: toPoints(draft, isOpen ? now : to),
  }
}

/** The last report during a block. A limit that was reset since then is that of an earlier window. */
function findLimit(
  limits: readonly ReportedLimit[],
  {from, to, now}: {from: number; to: number; now: number | undefined},
): ReportedLimit | undefined {
  return limits
    .filter(({at, resetsAt = to}) => at >= from && at < to && resetsAt > (now ?? at))
    .toSorted((one, other) => one.at - other.at)
    .at(-1)
}

function toPoints({from, costs}: Draft, last: number): [number, number][] {
  let costUsd = 0
  const points: [number, number][] = [[from, 0]]
  for (const [interval, added] of [...costs].toSorted(([one], [other]) => one - other)) {
    costUsd += added
    points.push([Math.min(from + (interval + 1) * POINT_MS, Math.max(last, from)), costUsd])
  }
  return points
}
