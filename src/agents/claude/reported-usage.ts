import type {Draft} from '../../core/events/adapter.ts'
import type {Tokens} from '../../core/events/events.ts'
import {combineTokens, countTokens, NO_TOKENS} from '../../core/run/ledger.ts'
import {isRecord, numberAt, type JsonObject} from '../../core/wire/json.ts'
import {readTokens} from '../messages-api/translate.ts'

/** Usage of one model, if it is known. */
interface Share {
  model?: string | undefined
  tokens: Tokens
  costUsd?: number | undefined
}

/** Rounding errors of cost in dollars. */
const TOLERANCE = 1e-11

/**
 * Reads the usage between two results, so that their sum is the usage of this run. The cost of a result is a running total,
 * which may include the run that was resumed, and its `usage` excludes sub-agents.
 */
export function createReportedUsage(): {read(result: JsonObject): Draft[]; restart(): void} {
  let total = 0
  /** Not parsed until needed: newer versions report the difference themselves. */
  let models: unknown
  return {read, restart}

  function read(result: JsonObject): Draft[] {
    const {modelUsage, model_usage_since_last_result: sinceLast} = result
    const drafts = isRecord(sinceLast) ? toDrafts(readShares(sinceLast), 0) : compare(result)
    total = readTotal(result) ?? total
    if (isRecord(modelUsage) && Object.keys(modelUsage).length > 0) models = modelUsage
    return drafts
  }

  function compare(result: JsonObject): Draft[] {
    const cost = readTotal(result)
    const shares = readShares(result['modelUsage'])
    // Counts may restart when the conversation is cleared, which not every version reports.
    if ((cost ?? total) < total - TOLERANCE || hasFallen(shares, readShares(models))) restart()
    const costUsd = cost === undefined ? undefined : cost - total
    if (shares.length > 0)
      return toDrafts(balance(subtract(shares, readShares(models)), costUsd), costUsd)
    // The next result includes the usage of models that are missing here.
    const tokens = models === undefined ? readTokens(result['usage']) : undefined
    if (tokens === undefined && costUsd === undefined) return []
    return [{type: 'usage', tokens: tokens ?? {...NO_TOKENS}, costUsd}]
  }

  function restart(): void {
    total = 0
    models = undefined
  }
}

/** The running total by the names of all versions; the first versions also had another cost. */
function readTotal(result: JsonObject): number | undefined {
  return (
    numberAt(result, 'total_cost_usd') ??
    numberAt(result, 'total_cost') ??
    numberAt(result, 'cost_usd')
  )
}

function readShares(models: unknown): Share[] {
  if (!isRecord(models)) return []
  return Object.entries(models).map(([model, use]) => readShare(model, use))
}

function readShare(model: string, use: unknown): Share {
  const tokens: Tokens = {
    input: numberAt(use, 'inputTokens') ?? 0,
    output: numberAt(use, 'outputTokens') ?? 0,
    cacheRead: numberAt(use, 'cacheReadInputTokens') ?? 0,
    cacheWrite: numberAt(use, 'cacheCreationInputTokens') ?? 0,
  }
  const reasoning = numberAt(use, 'thinkingTokens')
  if (reasoning !== undefined) tokens.reasoning = reasoning
  return {model, tokens, costUsd: numberAt(use, 'costUSD')}
}

function hasFallen(shares: Share[], before: Share[]): boolean {
  return subtract(shares, before).some(({tokens: {input, output, cacheRead, cacheWrite}}) => {
    return Math.min(input, output, cacheRead, cacheWrite) < 0
  })
}

function subtract(shares: Share[], before: Share[]): Share[] {
  return shares.map((share) => {
    const old = before.find(({model}) => model === share.model)
    return old === undefined ? share : subtractShare(share, old)
  })
}

function subtractShare({model, tokens, costUsd}: Share, old: Share): Share {
  return {
    model,
    tokens: combineTokens(tokens, old.tokens, (count, earlier) => count - earlier),
    costUsd: costUsd === undefined ? undefined : costUsd - (old.costUsd ?? 0),
  }
}

/** Makes the costs add up to the total: a rest belongs to no model, and an excess was reported before. */
function balance(shares: Share[], costUsd: number | undefined): Share[] {
  if (costUsd === undefined) return shares
  let rest = shares.reduce((sum, share) => sum - (share.costUsd ?? 0), costUsd)
  if (rest > TOLERANCE) return [...shares, {tokens: {...NO_TOKENS}, costUsd: rest}]
  return shares.map((share) => {
    if (share.costUsd === undefined) return share
    const excess = Math.min(share.costUsd, Math.max(0, -rest))
    rest += excess
    return {...share, costUsd: share.costUsd - excess}
  })
}

/** A result without usage gives a usage of 0. */
function toDrafts(shares: Share[], costUsd: number | undefined): Draft[] {
  const used = shares.filter(hasUsed)
  const reported = used.length > 0 ? used : [{tokens: {...NO_TOKENS}, costUsd}]
  return reported.map(toDraft)
}

function toDraft({model, tokens, costUsd}: Share): Draft {
  return {type: 'usage', model, tokens, costUsd}
}

function hasUsed({tokens, costUsd = 0}: Share): boolean {
  return countTokens(tokens) > 0 || costUsd > 0
}
