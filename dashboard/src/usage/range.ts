import {addDays, countDays, formatSpan, isDay, type Day, type DaySpan} from './days.ts'

/** The ranges with a key of their own, in days. */
export const PRESETS = [7, 30, 90] as const

/** A range of days that ends today, or one that the user chose. */
export interface Range extends DaySpan {
  preset: (typeof PRESETS)[number] | 'custom'
}

/** Fields of the query as text; empty when absent. */
export interface RangeFields {
  range: string
  since: string
  until: string
}

/** Parses the range in the URL; 30 days without one. */
export function parseRange({range, since, until}: RangeFields, today: Day): Range {
  if (isChoosable(since, today) && isChoosable(until, today) && since <= until) {
    return {from: since, to: until, preset: 'custom'}
  }
  const preset = PRESETS.find((days) => String(days) === range) ?? 30
  return {from: addDays(today, 1 - preset), to: today, preset}
}

/** The first day that can be chosen: half a typed year is a day of antiquity. */
export const FIRST_DAY: Day = '2020-01-01'

/** Whether a text is a day that can be chosen. */
export function isChoosable(text: string, today: Day): boolean {
  return isDay(text) && text >= FIRST_DAY && text <= today
}

/** The range of the same length before a range. */
export function toPrecedingSpan(span: DaySpan): DaySpan {
  return {from: addDays(span.from, -countDays(span)), to: addDays(span.from, -1)}
}

/** Colours follow the usage of these days, so that they stay when the range changes. */
const RECENT_DAYS = 90

/** The first of the days that decide about colours. */
export function toRecentStart(today: Day): Day {
  return addDays(today, 1 - RECENT_DAYS)
}

/** The days that the page needs besides the range: those before it, and those that decide about colours. */
export function toWideSpan(span: DaySpan, today: Day): DaySpan {
  const {from} = toPrecedingSpan(span)
  const recent = toRecentStart(today)
  return {from: from < recent ? from : recent, to: today}
}

/** Names a range for a heading: `30 days`, `1 Aug to 7 Aug`. */
export function nameRange(span: DaySpan, today: Day): string {
  const days = countDays(span)
  const isPreset = span.to === today && PRESETS.some((preset) => preset === days)
  return isPreset ? `${days} days` : formatSpan(span, today)
}
