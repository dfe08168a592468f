import type {AgentEvent, Tokens, UsageEvent} from '../events/events.ts'
import {type PendingUsage} from '../events/adapter.ts'

/** What a run has used, as far as the agent has told. */
export interface Ledger {
  /** Of the whole run, with those of sub-agents where the agent counts them; absent while none were reported. */
  tokens?: Tokens | undefined
  /** In dollars; absent while the agent has told nothing, which is not 0. */
  costUsd?: number | undefined
  /** The shares of the models; what was told of no model in particular is only in the sums. */
  models: Readonly<Record<string, ModelShare>>
  /** Whether the cost is a sum of parts; if not, it is what the last turn told. */
  isSum: boolean
}

/** What one model has used. */
export interface ModelShare {
  tokens: Tokens
  costUsd?: number | undefined
}

/** What a run has used up to now. */
export interface Usage {
  /** Absent while none were reported, which is not 0. */
  tokens?: Tokens | undefined
  costUsd?: number | undefined
  /** Whether a part of it is our estimate and not the agent's word. */
  isEstimate: boolean
}

/** The ledger of a run of which nothing has been seen. */
export const initialLedger: Ledger = {
  tokens: undefined,
  models: {},
  isSum: false,
}

/** The ledger after one more event; the same one when the event tells nothing of use. */
export function reduceLedger(ledger: Ledger, event: AgentEvent): Ledger {
  if (event.type === 'usage') return addUsage(ledger, event)
  if (event.type !== 'turn-end' || event.costUsd === undefined) return ledger
  // A turn tells its own cost or that of all so far; the sum of the parts is both.
  return ledger.isSum ? ledger : {...ledger, costUsd: event.costUsd}
}

/**
 * What a run has used up to now: what is settled, and what {@link EventDecoder.pendingUsage} tells beyond that.
 *
 * @example
 * ```ts
 * const {costUsd, isEstimate} = withPendingUsage(state.ledger, decoder.pendingUsage)
 * ```
 */
export function withPendingUsage(
  {tokens, costUsd}: Pick<Ledger, 'tokens' | 'costUsd'>,
  pendingUsage: PendingUsage | undefined,
): Usage {
  if (pendingUsage === undefined) return {tokens, costUsd, isEstimate: false}
  return {
    tokens: addReported(tokens, pendingUsage.tokens),
    costUsd: addCosts(costUsd, pendingUsage.costUsd),
    isEstimate: true,
  }
}

/** How many tokens of all kinds these are. */
export function countTokens({input, output, cacheRead, cacheWrite}: Tokens): number {
  return input + output + cacheRead + cacheWrite
}

/** The sum of tokens. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  const sum: Tokens = {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  }
  if (one.reasoning !== undefined || other.reasoning !== undefined) {
    sum.reasoning = (one.reasoning ?? 0) + (other.reasoning ?? 0)
  }
  return sum
}

function addUsage(ledger: Ledger, {tokens, costUsd, model}: UsageEvent): Ledger {
  const {models, isSum} = ledger
  const next: Ledger = {
    ...ledger,
    tokens: addReported(ledger.tokens, tokens),
    models: model === undefined ? models : addShare(models, model, {tokens, costUsd}),
  }
  if (costUsd === undefined) return next
  // The first part takes the place of what turns have told.
  return {...next, costUsd: isSum ? addCosts(ledger.costUsd, costUsd) : costUsd, isSum: true}
}

/** Agents print zeros where a request failed or nothing was counted: that is no report of 0 tokens. */
function addReported(sum: Tokens | undefined, tokens: Tokens): Tokens | undefined {
  if (countTokens(tokens) === 0) return sum
  return sum === undefined ? tokens : addTokens(sum, tokens)
}

function addShare(models: Ledger['models'], model: string, share: ModelShare): Ledger['models'] {
  const before = Object.hasOwn(models, model) ? models[model] : undefined
  if (before === undefined) return {...models, [model]: share}
  const tokens = addTokens(before.tokens, share.tokens)
  return {...models, [model]: {tokens, costUsd: addCosts(before.costUsd, share.costUsd)}}
}

/** Nothing told and nothing told is nothing told. */
function addCosts(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other
}
