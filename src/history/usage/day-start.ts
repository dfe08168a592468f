import type {Calendar} from './calendar.ts'
import {DAY_MS, parseDay} from './days.ts'

/** The times from the start of the first day to the end of the last day; without a day, they are open. */
export function toTimes(
  {since, until}: {since?: string | undefined; until?: string | undefined},
  calendar: Calendar,
): {from?: number | undefined; to?: number | undefined} {
  const first = since === undefined ? undefined : parseDay(since)
  const last = until === undefined ? undefined : parseDay(until)
  return {
    from: first === undefined ? undefined : startOfDay(first, calendar),
    to: last === undefined ? undefined : startOfDay(last + 1, calendar),
  }
}

/** When a local day starts. The offset is that of the time itself, which the first guess may miss. */
function startOfDay(day: number, calendar: Calendar): number {
  const local = day * DAY_MS
  const guess = local - (calendar.toLocal(local) - local)
  return local - (calendar.toLocal(guess) - guess)
}
