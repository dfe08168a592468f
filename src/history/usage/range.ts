import {parseDay, startOfMonth, weekOf} from './days.ts'
import type {UsageGroup} from './report.ts'

/** A range of days, both included. */
export interface DayRange {
  since: number
  until: number
}

/** A number of days, weeks or months. */
export interface DaySpan {
  count: number
  unit: 'day' | 'week' | 'month'
}

const DAYS_AGO = /^(\d{1,5})d$/
const SPAN = /^([1-9]\d{0,3})([dw])?$/

/** Parses `2026-11-01`, `today`, `yesterday`, or `7d` for seven days ago; `undefined` for any other text. */
export function parseDate(text: string, today: number): number | undefined {
  if (text === 'today') return today
  if (text === 'yesterday') return today - 1
  const [, days] = DAYS_AGO.exec(text) ?? []
  return days === undefined ? parseDay(text) : today - Number(days)
}

/** Parses `30d` or `4w` as days, and `3` as days, weeks or months, depending on the group. */
export function parseSpan(text: string, group: UsageGroup): DaySpan | undefined {
  const [, count, unit] = SPAN.exec(text) ?? []
  if (count === undefined) return undefined
  if (unit === undefined) return {count: Number(count), unit: unitOf(group)}
  return {count: Number(count) * (unit === 'w' ? 7 : 1), unit: 'day'}
}

/** The span of a report without options. */
export function defaultSpan(group: UsageGroup): DaySpan {
  const unit = unitOf(group)
  return {unit, count: unit === 'day' ? 30 : 12}
}

/** The days of a span that ends with a day. Weeks and months are complete. */
export function rangeOf({count, unit}: DaySpan, until: number): DayRange {
  switch (unit) {
    case 'day':
      return {since: until - count + 1, until}
    case 'week':
      return {since: weekOf(until) - 7 * (count - 1), until}
    case 'month':
      return {since: startOfMonth(until, 1 - count), until}
    default:
      return unit satisfies never
  }
}

/** The number of days, weeks or months in a range. */
export function spanOf({since, until}: DayRange, group: UsageGroup): DaySpan {
  const unit = unitOf(group)
  if (unit === 'day') return {unit, count: until - since + 1}
  if (unit === 'week') return {unit, count: (weekOf(until) - weekOf(since)) / 7 + 1}
  let count = 1
  while (startOfMonth(until, -count) >= startOfMonth(since)) count++
  return {unit, count}
}

function unitOf(group: UsageGroup): DaySpan['unit'] {
  return group === 'week' || group === 'month' ? group : 'day'
}
