/** A day in the time zone of the viewer, such as `2026-11-16`. */
export type Day = string

/** The first and the last day of a range. */
export interface DaySpan {
  from: Day
  to: Day
}

const DAY_MS = 24 * 60 * 60 * 1000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The weekdays, Monday first. */
export const WEEKDAYS: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && toText(toUtc(text)) === text
}

/** The day a number of days later, or earlier when the number is negative. */
export function addDays(day: Day, count: number): Day {
  return toText(toUtc(day) + count * DAY_MS)
}

/** The number of days in a range. */
export function countDays({from, to}: DaySpan): number {
  return Math.round((toUtc(to) - toUtc(from)) / DAY_MS) + 1
}

/** Formats a day: `16 Nov`. */
export function formatDay(day: Day): string {
  const [, month = 1, date = 1] = day.split('-').map(Number)
  return `${date} ${MONTHS[month - 1] ?? ''}`
}

/** Formats a day with its weekday: `Mon 16 Nov`. */
export function formatWeekday(day: Day): string {
  const weekday = (new Date(toUtc(day)).getUTCDay() + 6) % 7
  return `${WEEKDAYS[weekday] ?? ''} ${formatDay(day)}`
}

/** Formats a range: `18 Oct to today`, `1 Aug to 7 Aug`, with years when one is not the current. */
export function formatSpan({from, to}: DaySpan, today: Day): string {
  const year = today.slice(0, 4)
  const isThisYear = from.startsWith(year) && to.startsWith(year)
  const format = (day: Day) =>
    isThisYear ? formatDay(day) : `${formatDay(day)} ${day.slice(0, 4)}`
  const end = to === today ? 'today' : format(to)
  return from === to ? end : `${format(from)} to ${end}`
}

/** The name of the month of a day: `November`. */
export function nameMonth(day: Day): string {
  return new Date(toUtc(day)).toLocaleDateString('en', {month: 'long', timeZone: 'UTC'})
}

/** The share of its month that has passed at the end of a day, from 0 to 1. */
export function shareOfMonth(day: Day): number {
  return Number(day.slice(8)) / countDaysOfMonth(day)
}

/** The number of days in the month of a day. */
export function countDaysOfMonth(day: Day): number {
  const [year = 1970, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function toUtc(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

function toText(at: number): Day {
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 10)
}
