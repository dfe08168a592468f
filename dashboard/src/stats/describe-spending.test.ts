import {describe, expect, test} from 'vitest'
import type {NoticeEntry} from '../model/entry.ts'
import type {Sample} from '../model/run-model.ts'
import {
  describeCompactions,
  describeContext,
  describeCost,
  describeTokens,
  shareOfCache,
} from './describe-spending.ts'
import {listCompactions} from './list-compactions.ts'
import {listModelCosts} from './model-costs.ts'

function sample(seconds: number, costUsd: number | null, context?: number): Sample {
  const none = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
  return {at: seconds * 1000, costUsd, isEstimate: true, ...none, context}
}

function notice(at: number, more: Partial<NoticeEntry>): NoticeEntry {
  return {
    type: 'notice',
    id: String(at),
    at,
    line: 1,
    lastLine: 1,
    depth: 0,
    kind: 'compacted',
    text: '',
    isWait: false,
    ...more,
  }
}

describe('charts in words', () => {
  const samples = [sample(10, null), sample(60, 0.5, 12_000), sample(700, 1.48, 161_000)]

  test('state the total cost and when half of it was reached', () => {
    expect(describeCost(samples, 0)).toBe('Cost over time: ≈ $1.48 at 11:40, half of it by 11:40')
    expect(describeCost([sample(1, null)], 0)).toBe('Cost over time: unknown')
    expect(describeCost([sample(1, 0)], 0)).toBe('Cost over time: ≈ $0.00 at 0:01')
  })

  test('state the context usage', () => {
    expect(describeContext([...samples, sample(800, 1.5, 31_000)], 0, [655_000])).toBe(
      'Context over time: 12k at first; 161k at most, at 11:40; 31k at last; compacted at 10:55',
    )
    expect(describeContext([], 0, [])).toBe('Context over time: unknown')
  })

  test('state the number of compactions', () => {
    expect(describeCompactions([], 0)).toBe('')
    expect(describeCompactions([1000, 62_000], 0)).toBe('compacted 2 times, last at 1:02')
  })

  test('state the tokens of each kind', () => {
    const tokens = {input: 9800, output: 31_600, cacheRead: 1_640_000, cacheWrite: 96_000}
    expect(describeTokens(tokens)).toBe(
      'Tokens over time: 1.78M at last; 1.64M read from a cache, 96k written to it, 9.8k other input, 31.6k output',
    )
    expect(shareOfCache(tokens)).toBeCloseTo(0.939, 3)
    expect(shareOfCache({input: 0, output: 5, cacheRead: 0, cacheWrite: 0})).toBe(undefined)
  })
})

describe('compactions', () => {
  const compacting = {kind: 'compacting', isWait: true} as const

  test('are counted once, when they complete', () => {
    expect(listCompactions([notice(10, {...compacting, endAt: 20}), notice(20, {})])).toEqual([20])
    expect(listCompactions([notice(10, {...compacting, endAt: 20})])).toEqual([20])
    expect(listCompactions([notice(10, compacting)])).toEqual([])
  })

  test('exclude failed and later ones', () => {
    const failed = notice(20, {kind: 'warning'})
    expect(listCompactions([notice(10, {...compacting, endAt: 20}), failed])).toEqual([])
    expect(listCompactions([notice(10, {}), notice(30, {})], 20)).toEqual([10])
    expect(listCompactions([notice(10, {...compacting, endAt: 30})], 20)).toEqual([])
  })
})

describe('costs of models', () => {
  const tokens = {input: 1, output: 2, cacheRead: 3, cacheWrite: 4}
  const sum = {costUsd: 1, isEstimate: true}

  test('are listed for several models or a known cost', () => {
    expect(listModelCosts({models: {}}, sum)).toEqual([])
    expect(listModelCosts({models: {opus: {tokens}}}, sum)).toEqual([])
    expect(listModelCosts({models: {opus: {tokens}, haiku: {tokens}}}, sum)).toHaveLength(2)
    expect(listModelCosts({models: {opus: {tokens, costUsd: 1}}}, sum)).toEqual([
      {model: 'opus', tokens: 10, costUsd: 1, isEstimate: false},
    ])
  })

  test('include the cost without a model, in descending order', () => {
    const models = {haiku: {tokens, costUsd: 0.1}, opus: {tokens, costUsd: 0.6}}
    const costs = listModelCosts({models}, sum)
    expect(costs.map(({model}) => model)).toEqual(['opus', 'haiku', undefined])
    expect(costs[2]?.costUsd).toBeCloseTo(0.3)
    expect(costs[2]?.isEstimate).toBe(true)
  })
})
