import {describe, expect, test} from 'vitest'
import {createCalendar, isTimezone} from './calendar.ts'
import {formatDay, parseDay, startOfMonth, weekdayOf, weekOf} from './days.ts'

const HOUR_MS = 3_600_000

function localTime(calendar: ReturnType<typeof createCalendar>, at: number): string {
  return `${formatDay(calendar.dayOf(at))} ${calendar.clockOf(at)}`
}

describe('local time', () => {
  test.each([
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/St_Johns',
    'Pacific/Apia',
    'UTC',
  ])('is that of %s on every half hour of two years', (timezone) => {
    const calendar = createCalendar(timezone)
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    const start = Date.UTC(2025, 0, 1)
    const times = Array.from({length: 2 * 365 * 48}, (_, index) => start + (index * HOUR_MS) / 2)
    const wrong = times.filter((at) => localTime(calendar, at) !== format.format(at))
    expect(wrong.map((at) => new Date(at).toISOString())).toEqual([])
  })

  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59.999Z', '2026-03-29 01:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29 03:00'],
    ['Europe/Berlin', '2026-10-25T00:59:59.999Z', '2026-10-25 02:59'],
    ['Europe/Berlin', '2026-10-25T01:00:00.000Z', '2026-10-25 02:00'],
    ['America/New_York', '2026-11-01T05:59:59.999Z', '2026-11-01 01:59'],
    ['America/New_York', '2026-11-01T06:00:00.000Z', '2026-11-01 01:00'],
    ['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-01 23:59'],
    ['America/New_York', '2026-11-02T05:00:00.000Z', '2026-11-02 00:00'],
    ['Asia/Kolkata', '2026-11-15T18:29:59.999Z', '2026-11-15 23:59'],
    ['Asia/Kolkata', '2026-11-15T18:30:00.000Z', '2026-11-16 00:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59.999Z', '2026-04-05 01:59'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00.000Z', '2026-04-05 01:30'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', '2026-10-04 02:30'],
  ])('in %s at %s is %s', (timezone, at, expected) => {
    expect(localTime(createCalendar(timezone), Date.parse(at))).toBe(expected)
  })

  test.each([NaN, -1, -Infinity, Infinity, 1e20])('is a date for the damaged time %s', (at) => {
    const calendar = createCalendar('America/New_York')
    expect(formatDay(calendar.dayOf(at))).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(calendar.hourOf(at)).toBeGreaterThanOrEqual(0)
  })
})

test('detects unknown time zones', () => {
  expect(isTimezone('Europe/Berlin')).toBe(true)
  expect(isTimezone('Mars/Olympus')).toBe(false)
})

test('parses only days that exist', () => {
  expect(formatDay(parseDay('2028-02-29') ?? 0)).toBe('2028-02-29')
  for (const text of ['2026-02-29', '2026-11-31', '2026-1-1', '20261101', 'today', '']) {
    expect(parseDay(text)).toBe(undefined)
  }
})

test('weeks begin on Monday', () => {
  const monday = parseDay('2026-11-16') ?? 0
  expect(weekdayOf(monday)).toBe(0)
  expect(formatDay(weekOf(monday + 6))).toBe('2026-11-16')
  expect(formatDay(weekOf(monday - 1))).toBe('2026-11-09')
})

test('months are counted across years', () => {
  const day = parseDay('2026-01-31') ?? 0
  expect(formatDay(startOfMonth(day))).toBe('2026-01-01')
  expect(formatDay(startOfMonth(day, -1))).toBe('2025-12-01')
  expect(formatDay(startOfMonth(day, 1))).toBe('2026-02-01')
})
