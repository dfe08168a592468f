import {countTokens} from '../../core/run/ledger.ts'
import type {
  RequestList,
  TokenCounts,
  UnpricedModel,
  UsageEntry,
  UsageFigures,
  UsagePrices,
  UsageRequest,
} from './report.ts'

/** Adds up requests. Requests of an entry must follow each other: then entries are counted without a set of them. */
export interface Sum {
  tokens: TokenCounts
  costUsd: number
  hasCost: boolean
  isEstimate: boolean
  requests: number
  sessions: number
  lastEntry: UsageEntry | undefined
}

/** Creates a sum of no requests. */
export function createSum(): Sum {
  return {
    tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0},
    costUsd: 0,
    hasCost: false,
    isEstimate: false,
    requests: 0,
    sessions: 0,
    lastEntry: undefined,
  }
}

/** Adds a request with its cost. */
export function addToSum(
  sum: Sum,
  entry: UsageEntry,
  request: UsageRequest,
  costUsd: number | null,
): void {
  const {tokens} = request
  sum.tokens.input += tokens.input
  sum.tokens.output += tokens.output
  sum.tokens.cacheRead += tokens.cacheRead
  sum.tokens.cacheWrite += tokens.cacheWrite
  sum.tokens.reasoning += tokens.reasoning ?? 0
  if (costUsd !== null) {
    sum.costUsd += costUsd
    sum.hasCost = true
    if (request.costUsd === undefined) sum.isEstimate = true
  }
  sum.requests++
  if (sum.lastEntry === entry) return
  sum.sessions++
  sum.lastEntry = entry
}

/** Adds a sum to another. Entries with requests in both are counted twice. */
export function mergeSums(sum: Sum, added: Sum): void {
  sum.tokens.input += added.tokens.input
  sum.tokens.output += added.tokens.output
  sum.tokens.cacheRead += added.tokens.cacheRead
  sum.tokens.cacheWrite += added.tokens.cacheWrite
  sum.tokens.reasoning += added.tokens.reasoning
  sum.costUsd += added.costUsd
  sum.hasCost ||= added.hasCost
  sum.isEstimate ||= added.isEstimate
  sum.requests += added.requests
  sum.sessions += added.sessions
}

/** The figures of a sum. */
export function toFigures({tokens, requests, sessions, ...sum}: Sum): UsageFigures {
  return {tokens, ...costOfSum(sum), requests, sessions}
}

/** The cost of a sum, `null` if nothing in it has a price. */
export function costOfSum({
  costUsd,
  hasCost,
  isEstimate,
}: Pick<Sum, 'costUsd' | 'hasCost' | 'isEstimate'>): Pick<UsageFigures, 'costUsd' | 'isEstimate'> {
  return {costUsd: hasCost ? costUsd : null, isEstimate}
}

/** Orders sums by cost, then by tokens, the highest first. */
export function compareSums(one: Sum, other: Sum): number {
  const costOf = ({hasCost, costUsd}: Sum) => (hasCost ? costUsd : -1)
  return costOf(other) - costOf(one) || countTokens(other.tokens) - countTokens(one.tokens)
}

/** Reads costs of requests, and remembers the models without a price. */
export interface CostReader {
  /** The cost that the agent recorded, else that by list prices. */
  costOf(request: UsageRequest): number | null
  /** The models without a price, the most used first. */
  unpriced(): UnpricedModel[]
}

/** The name of a model that is not known. */
const UNKNOWN_MODEL = 'unknown'

/** Creates a reader of costs. */
export function createCostReader(prices: UsagePrices): CostReader {
  const unpriced = new Map<string, number>()
  return {
    costOf(request) {
      const costUsd = request.costUsd ?? prices.costOf(request)
      if (costUsd !== null) return costUsd
      const tokens = countTokens(request.tokens)
      const model = request.model ?? UNKNOWN_MODEL
      if (tokens > 0) unpriced.set(model, (unpriced.get(model) ?? 0) + tokens)
      return null
    },
    unpriced: () =>
      [...unpriced]
        .map(([model, tokens]) => ({model, tokens}))
        .toSorted((one, other) => other.tokens - one.tokens),
  }
}

/** The number of requests that no sub-agent made. */
export function countTurns(requests: RequestList): number {
  let count = 0
  for (const {isSubAgent} of requests) if (isSubAgent !== true) count++
  return count
}
