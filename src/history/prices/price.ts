import type {UsageRequest} from '../usage/report.ts'

/** Prices in dollars for a million tokens. A missing price follows from the others: {@link completePrice}. */
export interface Rates {
  input: number
  /** Reasoning is a part of the output. */
  output: number
  cacheRead?: number | undefined
  /** For five minutes, or without a limit. */
  cacheWrite?: number | undefined
  /** For an hour. */
  hourCacheWrite?: number | undefined
}

/** The list price of a model. */
export interface ListPrice extends Rates {
  /** The prices of a request with a prompt of more than `above` tokens, cached ones included. */
  long?: LongRates | undefined
  /** The prices of the fast tier, for prompts of any length. */
  fast?: Rates | undefined
}

interface LongRates extends Rates {
  above: number
}

/** A list price that applies to a part of the time. */
export interface PricePeriod extends ListPrice {
  /** The first day, in UTC; from the beginning by default. */
  from?: string | undefined
  /** The hours of the day, in UTC; all by default. The end is excluded. */
  hours?: readonly [start: string, end: string] | undefined
}

/** The prices of a model. The last period that matches a time applies. */
export interface ModelPrices {
  /** Its names, separated by spaces. */
  models: string
  prices: readonly PricePeriod[]
}

/** The price of a model, complete. */
export interface Price extends CompleteRates {
  long?: (CompleteRates & {above: number}) | undefined
  fast?: CompleteRates | undefined
}

type CompleteRates = {[Name in keyof Rates]-?: number}

/**
 * Completes the price of a model. By default a cache costs as much as input. Claude has prices that are multiples of the
 * input: 0.1 for reads, 1.25 for writes, 2 for writes that are kept for an hour.
 */
export function completePrice(price: ListPrice, isClaude: boolean): Price {
  const {long, fast} = price
  return {
    ...completeRates(price, isClaude),
    ...(long !== undefined && {long: {...completeRates(long, isClaude), above: long.above}}),
    ...(fast !== undefined && {fast: completeRates(fast, isClaude)}),
  }
}

function completeRates(rates: Rates, isClaude: boolean): CompleteRates {
  const {input, output} = rates
  const cacheWrite = rates.cacheWrite ?? (isClaude ? input * 1.25 : input)
  return {
    input,
    output,
    cacheRead: rates.cacheRead ?? (isClaude ? input / 10 : input),
    cacheWrite,
    hourCacheWrite: rates.hourCacheWrite ?? (isClaude ? input * 2 : cacheWrite),
  }
}

/** The cost of a request in dollars. */
export function calculateCost(price: Price, request: UsageRequest): number {
  const {input, output, cacheRead, cacheWrite} = request.tokens
  const hourCacheWrite = Math.min(request.hourCacheWrite ?? 0, cacheWrite)
  const rates = chooseRates(price, request)
  return (
    (input * rates.input +
      output * rates.output +
      cacheRead * rates.cacheRead +
      (cacheWrite - hourCacheWrite) * rates.cacheWrite +
      hourCacheWrite * rates.hourCacheWrite) /
    1e6
  )
}

function chooseRates(price: Price, {tokens, isFast}: UsageRequest): CompleteRates {
  if (isFast === true && price.fast !== undefined) return price.fast
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite
  return price.long !== undefined && prompt > price.long.above ? price.long : price
}
