import type {Tokens} from '../../core/events/events.ts'
import {numberAt, objectAt} from '../../core/wire/json.ts'

/** Dollars for a million tokens. */
interface Price {
  input: number
  output: number
  cacheRead: number
  /** For five minutes; a cache write for an hour costs twice the input. */
  cacheWrite: number
  /** Prices of a request with a prompt of more than 100,000 tokens, if they are higher. */
  long?: Price
}

const OPUS_4: Price = {input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75}
const OPUS_4_5: Price = {input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25}
const OPUS_5_5: Price = {input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5}
const SONNET_4: Price = {input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75}
const SONNET_5: Price = {input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5}
const SONNET_5_5: Price = {input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5}
const HAIKU_3: Price = {input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3}
const HAIKU_3_5: Price = {input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1}
const HAIKU_4_5: Price = {input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25}
const HAIKU_5_5: Price = {
  input: 0.1,
  output: 0.5,
  cacheRead: 0.01,
  cacheWrite: 0.125,
  long: {input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625},
}
const FABLE_5: Price = {input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5}
const FABLE_5_1: Price = {input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5}
const FABLE_5_2: Price = {input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10}

/** List prices of Claude Code 2.1.325, by the start of the name; the first match applies. */
const MODELS: readonly (readonly [string, Price])[] = [
  ['claude-opus-5-5', OPUS_5_5],
  ['claude-opus-5', OPUS_4_5],
  ['claude-opus-4-0', OPUS_4],
  ['claude-opus-4-1', OPUS_4],
  ['claude-opus-4-2025', OPUS_4],
  ['claude-opus-4', OPUS_4_5],
  ['claude-3-opus', OPUS_4],
  ['claude-sonnet-5-5', SONNET_5_5],
  ['claude-sonnet-5', SONNET_5],
  ['claude-sonnet-4', SONNET_4],
  ['claude-3-7-sonnet', SONNET_4],
  ['claude-3-5-sonnet', SONNET_4],
  ['claude-3-sonnet', SONNET_4],
  ['claude-haiku-5-5', HAIKU_5_5],
  ['claude-haiku-4', HAIKU_4_5],
  ['claude-3-5-haiku', HAIKU_3_5],
  ['claude-3-haiku', HAIKU_3],
  ['claude-fable-5-2', FABLE_5_2],
  ['claude-fable-5-1', FABLE_5_1],
  ['claude-fable-5', FABLE_5],
  ['claude-mythos-5-2', FABLE_5_2],
  ['claude-mythos-5-1', FABLE_5_1],
  ['claude-mythos-5', FABLE_5],
]

/** A model that is not listed is probably newer than the list: the price of the newest in its family applies. */
const FAMILIES: readonly (readonly [string, Price])[] = [
  ['opus', OPUS_5_5],
  ['sonnet', SONNET_5_5],
  ['haiku', HAIKU_5_5],
  ['fable', FABLE_5_2],
  ['mythos', FABLE_5_2],
]

const LONG_PROMPT = 100_000

/** The price that Claude Code 2.1.325 uses for an unknown model. */
const DEFAULT_PRICE = OPUS_5_5

/** Whether a model has a known price. For others Claude Code and {@link estimateCost} use a default. */
export function hasPrice(model: string): boolean {
  return findPrice(model) !== undefined
}

/**
 * The cost of a request in dollars by list prices, as Claude Code computes it. Fast mode, regions and web searches cost more,
 * contracts less.
 */
export function estimateCost(model: string, tokens: Tokens, hourWrites = 0): number {
  const listed = findPrice(model) ?? DEFAULT_PRICE
  const {input, output, cacheRead, cacheWrite} = tokens
  const isLong = input + cacheRead + cacheWrite > LONG_PROMPT
  const price = (isLong ? listed.long : undefined) ?? listed
  return (
    (input * price.input +
      output * price.output +
      cacheRead * price.cacheRead +
      (cacheWrite - hourWrites) * price.cacheWrite +
      hourWrites * price.input * 2) /
    1e6
  )
}

/** The tokens of a usage that were written to the cache for an hour. */
export function readHourWrites(usage: unknown): number {
  return numberAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens') ?? 0
}

/** Cloud vendors add a prefix to the name, and `[1m]`, a date or a version may follow it. */
function findPrice(model: string): Price | undefined {
  const name = model.slice(Math.max(0, model.indexOf('claude-')))
  const isStart = ([start]: readonly [string, Price]) => name.startsWith(start)
  const isPart = ([family]: readonly [string, Price]) => name.includes(family)
  return (
    MODELS.find(isStart) ?? (name.startsWith('claude-') ? FAMILIES.find(isPart) : undefined)
  )?.[1]
}
