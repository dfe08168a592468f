import type {Entry} from '../history/entries.ts'
import type {PriceFinder} from '../history/prices/find-price.ts'
import {costOf} from '../history/summarize-entry.ts'

/** The cost of all requests since a time. */
export function sumCostSince(
  entries: readonly Entry[],
  since: number,
  prices: PriceFinder,
): {costUsd: number; isEstimate: boolean} {
  let sum = 0
  let isEstimate = false
  for (const {requests} of entries) {
    const cost = costOf(
      [...requests].filter(({at}) => at >= since),
      prices,
    )
    sum += cost.costUsd ?? 0
    isEstimate ||= cost.isEstimate
  }
  return {costUsd: sum, isEstimate}
}
