import {describe, expect, test} from 'vitest'
import type {Sample} from '../model/run-model.ts'
import {pickTop, toContextLines, toCostLines, toTokenLines} from './spending-lines.ts'
import {thinSamples} from './thin-samples.ts'

function sample(at: number, more: Partial<Sample> = {}): Sample {
  return {
    at,
    costUsd: null,
    isEstimate: true,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    ...more,
  }
}

const range = {startedAt: 1000, edge: 4000}

describe('lines of a chart', () => {
  test('start at zero cost and extend to the edge', () => {
    const samples = [sample(2000, {costUsd: 0.1}), sample(3000, {costUsd: 0.4})]
    expect(toCostLines(samples, range)).toEqual({
      times: [0, 1000, 2000, 3000],
      lines: [[0, 0.1, 0.4, 0.4]],
    })
  })

  test('have a gap while the cost is unknown', () => {
    const samples = [sample(2000), sample(4000, {costUsd: 0.4})]
    expect(toCostLines(samples, range)).toEqual({times: [1000, 3000], lines: [[null, 0.4]]})
  })

  test('stack the kinds of tokens', () => {
    const samples = [sample(2000, {cacheRead: 100, cacheWrite: 10, input: 5, output: 1})]
    expect(toTokenLines(samples, range)).toEqual({
      times: [0, 1000, 3000],
      lines: [
        [0, 116, 116],
        [0, 115, 115],
        [0, 110, 110],
        [0, 100, 100],
      ],
    })
  })

  test('skip samples without a context size', () => {
    const samples = [sample(1500), sample(2000, {context: 9}), sample(3000)]
    expect(toContextLines(samples, range)).toEqual({times: [1000, 3000], lines: [[9, 9]]})
  })

  test('are empty without samples', () => {
    expect(toCostLines([], range)).toEqual({times: [], lines: []})
  })
})

describe('the top of an axis', () => {
  test('is a sufficient round value with a round half', () => {
    expect([0, 0.0042, 0.06, 0.061, 1, 1.48, 31, 99, 185_000_000].map(pickTop)).toEqual([
      1, 0.006, 0.06, 0.08, 1, 2, 40, 100, 200_000_000,
    ])
  })

  test('is at most twice the maximum value', () => {
    for (let value = 0.0003; value < 1e9; value *= 1.07) {
      const top = pickTop(value)
      expect(top).toBeGreaterThanOrEqual(value * (1 - 1e-9))
      expect(top).toBeLessThanOrEqual(value * 2 + 1e-9)
    }
  })
})

describe('thinned samples', () => {
  const many = Array.from({length: 5000}, (_, index) =>
    sample(index, {costUsd: index, context: index % 1000}),
  )

  test('are limited, in order, and include the last one', () => {
    const thin = thinSamples(many, {start: 0, end: 5000}, 600)
    expect(thin.length).toBeLessThanOrEqual(600)
    expect(thin.length).toBeGreaterThan(300)
    expect(thin.at(-1)).toBe(many.at(-1))
    expect(thin.every((one, index) => one.at > (thin[index - 1]?.at ?? -1))).toBe(true)
  })

  test('keep the peaks of the context size', () => {
    const thin = thinSamples(many, {start: 0, end: 5000}, 600)
    for (const at of [999, 1999, 2999, 3999]) {
      expect(thin.some((one) => one.at === at)).toBe(true)
    }
  })

  test('stay the same when more samples arrive', () => {
    const before = thinSamples(many.slice(0, 3000), {start: 0, end: 5000}, 600)
    const after = thinSamples(many, {start: 0, end: 5000}, 600)
    expect(after.slice(0, before.length - 2)).toEqual(before.slice(0, -2))
  })

  test('are limited also when all are outside the range', () => {
    expect(thinSamples(many, {start: 9000, end: 9001}, 600).length).toBeLessThanOrEqual(600)
  })

  test('are a copy of a short list', () => {
    const few = many.slice(0, 3)
    const thin = thinSamples(few, {start: 0, end: 10}, 600)
    expect(thin).toEqual(few)
    expect(thin).not.toBe(few)
  })
})
