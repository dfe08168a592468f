import type {AgentEvent, Tokens, UsageEvent} from '../events/events.ts'
import {type PendingUsage} from '../events/adapter.ts'

/** Usage and cost of a run, as reported by the agent. */
export interface Ledger {
  /** Tokens of the whole run, with sub-agents if the agent counts them; absent until tokens are reported. */
  tokens?: Tokens | undefined
  /** Absent until the agent reports a cost, which is not the same as 0. */
  costUsd?: number | undefined
  /** Usage per model. Usage that was reported without a model is only in the totals. */
  models: Readonly<Record<string, ModelShare>>
  /** Whether the cost is the sum of `usage` events; otherwise it is the cost of the last turn. */
  isSum: boolean
}

/** Usage and cost of one model. */
export interface ModelShare {
  tokens: Tokens
  costUsd?: number | undefined
}

/** Usage and cost of a run so far. */
export interface Usage {
  /** Absent until tokens are reported, which is not the same as 0. */
  tokens?: Tokens | undefined
  costUsd?: number | undefined
  /** Whether a part of it is an estimate. */
  isEstimate: boolean
}

/** The ledger before the first event. */
export const initialLedger: Ledger = {
  tokens: undefined,
  models: {},
  isSum: false,
}

/** Returns the ledger after an event; the same object when the event has no usage and no cost. */
export function reduceLedger(ledger: Ledger, event: AgentEvent): Ledger {
  if (event.type === 'usage') return addUsage(ledger, event)
  if (event.type !== 'turn-end' || event.costUsd === undefined) return ledger
  // Some agents report the cost of the turn, others a running total. The sum of `usage` events is exact for both.
  return ledger.isSum ? ledger : {...ledger, costUsd: event.costUsd}
}

/**
 * Adds {@link EventDecoder.pendingUsage} to the reported usage.
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

/** No tokens of any kind. */
export const NO_TOKENS: Tokens = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

/** Returns the number of tokens of all kinds. */
export function countTokens({input, output, cacheRead, cacheWrite}: Tokens): number {
  return input + output + cacheRead + cacheWrite
}

/** Adds tokens by kind. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return combineTokens(one, other, (count, more) => count + more)
}

/** Subtracts tokens by kind, to no less than 0. */
export function subtractTokens(tokens: Tokens, before: Tokens): Tokens {
  return combineTokens(tokens, before, (count, earlier) => Math.max(0, count - earlier))
}

/** Combines tokens by kind; `reasoning` is absent when neither has it. */
export function combineTokens(
  one: Tokens,
  other: Tokens,
  combine: (one: number, other: number) => number,
): Tokens {
  const tokens: Tokens = {
    input: combine(one.input, other.input),
    output: combine(one.output, other.output),
    cacheRead: combine(one.cacheRead, other.cacheRead),
    cacheWrite: combine(one.cacheWrite, other.cacheWrite),
  }
  if (one.reasoning !== undefined || other.reasoning !== undefined) {
    tokens.reasoning = combine(one.reasoning ?? 0, other.reasoning ?? 0)
  }
  return tokens
}

function addUsage(ledger: Ledger, {tokens, costUsd, model}: UsageEvent): Ledger {
  const {models, isSum} = ledger
  const next: Ledger = {
    ...ledger,
    tokens: addReported(ledger.tokens, tokens),
    models: model === undefined ? models : addShare(models, model, {tokens, costUsd}),
  }
  if (costUsd === undefined) return next
  // The first `usage` event with a cost replaces the cost of earlier turns.
  return {...next, costUsd: isSum ? addCosts(ledger.costUsd, costUsd) : costUsd, isSum: true}
}

/** Agents print zeros when a request failed or tokens were not counted, so that zeros are not a report. */
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

/** Undefined plus undefined stays undefined. */
function addCosts(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other
}
