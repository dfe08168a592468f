import type {Tokens} from '../core/events/events.ts'
import type {Entry} from './entries.ts'
import type {PriceFinder} from './prices/find-price.ts'
import {sumRequests} from './sessions.ts'
import type {RequestList} from './usage/report.ts'
import {countTurns} from './usage/sum.ts'

/** The figures of a run or a session in lists. */
export interface EntryFigures {
  /** `null` if none are known. */
  tokens: Tokens | null
  /** `null` if no cost is known. */
  costUsd: number | null
  /** Whether a part of the cost is tokens times list price. */
  isEstimate: boolean
  /** Requests to models in the main conversation. */
  turns: number
  toolCount: number
}

/** Counts the requests of an entry. For a run, what the agent reported about it wins. */
export function countEntry({requests, run}: Entry, prices: PriceFinder): EntryFigures {
  const result = run?.record.result
  const live = run?.record.live
  const cost = costOf(requests, prices)
  const reported = result ?? live
  const isReported = reported !== undefined && reported.costUsd !== null
  return {
    tokens: requests.length > 0 ? sumRequests(requests) : (result?.tokens ?? null),
    costUsd: isReported ? reported.costUsd : cost.costUsd,
    isEstimate: isReported ? reported.isEstimate : cost.isEstimate,
    turns: result?.turns ?? countTurns(requests),
    toolCount: result?.toolCount ?? countTools(requests),
  }
}

/** The cost of requests: what the agent recorded, else tokens times list price. */
export function costOf(
  requests: RequestList,
  prices: PriceFinder,
): {costUsd: number | null; isEstimate: boolean} {
  let costUsd: number | null = null
  let isEstimate = false
  for (const request of requests) {
    const cost = request.costUsd ?? prices.costOf(request)
    if (cost === null) continue
    costUsd = (costUsd ?? 0) + cost
    isEstimate ||= request.costUsd === undefined
  }
  return {costUsd, isEstimate}
}

function countTools(requests: RequestList): number {
  let count = 0
  for (const {toolCount} of requests) count += toolCount
  return count
}
