import {expect, test} from 'vitest'
import {formatDay, parseDay} from './days.ts'
import {defaultSpan, parseDate, parseSpan, rangeOf, spanOf} from './range.ts'
import type {UsageGroup} from './report.ts'

const TODAY = parseDay('2026-11-16') ?? 0

test.each([
  ['2026-11-01', '2026-11-01'],
  ['today', '2026-11-16'],
  ['yesterday', '2026-11-15'],
  ['7d', '2026-11-09'],
  ['0d', '2026-11-16'],
])('%s is the day %s', (text, day) => {
  expect(formatDay(parseDate(text, TODAY) ?? 0)).toBe(day)
})

test.each(['', 'tomorrow', '2026-13-01', '7', '-7d', '7 d', '2026-11-01T00:00'])(
  '%j is not a day',
  (text) => {
    expect(parseDate(text, TODAY)).toBe(undefined)
  },
)

test.each<[string, UsageGroup, string]>([
  ['7', 'day', '2026-11-10'],
  ['7', 'model', '2026-11-10'],
  ['7', 'block', '2026-11-10'],
  ['2', 'week', '2026-11-09'],
  ['3', 'month', '2026-09-01'],
  ['12', 'month', '2025-12-01'],
  ['2w', 'day', '2026-11-03'],
  ['10d', 'month', '2026-11-07'],
])('the last %s of a report by %s begin on %s', (text, group, since) => {
  const span = parseSpan(text, group)
  expect(span && formatDay(rangeOf(span, TODAY).since)).toBe(since)
})

test.each(['', '0', '-1', '1.5', '7x', 'many'])('%j is not a number of days', (text) => {
  expect(parseSpan(text, 'day')).toBe(undefined)
})

test('a report has 30 days, 12 weeks or 12 months by default', () => {
  for (const group of ['day', 'model', 'week', 'month'] as const) {
    const span = defaultSpan(group)
    expect(spanOf(rangeOf(span, TODAY), group)).toEqual(span)
  }
  expect(defaultSpan('model')).toEqual({count: 30, unit: 'day'})
})
