import type {Ledger, ModelShare, Usage} from '../../../src/core/run/ledger.ts'

/** The cost of one model. */
export interface ModelCost {
  /** Absent for usage without a model. */
  model: string | undefined
  /** Of all kinds; absent when not reported. */
  tokens: number | undefined
  costUsd: number | undefined
  isEstimate: boolean
}

/** Smaller differences are rounding. */
const LEAST_REST = 0.005

/** The costs per model, the highest first; none if there is only one. */
export function listModelCosts(
  {models}: Pick<Ledger, 'models'>,
  spent: Omit<Usage, 'tokens' | 'costUsd'> & {costUsd: number | null},
): ModelCost[] {
  const costs = Object.entries(models).map(([model, share]) => toCost(model, share))
  const isKnown = costs.some(({costUsd}) => costUsd !== undefined)
  if (costs.length === 0 || (costs.length === 1 && !isKnown)) return []
  const ordered = costs.toSorted(
    (one, other) =>
      (other.costUsd ?? 0) - (one.costUsd ?? 0) || (other.tokens ?? 0) - (one.tokens ?? 0),
  )
  if (!isKnown || spent.costUsd === null) return ordered
  const rest = spent.costUsd - costs.reduce((sum, {costUsd = 0}) => sum + costUsd, 0)
  if (rest < LEAST_REST) return ordered
  const {isEstimate} = spent
  return [...ordered, {model: undefined, tokens: undefined, costUsd: rest, isEstimate}]
}

function toCost(model: string, {tokens, costUsd}: ModelShare): ModelCost {
  const {input, output, cacheRead, cacheWrite} = tokens
  return {
    model,
    tokens: input + output + cacheRead + cacheWrite,
    costUsd,
    isEstimate: false,
  }
}
