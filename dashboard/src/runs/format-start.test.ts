import {expect, test} from 'vitest'
import {formatStart} from './format-start.ts'

test('formats the start as a time this week, else as a date', () => {
  const now = Date.UTC(2026, 10, 18, 14, 0)
  const format = (month: number, day: number, year = 2026) =>
    formatStart(Date.UTC(year, month, day, 9, 5), now)
  expect(format(10, 18)).toBe('09:05')
  expect(format(10, 16)).toBe('09:05')
  expect(format(10, 15)).toBe('15 Nov')
  expect(format(8, 5, 2025)).toBe('5 Sep 2025')
})
