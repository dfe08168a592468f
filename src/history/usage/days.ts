/** Days are numbers: days since 1970-01-01, which was a Thursday. */
export const DAY_MS = 86_400_000

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/** Formats a day: `2026-11-16`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Formats the month of a day: `2026-11`. */
export function formatMonth(day: number): string {
  return formatDay(day).slice(0, 7)
}

/** Parses `2026-11-16`; `undefined` if there is no such day. */
export function parseDay(text: string): number | undefined {
  if (!DATE.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  const day = Math.floor(at / DAY_MS)
  // February 30 is read as March 2.
  return Number.isNaN(at) || formatDay(day) !== text ? undefined : day
}

/** The weekday from 0 to 6, Monday first. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/** The Monday of the week of a day. */
export function weekOf(day: number): number {
  return day - weekdayOf(day)
}

/** The first day of a month, counted from that of the given day. */
export function startOfMonth(day: number, offset = 0): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / DAY_MS
}
