import type {HistoryDay} from '../hub/history-api.ts'
import {dayOf} from '../shell/day.ts'
import {LIVE} from '../shell/sections.ts'
import type {TableItem} from './table-items.ts'

/**
 * The key of the row of the last run that started on a day or earlier, also if it is not loaded; `undefined` without
 * such a row. Where a section starts with it, the key is that of the heading.
 */
export function findDateRow(
  items: readonly TableItem[],
  day: string,
  days: readonly HistoryDay[] = [],
): string | undefined {
  const start = items.findIndex(isEndedHeading)
  if (start === -1) return undefined
  const ended = items.slice(start)
  const runId = findRunOfDay(ended, day)
  const found = ended.find(({key}) => key === runId)
  const target = found ?? skipLater(ended, countLater(items.slice(0, start), day, days))
  const at = target === undefined ? -1 : ended.indexOf(target)
  const before = ended[at - 1]
  return (before?.type === 'section' ? before : target)?.key
}

/** The last loaded run that has ended and started on a day or earlier. */
export function findRunOfDay(items: readonly TableItem[], day: string): string | undefined {
  return items.find(
    (item) => item.type === 'run' && item.run.state === 'over' && dayOf(item.run.startedAt) <= day,
  )?.key
}

function isEndedHeading(item: TableItem): boolean {
  return item.type === 'section' && item.section.key !== LIVE
}

/** How many ended runs started later: the counts contain live ones. */
function countLater(live: readonly TableItem[], day: string, days: readonly HistoryDay[]): number {
  const all = days.reduce((sum, total) => sum + (total.day > day ? total.count : 0), 0)
  const isLater = (item: TableItem) => item.type === 'run' && dayOf(item.run.startedAt) > day
  return all - live.filter(isLater).length
}

/** The row after some others. */
function skipLater(ended: readonly TableItem[], count: number): TableItem | undefined {
  const rows = ended.filter(({type}) => type !== 'section')
  return rows[Math.min(Math.max(count, 0), rows.length - 1)]
}
