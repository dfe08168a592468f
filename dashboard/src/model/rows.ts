import {isError, type Entry} from './entry.ts'

export type FeedFilter = 'all' | 'text' | 'tools' | 'changes' | 'errors' | 'waits'

/** How many entries each filter shows. */
export type FilterCounts = Record<Exclude<FeedFilter, 'all'>, number>

/** The rows of a feed, in order. A filtered feed is not collapsed. */
export function listRows(
  {top, entries}: {top: readonly Entry[]; entries: readonly Entry[]},
  {
    filter,
    isUnfolded,
    until = Number.POSITIVE_INFINITY,
  }: {
    filter: FeedFilter
    /** Whether the entries of a sub-agent are shown. */
    isUnfolded(entry: Entry): boolean
    until?: number | undefined
  },
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

/** Counts the entries of each filter at a moment. */
export function countEntries(entries: readonly Entry[], until: number): FilterCounts {
  const counts: FilterCounts = {text: 0, tools: 0, changes: 0, errors: 0, waits: 0}
  for (const entry of entries) if (entry.at <= until) countEntry(counts, entryAt(entry, until))
  return counts
}

/** Counts one more entry in its current state. */
export function countEntry(counts: FilterCounts, entry: Entry): void {
  for (const filter of COUNTED) if (isOf(entry, filter)) counts[filter]++
}

const COUNTED = ['text', 'tools', 'changes', 'errors', 'waits'] as const

function isOf(entry: Entry, filter: Exclude<FeedFilter, 'all'>): boolean {
  switch (filter) {
    case 'text':
      return entry.type === 'text' || entry.type === 'prompt' || entry.type === 'turn'
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

/** An entry at a moment: open if it ended later. */
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
