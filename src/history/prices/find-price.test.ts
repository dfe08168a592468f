import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {objectAt} from '../../core/wire/json.ts'
import type {ModelRequest} from '../../core/events/transcript.ts'
import {createPriceFinder} from './find-price.ts'

const finder = createPriceFinder()

interface Usage extends Partial<ModelRequest['tokens']> {
  hourCacheWrite?: number
  isFast?: true
  at?: string
}

/** A request with tokens of each kind and a prompt below all thresholds. */
function requestOf(model: string | undefined, usage: Usage = {}): ModelRequest {
  const {hourCacheWrite, isFast, at = '2026-11-19T12:00:00Z', ...tokens} = usage
  const defaults = {input: 1000, output: 200, cacheRead: 30_000, cacheWrite: 4000}
  return {
    key: 'a',
    at: Date.parse(at),
    model,
    tokens: {...defaults, ...tokens},
    toolCount: 0,
    hourCacheWrite,
    isFast,
  }
}

const costOf = (model: string, usage?: Usage): number =>
  finder.costOf(requestOf(model, usage)) ?? Number.NaN

describe('costOf', () => {
  test('adds up input, output and both kinds of cache', () => {
    // 0.004 input, 0.004 output, 0.006 read, 0.02 written
    expect(costOf('claude-opus-5-5')).toBeCloseTo(0.034, 10)
    expect(costOf('claude-sonnet-4-5-20250929')).toBeCloseTo(0.03, 10)
  })

  test('does not add reasoning, which is a part of the output', () => {
    expect(costOf('gpt-5.5', {reasoning: 150})).toBe(costOf('gpt-5.5'))
  })

  test('applies the price of an hour to the part of the cache that is kept for an hour', () => {
    // 1000 of 4000 tokens cost 8 instead of 5 dollars per million.
    expect(costOf('claude-opus-5-5', {hourCacheWrite: 1000})).toBeCloseTo(0.037, 10)
    expect(costOf('claude-opus-5-5', {hourCacheWrite: 9999})).toBeCloseTo(0.046, 10)
  })

  test('applies the price of input to a cache without a price', () => {
    // 0.005 input, 0.006 output, 0.015 read, 0.02 written at the price of input
    expect(costOf('gpt-5.5')).toBeCloseTo(0.046, 10)
  })

  test('applies the prices of a long prompt to the complete request', () => {
    const prompt = {cacheRead: 98_000, cacheWrite: 1000}
    expect(costOf('claude-haiku-5-5', prompt)).toBeCloseTo(0.001305, 10)
    expect(costOf('claude-haiku-5-5', {...prompt, input: 1001})).toBeCloseTo(0.0065255, 10)
    expect(costOf('gpt-5.5', {cacheRead: 271_999 - 5000})).toBeCloseTo(0.1644995, 10)
    expect(costOf('gpt-5.5', {cacheRead: 272_000 - 5000})).toBeCloseTo(0.326, 10)
    expect(costOf('gemini-2.5-pro', {cacheRead: 200_001})).toBeCloseTo(0.06550025, 10)
  })

  test('applies the prices of the fast tier where they are known', () => {
    expect(costOf('claude-opus-5')).toBeCloseTo(0.05, 10)
    expect(costOf('claude-opus-5', {isFast: true})).toBeCloseTo(0.1, 10)
    expect(costOf('claude-opus-4-6', {isFast: true})).toBeCloseTo(0.3, 10)
    expect(costOf('claude-opus-5', {isFast: true, hourCacheWrite: 4000})).toBeCloseTo(0.13, 10)
    expect(costOf('gpt-5.5', {isFast: true})).toBe(costOf('gpt-5.5'))
  })

  test('applies the price of the day', () => {
    const usage = {input: 1e6, output: 0, cacheRead: 0, cacheWrite: 0}
    expect(costOf('claude-opus-4-6', {...usage, at: '2026-03-12T23:59:59Z'})).toBe(10)
    expect(costOf('claude-opus-4-6', {...usage, at: '2026-03-13T00:00:00Z'})).toBe(5)
    expect(costOf('gemini-3.6-flash', {...usage, at: '2026-12-31T12:00:00Z'})).toBe(0.75)
    expect(costOf('gemini-3.6-flash', {...usage, at: '2027-01-01T12:00:00Z'})).toBe(1.5)
  })

  test('applies the price of the hour', () => {
    const usage = {input: 1e6, output: 0, cacheRead: 0, cacheWrite: 0}
    expect(costOf('deepseek-v4-pro', {...usage, at: '2026-10-01T00:59:59Z'})).toBe(0.66)
    expect(costOf('deepseek-v4-pro', {...usage, at: '2026-10-01T01:00:00Z'})).toBe(1.32)
    expect(costOf('deepseek-v4-pro', {...usage, at: '2026-10-01T10:00:00Z'})).toBe(0.66)
    expect(costOf('deepseek-v4-pro', {...usage, at: '2026-08-01T02:00:00Z'})).toBe(0.435)
  })

  test('is null without a model and for a model without a price', () => {
    expect(finder.costOf(requestOf(undefined))).toBeNull()
    expect(finder.costOf(requestOf('qwen3-tiny'))).toBeNull()
    expect(finder.costOf(requestOf('', {input: 0, output: 0}))).toBeNull()
  })

  test('is 0 for a model that is listed as free', () => {
    expect(costOf('qwen/qwen3-coder:free')).toBe(0)
  })

  test('calculates 100,000 costs in a moment', () => {
    const requests = ['claude-opus-5-5', 'us.anthropic.claude-sonnet-4-6-v1:0', 'unknown'].map(
      (model) => requestOf(model),
    )
    const start = performance.now()
    for (let count = 0; count < 100_000; count++) {
      for (const request of requests) finder.costOf(request)
    }
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('priceOf', () => {
  test.each([
    ['claude-opus-5-5', 'claude-opus-5-5[1m]', 'us.anthropic.claude-opus-5-5-v1:0', 'opus-5-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5'],
    ['claude-opus-4-0', 'claude-opus-4-20250514', 'claude-opus-4@20250514', 'claude-4-opus'],
    ['gpt-5.5', 'openai/gpt-5.5', 'GPT-5.5', 'gpt-5-5', 'gpt-5.5-2026-04-23', 'azure/gpt-5.5'],
    ['gemini-2.5-pro', 'models/gemini-2.5-pro', 'gemini-2.5-pro-preview-05-06'],
    ['qwen3-coder', 'qwen/qwen3-coder', 'openrouter/qwen/qwen3-coder'],
    ['glm-5.3', 'zai/GLM-5.3', 'z-ai/glm-5.3'],
    ['nova-pro', 'us.amazon.nova-pro-v1:0', 'amazon/nova-pro-v1'],
  ])('finds %s by other spellings', (model, ...spellings) => {
    const price = finder.priceOf(model)
    expect(price).toBeDefined()
    expect(spellings.map((spelling) => finder.priceOf(spelling))).toEqual(
      spellings.map(() => price),
    )
  })

  test.each([
    'gpt-5.5-mini',
    'gpt-5.55',
    'gpt-5.9',
    'claude-opus-9',
    'claude-opus',
    'claude-sonnet-5-6',
    'claude-sonnet-4-5-lite',
    'gemini-2.5',
    'gemini-2.5-pro-tts',
    'kimi-k2.7',
    'ft:gpt-4.1:org',
    'qwen3-coder:nitro',
    'ollama/qwen3-coder',
    'inherit',
    'haiku',
    '<synthetic>',
    '__proto__',
    'constructor',
    '',
  ])('does not find %j', (model) => {
    expect(finder.priceOf(model)).toBeUndefined()
  })

  test('distinguishes similar models', () => {
    const models = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.4-pro', 'gpt-5.3-codex']
    const inputs = models.map((model) => finder.priceOf(model)?.input)
    expect(inputs).toEqual([2.5, 0.75, 0.2, 30, 1.75])
    expect(finder.priceOf('gpt-4o')?.input).toBe(2.5)
    expect(finder.priceOf('gpt-4o-2024-05-13')?.input).toBe(5)
  })

  test('uses the price of now without a time', () => {
    expect(finder.priceOf('o3')?.input).toBe(2)
    expect(finder.priceOf('o3', Date.parse('2025-06-01'))?.input).toBe(10)
  })

  test('prefers prices of the user', () => {
    const own = createPriceFinder({
      'gpt-5.5': {input: 1, output: 2},
      'openrouter/qwen/qwen3-coder': {input: 3, output: 4, cacheRead: 0.5},
      'Claude-House': {input: 2, output: 10},
      'mock-1': {input: 0, output: 0},
    })
    const rates = {input: 1, output: 2, cacheRead: 1, cacheWrite: 1, hourCacheWrite: 1}
    expect(own.priceOf('gpt-5.5')).toEqual(rates)
    expect(own.priceOf('openai/gpt-5-5-2026-04-23')).toEqual(rates)
    expect(own.priceOf('openrouter/qwen/qwen3-coder')).toEqual({
      input: 3,
      output: 4,
      cacheRead: 0.5,
      cacheWrite: 3,
      hourCacheWrite: 3,
    })
    expect(own.priceOf('qwen/qwen3-coder')).toEqual(finder.priceOf('qwen3-coder'))
    expect(own.priceOf('proxy/claude-house')).toEqual({
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      hourCacheWrite: 4,
    })
    expect(own.costOf(requestOf('mock-1'))).toBe(0)
  })
})

/** Models of the transcripts that neither source lists. */
const UNPRICED = ['kimi-k2.7', 'qwen3-tiny']

test('every model in the transcripts has a price or is known to have none', () => {
  const folder = fileURLToPath(new URL('../../../test/transcripts', import.meta.url))
  const models = readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .flatMap(({name}) => {
      const path = join(folder, name, 'truth', 'total.truth.json')
      const total: unknown = JSON.parse(readFileSync(path, 'utf8'))
      return Object.keys(objectAt(total, 'byModel'))
    })
  const unpriced = models.filter((model) => finder.priceOf(model) === undefined)
  expect(models.length).toBeGreaterThan(10)
  expect([...new Set(unpriced)].toSorted()).toEqual(UNPRICED)
})
