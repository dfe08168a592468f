import {dayOf} from '../shell/day.ts'
import {findFirstDay} from '../shell/sections.ts'

/** Formats when a run started: the time if its day has a heading, else the date: `13:40`, `20 Oct`, `20 Oct 2025`. */
export function formatStart(startedAt: number, now: number = Date.now()): string {
  const date = new Date(startedAt)
  if (dayOf(startedAt) >= findFirstDay(now)) {
    return date.toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})
  }
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  const month = date.toLocaleDateString('en', {month: 'short'})
  return `${date.getDate()} ${month}${isThisYear ? '' : ` ${date.getFullYear()}`}`
}
