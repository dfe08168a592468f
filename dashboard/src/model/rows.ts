import {isError, type Entry} from './entry.ts'

/** What of a feed is shown. */
export type FeedFilter = 'all' | 'text' | 'tools' | 'changes' | 'errors' | 'waits'

/** How many entries each filter shows. */
export type FilterCounts = Record<Exclude<FeedFilter, 'all'>, number>

/** What to show, and how. */
export interface RowOptions {
  filter: FeedFilter
  /** Whether what a sub-agent did is shown. */
  isUnfolded(entry: Entry): boolean
  /** Only what had happened by then. */
  until?: number | undefined
}

/** The rows of a feed, in order. Of a filter there are no folds. */
export function listRows(
  {top, entries}: {top: readonly Entry[]; entries: readonly Entry[]},
  {filter, isUnfolded, until = Number.POSITIVE_INFINITY}: RowOptions,
): Entry[] {
  const rows: Entry[] = []
  if (filter === 'all') addAll(top)
  else {
    for (const entry of entries) {
      if (entry.at <= until && isOf(entry, filter)) rows.push(entry)
    }
  }
  return rows

  function addAll(list: readonly Entry[]): void {
    for (const entry of list) {
      if (entry.at > until) continue
      rows.push(entry)
      if (entry.type === 'tool' && entry.children.length > 0 && isUnfolded(entry)) {
        addAll(entry.children)
      }
    }
  }
}

/** Counts what each filter would have shown at a moment. */
export function countEntries(entries: readonly Entry[], until: number): FilterCounts {
  const counts: FilterCounts = {text: 0, tools: 0, changes: 0, errors: 0, waits: 0}
  for (const entry of entries) if (entry.at <= until) countEntry(counts, entryAt(entry, until))
  return counts
}

/** Counts one more entry, as it is now. */
export function countEntry(counts: FilterCounts, entry: Entry): void {
  if (isOf(entry, 'text')) counts.text++
  if (isOf(entry, 'tools')) counts.tools++
  if (isOf(entry, 'changes')) counts.changes++
  if (isOf(entry, 'errors')) counts.errors++
  if (isOf(entry, 'waits')) counts.waits++
}

function isOf(entry: Entry, filter: Exclude<FeedFilter, 'all'>): boolean {
  switch (filter) {
    case 'text':
      return entry.type === 'speech' || entry.type === 'prompt' || entry.type === 'turn'
    case 'tools':
      return entry.type === 'tool'
    case 'changes':
      return entry.type === 'tool' && (entry.tool === 'Edit' || entry.tool === 'Write')
    case 'errors':
      return isError(entry)
    case 'waits':
      return entry.type === 'request' || (entry.type === 'notice' && entry.isWait)
    default:
      return filter satisfies never
  }
}

/** An entry as it was at a moment: what ended later had not ended. */
export function entryAt(entry: Entry, until: number | undefined): Entry {
  if (until === undefined || !('endAt' in entry)) return entry
  if (entry.endAt === undefined || entry.endAt <= until) return entry
  switch (entry.type) {
    case 'tool':
      return {
        ...entry,
        endAt: undefined,
        ok: undefined,
        output: '',
        error: undefined,
        exitCode: undefined,
      }
    case 'request':
      return {...entry, endAt: undefined, allow: undefined, who: undefined}
    case 'notice':
    case 'task':
      return {...entry, endAt: undefined}
    default:
      return entry
  }
}
