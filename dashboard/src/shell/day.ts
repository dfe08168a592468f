/** The local day of a moment in sortable form: `2026-11-16`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** The day some days before a moment. */
export function dayBefore(now: number, days: number): string {
  const date = new Date(now)
  // At noon, so that a change of the clock does not matter.
  date.setHours(12)
  date.setDate(date.getDate() - days)
  return dayOf(date.getTime())
}

/** The time zone of the viewer. */
export function readTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
