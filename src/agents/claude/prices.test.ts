import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {isRecord, numberAt, objectAt} from '../../core/wire/json.ts'
import {estimateCost, hasPrice} from './prices.ts'

const folder = new URL('fixtures/', import.meta.url)

/** The usage and cost of models in all recordings, without duplicates. */
const reported = new Set(
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n'))
    .filter((line) => line.includes('"modelUsage":{"'))
    .flatMap((line) => Object.entries(objectAt(JSON.parse(line), 'modelUsage')))
    .map((entry) => JSON.stringify(entry)),
)

test.each([...reported])('the price list agrees with %s', (entry) => {
  const [model, use] = JSON.parse(entry) as [string, unknown]
  if (!isRecord(use)) throw new Error('no usage')
  const tokens = {
    input: numberAt(use, 'inputTokens') ?? 0,
    output: numberAt(use, 'outputTokens') ?? 0,
    cacheRead: numberAt(use, 'cacheReadInputTokens') ?? 0,
    cacheWrite: numberAt(use, 'cacheCreationInputTokens') ?? 0,
  }
  const hourWrites = numberAt(use, 'cacheCreationEphemeral1hInputTokens')
  expect(estimateCost(model, tokens, hourWrites)).toBeCloseTo(numberAt(use, 'costUSD') ?? -1, 9)
})

const million = {input: 1e6, output: 0, cacheRead: 0, cacheWrite: 0}

test.each([
  ['claude-opus-5-5', 4],
  ['claude-opus-5', 5],
  ['claude-opus-4-8[1m]', 5],
  ['claude-opus-4-1-20250805', 15],
  ['claude-opus-4-20250514', 15],
  ['us.anthropic.claude-opus-4-5-20251101-v1:0', 5],
  ['claude-sonnet-4-5@20250929', 3],
  ['claude-3-5-haiku-20241022', 0.8],
  ['claude-opus-9', 4],
  ['claude-haiku-5-5', 0.5],
  ['claude-unheard-of', 4],
  ['opus-of-somebody-else', 4],
  ['glm-4.6', 4],
])('a million tokens of %s cost $%s', (model, costUsd) => {
  expect(estimateCost(model, million)).toBe(costUsd)
})

test('a model that is not listed has no known price', () => {
  expect(
    ['claude-opus-5-5', 'claude-opus-9', 'claude-unheard-of', 'glm-4.6'].map(hasPrice),
  ).toEqual([true, true, false, false])
})

test('a long prompt and a cache write for an hour cost more', () => {
  const short = {input: 1000, output: 0, cacheRead: 0, cacheWrite: 0}
  expect(estimateCost('claude-haiku-5-5', short)).toBeCloseTo(0.0001, 12)
  const written = {input: 0, output: 0, cacheRead: 0, cacheWrite: 1e6}
  expect(estimateCost('claude-opus-5-5', written)).toBe(5)
  expect(estimateCost('claude-opus-5-5', written, 1e6)).toBe(8)
})
