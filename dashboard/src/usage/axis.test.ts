import {expect, test} from 'vitest'
import {formatTick, makeAxis, pickLabels} from './axis.ts'

test.each([
  [33.1, [0, 10, 20, 30, 40]],
  [40, [0, 10, 20, 30, 40]],
  [0.07, [0, 0.02, 0.04, 0.06, 0.08]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
])('chooses round values up to %d', (max, ticks) => {
  const axis = makeAxis(max)
  expect(axis.ticks.map((tick) => Number(tick.toFixed(6)))).toEqual(ticks)
  expect(axis.top).toBeGreaterThanOrEqual(max)
})

test('has an axis without any usage', () => {
  expect(makeAxis(0).top).toBe(1)
  expect(makeAxis(Number.NaN).top).toBe(1)
})

test('formats round values without trailing zeros', () => {
  expect([0, 0.5, 20, 1000].map((value) => formatTick(value, 'spend'))).toEqual([
    '$0',
    '$0.50',
    '$20',
    '$1,000',
  ])
  expect([0, 500, 5e6, 2.5e6, 2e9].map((value) => formatTick(value, 'tokens'))).toEqual([
    '0',
    '500',
    '5M',
    '2.50M',
    '2B',
  ])
})

test('labels the last column, and others at a distance', () => {
  expect(pickLabels(7, 700, 72)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(pickLabels(30, 700, 72)).toEqual([1, 5, 9, 13, 17, 21, 25, 29])
  expect(pickLabels(1, 10, 72)).toEqual([0])
})
