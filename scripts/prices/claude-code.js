import {estimateCost} from '../../dist/agents/claude/prices.js'

/** @import {ListPrice, PricePeriod} from '../../src/history/prices/price.ts' */

/**
 * Claude Code has the newest prices. Former prices and tiers for long prompts are only in the package.
 *
 * @param {string} id
 * @param {PricePeriod[]} periods
 * @returns {PricePeriod[]}
 */
export function correctClaude(id, periods) {
  const price = readClaudePrice(id)
  const current = periods.at(-1)
  const isEqual =
    current?.input === price.input &&
    current.output === price.output &&
    current.cacheRead === price.cacheRead &&
    current.cacheWrite === price.cacheWrite
  return isEqual ? periods : [price]
}

const LONG_PROMPT = 100_000
const NONE = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

/**
 * The price of a model in Claude Code, which the adapter has as a function.
 *
 * @param {string} model
 * @returns {ListPrice}
 */
export function readClaudePrice(model) {
  const rates = readRates(model, LONG_PROMPT)
  const long = readRates(model, LONG_PROMPT + 1)
  return long.input === rates.input ? rates : {...rates, long: {above: LONG_PROMPT, ...long}}
}

/**
 * @param {string} model
 * @param {number} prompt The number of tokens in the prompt.
 */
function readRates(model, prompt) {
  /** @param {number} cost */
  const toRate = (cost) => Number(((cost / prompt) * 1e6).toPrecision(9))
  const input = estimateCost(model, {...NONE, input: prompt})
  return {
    input: toRate(input),
    output: toRate(estimateCost(model, {...NONE, input: prompt, output: prompt}) - input),
    cacheRead: toRate(estimateCost(model, {...NONE, cacheRead: prompt})),
    cacheWrite: toRate(estimateCost(model, {...NONE, cacheWrite: prompt})),
    hourCacheWrite: toRate(estimateCost(model, {...NONE, cacheWrite: prompt}, prompt)),
  }
}
