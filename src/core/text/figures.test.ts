import {expect, test} from 'vitest'
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatElapsed,
  formatMoment,
  formatMoney,
  formatOffset,
  formatRemaining,
  formatShare,
  formatTokens,
  formatWhen,
} from './figures.ts'

test.each([
  [-5, '0ms'],
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
  [273_600_000, '3d 4h'],
])('formats a duration of %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('puts a space before every unit when asked to', () => {
  const times = [41, 3000, 24_000, 112_000, 7_500_000, 273_600_000]
  expect(times.map((ms) => formatDuration(ms, ' '))).toEqual([
    '41 ms',
    '3.0 s',
    '24 s',
    '1 m 52 s',
    '2 h 05 m',
    '3 d 4 h',
  ])
  expect(formatElapsed(112_000, ' ')).toBe('1 m 52 s')
  expect(formatRemaining(2_280_000, ' ')).toBe('38 m')
  expect(formatShare(0.94, ' ')).toBe('94 %')
})

test.each([
  [-1, '0s', '0s'],
  [Number.NaN, '0s', '0s'],
  [3999, '3s', '4s'],
  [59_999, '59s', '1m'],
  [112_500, '1m 52s', '2m'],
  [7_500_000, '2h 05m', '2h 05m'],
])('rounds %d ms down to %s when elapsed and up to %s when remaining', (ms, elapsed, remaining) => {
  expect([formatElapsed(ms), formatRemaining(ms)]).toEqual([elapsed, remaining])
})

test('formats a short moment in tenths of a second', () => {
  expect([12, 400, 9960].map((ms) => formatMoment(ms))).toEqual(['12ms', '0.4s', '10s'])
})

test('formats a position on a time axis', () => {
  expect([-1, 36_000, 760_000, 3_729_000].map(formatOffset)).toEqual([
    '0:00',
    '0:36',
    '12:40',
    '1:02:09',
  ])
})

test('formats money by its size', () => {
  expect([0, 0.0042, 1.519, 99.5, 139.4, 1234.5].map(formatMoney)).toEqual([
    '$0.00',
    '$0.0042',
    '$1.52',
    '$99.50',
    '$139',
    '$1,235',
  ])
})

test('formats counts with separators and the plural of the noun', () => {
  expect([1, 1204, 12_304].map((count) => formatCount(count, 'line'))).toEqual([
    '1 line',
    '1,204 lines',
    '12,304 lines',
  ])
})

test('formats tokens with at most three digits', () => {
  const counts = [842, 9800, 31_600, 96_000, 418_400, 1_640_000, 44_900_000, 635_000_000]
  expect(counts.map(formatTokens)).toEqual([
    '842',
    '9.8k',
    '31.6k',
    '96k',
    '418k',
    '1.64M',
    '44.9M',
    '635M',
  ])
})

test('formats bytes by their size', () => {
  expect([655, 1100, 9_600_000, 1_900_000_000].map(formatBytes)).toEqual([
    '655 B',
    '1.1 kB',
    '9.6 MB',
    '1.9 GB',
  ])
})

test('formats the time of day, and the date when it is not today', () => {
  const at = Date.UTC(2026, 10, 3, 5, 7)
  expect(formatClock(at)).toBe('05:07')
  expect(formatWhen(at, at + 1000)).toBe('05:07')
  expect(formatWhen(at, at + 86_400_000)).toBe('3 Nov 05:07')
  expect([formatClock(1e300), formatWhen(1e300)]).toEqual(['?', '?'])
})
