import {expect, test} from 'vitest'
import {addDays, countDays, formatSpan, formatWeekday, isDay, shareOfMonth} from './days.ts'

test('counts days across the end of a month, a leap day and a change to summer time', () => {
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(countDays({from: '2026-03-28', to: '2026-03-30'})).toBe(3)
  expect(countDays({from: '2026-11-16', to: '2026-11-16'})).toBe(1)
})

test('accepts only days that exist', () => {
  expect(['2026-11-16', '2028-02-29'].every(isDay)).toBe(true)
  expect(['', '2026-02-30', '2026-1-1', '16.11.2026', '2026-13-01'].some(isDay)).toBe(false)
})

test('formats days and ranges', () => {
  expect(formatWeekday('2026-11-16')).toBe('Mon 16 Nov')
  expect(formatSpan({from: '2026-10-18', to: '2026-11-16'}, '2026-11-16')).toBe('18 Oct to today')
  expect(formatSpan({from: '2026-08-01', to: '2026-08-07'}, '2026-11-16')).toBe('1 Aug to 7 Aug')
  expect(formatSpan({from: '2025-12-01', to: '2026-01-07'}, '2026-11-16')).toBe(
    '1 Dec 2025 to 7 Jan 2026',
  )
  expect(formatSpan({from: '2026-11-16', to: '2026-11-16'}, '2026-11-16')).toBe('today')
})

test('reports the share of the month that has passed', () => {
  expect(shareOfMonth('2026-11-15')).toBe(0.5)
  expect(shareOfMonth('2026-02-28')).toBe(1)
})
