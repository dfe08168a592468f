import type {UsageRequest} from '../usage/report.ts'
import {listModelKeys, toModelKey} from './model-names.ts'
import {calculateCost, completePrice, type Price, type PricePeriod, type Rates} from './price.ts'
import {PRICE_TABLE, PRICES_FROM} from './table.ts'

/** Finds the prices of models and calculates the cost of requests. */
export interface PriceFinder {
  /** The price of a model at a time, now by default; `undefined` if it is not known. */
  priceOf(model: string, at?: number): Price | undefined
  /** The cost in dollars by list prices; `null` if the model is unknown or has no known price. */
  costOf(request: UsageRequest): number | null
  /** The date of the price table. */
  pricesFrom: string
}

/** Creates the finder of prices. Prices in `overrides`, by model, replace those of the table. */
export function createPriceFinder(overrides: Readonly<Record<string, Rates>> = {}): PriceFinder {
  const own = new Map(
    Object.entries(overrides).map(([model, rates]) => [toModelKey(model), [rates]] as const),
  )
  const listed = indexTable()
  const known = new Map<string, CompletePeriod[]>()

  function priceOf(model: string, at?: number): Price | undefined {
    let periods = known.get(model)
    if (periods === undefined) {
      periods = findPeriods(model)
      known.set(model, periods)
    }
    return periods.length > 1 ? findLastMatch(periods, at ?? Date.now()) : periods[0]?.price
  }

  /** Empty if the model has no known price. */
  function findPeriods(model: string): CompletePeriod[] {
    const keys = listModelKeys(model)
    const prices = findFirst(own, keys) ?? findFirst(listed, keys) ?? []
    const isClaude = keys.some((key) => key.startsWith('claude-'))
    return prices.map((period) => completePeriod(period, isClaude))
  }

  return {
    priceOf,
    costOf(request) {
      if (request.model === undefined) return null
      const price = priceOf(request.model, request.at)
      return price === undefined ? null : calculateCost(price, request)
    },
    pricesFrom: PRICES_FROM,
  }
}

type PriceIndex = ReadonlyMap<string, readonly PricePeriod[]>

function indexTable(): PriceIndex {
  return new Map(
    PRICE_TABLE.flatMap(({models, prices}) =>
      models.split(' ').map((name) => [toModelKey(name), prices] as const),
    ),
  )
}

function findFirst(index: PriceIndex, keys: readonly string[]): readonly PricePeriod[] | undefined {
  const key = keys.find((name) => index.has(name))
  return key === undefined ? undefined : index.get(key)
}

interface CompletePeriod {
  price: Price
  /** Milliseconds since 1970. */
  start: number
  /** Milliseconds since midnight. */
  hours: {start: number; end: number} | undefined
}

function completePeriod(period: PricePeriod, isClaude: boolean): CompletePeriod {
  const {from, hours} = period
  return {
    price: completePrice(period, isClaude),
    start: from === undefined ? -Infinity : Date.parse(from),
    hours: hours && {start: toTimeOfDay(hours[0]), end: toTimeOfDay(hours[1])},
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

function toTimeOfDay(clock: string): number {
  return Date.parse(`1970-01-01T${clock}:00Z`)
}

function findLastMatch(periods: readonly CompletePeriod[], at: number): Price | undefined {
  const timeOfDay = at % DAY_MS
  return periods.findLast(({start, hours}) => {
    const isHour = hours === undefined || (timeOfDay >= hours.start && timeOfDay < hours.end)
    return at >= start && isHour
  })?.price
}
