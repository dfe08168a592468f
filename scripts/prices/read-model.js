/**
 * @import {ConditionalPrice, MatchLogic, ModelInfo, ModelPrice} from '@pydantic/genai-prices'
 * @import {ListPrice, PricePeriod, Rates} from '../../src/history/prices/price.ts'
 */

/**
 * The prices of a model by time; `undefined` if it has none. A missing price means that a model is free only if its name
 * ends with `:free`.
 *
 * @param {ModelInfo} model
 * @returns {PricePeriod[] | undefined}
 */
export function readPrices({id, prices: listed}) {
  if (id.endsWith(':free') && Object.keys(listed).length === 0) return [{input: 0, output: 0}]
  /** @type {ConditionalPrice[]} */
  const conditions = Array.isArray(listed) ? listed : [{prices: listed}]
  if (conditions.some(({prices: {input_mtok, output_mtok}}) => !input_mtok || !output_mtok)) return
  /** @type {PricePeriod[]} */
  const periods = []
  /** @type {{from?: string}} */
  let date = {}
  for (const {constraint, prices: price} of conditions) {
    // Prices for hours of the day have no date in the source: they began with the prices before them.
    if (constraint?.type === 'start_date') date = {from: constraint.start_date}
    periods.push({...date, ...readHours(constraint), ...readPrice(id, price)})
  }
  return periods
}

/**
 * @param {ConditionalPrice['constraint']} constraint
 * @returns {{hours?: [string, string]}}
 */
function readHours(constraint) {
  if (constraint?.type !== 'time_of_date') return {}
  const CLOCK_LENGTH = 'HH:MM'.length
  const {start_time: start, end_time: end} = constraint
  return {hours: [start.slice(0, CLOCK_LENGTH), end.slice(0, CLOCK_LENGTH)]}
}

/**
 * @param {string} id
 * @param {ModelPrice} price
 * @returns {ListPrice}
 */
function readPrice(id, price) {
  const starts = Object.values(price).flatMap((value) =>
    typeof value === 'object' ? value.tiers.map(({start}) => start) : [],
  )
  const [above] = starts
  if (above === undefined) return readRates(price, false)
  if (starts.some((start) => start !== above)) throw new Error(`${id} has more than two tiers`)
  return {...readRates(price, false), long: {above, ...readRates(price, true)}}
}

/**
 * @param {ModelPrice} price
 * @param {boolean} isLong
 * @returns {Rates}
 */
function readRates(price, isLong) {
  /** @param {string} name */
  const rate = (name) => {
    const value = price[name]
    if (typeof value !== 'object') return value
    return isLong ? value.tiers[0]?.price : value.base
  }
  return {
    input: rate('input_mtok') ?? 0,
    output: rate('output_mtok') ?? 0,
    cacheRead: rate('cache_read_mtok'),
    cacheWrite: rate('cache_write_mtok'),
    hourCacheWrite: rate('cache_write_1h_mtok'),
  }
}

/**
 * The names of a model. The package also matches names by their start, which would match models with other prices; the
 * start itself is a name, unless it ends within a word or a date.
 *
 * @param {MatchLogic} match
 * @returns {string[]}
 */
export function listNames(match) {
  if ('or' in match) return match.or.flatMap(listNames)
  if ('equals' in match) return [match.equals.toLowerCase()]
  const start = 'starts_with' in match ? match.starts_with.toLowerCase() : ''
  return /[a-z\d]$/.test(start) && !/-20\d\d$/.test(start) ? [start] : []
}
