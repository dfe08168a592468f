import {DAY_MS} from './days.ts'

/** The local time of a time zone. */
export interface Calendar {
  /** Local time, as if it were UTC. */
  toLocal(at: number): number
  /** The local day, as a number of days since 1970. */
  dayOf(at: number): number
  /** The hour of the local day. */
  hourOf(at: number): number
  /** The local time of day: `15:06`. */
  clockOf(at: number): string
}

/** A span with at most one change of the offset. */
interface Span {
  start: number
  /** Exclusive. */
  end: number
  offset: number
  /** When the offset changes; the end if it does not. */
  changesAt: number
  nextOffset: number
}

const HOUR_MS = 3_600_000
const SPAN_MS = 7 * DAY_MS
/** The last year with four digits. */
const MAX_TIME = Date.UTC(9999, 11, 30)

/** The time zone of this machine. */
export function localTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

/** Limits a time to the years from 1970 to 9999: in damaged records it can have any value. */
export function clampTime(at: number): number {
  return at > 0 ? Math.min(at, MAX_TIME) : 0
}

/** Whether a time zone is known. */
export function isTimezone(name: string): boolean {
  try {
    createClock(name)
    return true
  } catch {
    return false
  }
}

/**
 * Creates the calendar of a time zone, by default that of this machine. It looks up the offset once a week and at its changes, because looking it up for
 * each request takes longer than everything else.
 */
export function createCalendar(timezone?: string): Calendar {
  const readOffset = timezone === undefined ? readLocalOffset : createOffsetReader(timezone)
  const spans = new Map<number, Span>()
  let last: Span | undefined

  return {toLocal, dayOf: (at) => Math.floor(toLocal(at) / DAY_MS), hourOf, clockOf}

  function toLocal(at: number): number {
    const time = clampTime(at)
    if (last === undefined || time < last.start || time >= last.end) last = spanAt(time)
    return time + (time < last.changesAt ? last.offset : last.nextOffset)
  }

  function hourOf(at: number): number {
    const hour = Math.floor(toLocal(at) / HOUR_MS) % 24
    return hour < 0 ? hour + 24 : hour
  }

  function clockOf(at: number): string {
    return new Date(toLocal(at)).toISOString().slice(11, 16)
  }

  function spanAt(time: number): Span {
    const index = Math.floor(time / SPAN_MS)
    const span = spans.get(index) ?? findChange(index * SPAN_MS, readOffset)
    spans.set(index, span)
    return span
  }
}

function findChange(start: number, readOffset: (at: number) => number): Span {
  const end = start + SPAN_MS
  const offset = readOffset(start)
  const nextOffset = readOffset(end)
  let changesAt = end
  if (offset !== nextOffset) {
    let before = start
    while (changesAt - before > 1000) {
      const middle = Math.floor((before + changesAt) / 2000) * 1000
      if (readOffset(middle) === offset) before = middle
      else changesAt = middle
    }
  }
  return {start, end, offset, changesAt, nextOffset}
}

/** Loading `Intl`, also for the name of the local time zone, takes 10 ms. */
function readLocalOffset(at: number): number {
  return -60_000 * new Date(at).getTimezoneOffset()
}

/** Creates the function that reads the difference of local time from UTC in milliseconds. */
function createOffsetReader(timezone: string): (at: number) => number {
  const clock = createClock(timezone)
  return (at) => {
    const time = Math.floor(at / 1000) * 1000
    const fields = new Map(clock.formatToParts(time).map(({type, value}) => [type, Number(value)]))
    const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0
    const [year, month, day] = [field('year'), field('month'), field('day')]
    return Date.UTC(year, month - 1, day, field('hour'), field('minute'), field('second')) - time
  }
}

function createClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}
