import {expect, test} from 'vitest'
import {formatClock, formatCount, formatDuration, formatMoney} from './figures.ts'

test.each([
  [0, '0ms'],
  [41.4, '41ms'],
  [999, '999ms'],
  [999.6, '1.0s'],
  [3000, '3.0s'],
  [9949, '9.9s'],
  [9960, '10s'],
  [24_000, '24s'],
  [59_600, '1m 00s'],
  [112_000, '1m 52s'],
  [61_000, '1m 01s'],
  [3_599_600, '1h 00m'],
  [7_500_000, '2h 05m'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('money, counts and times', () => {
  expect(formatMoney(1.519)).toBe('$1.52')
  expect([formatCount(1, 'line'), formatCount(12_304, 'record')]).toEqual([
    '1 line',
    '12,304 records',
  ])
  expect(formatClock(Date.UTC(2026, 0, 1, 5, 7))).toBe('05:07')
})
