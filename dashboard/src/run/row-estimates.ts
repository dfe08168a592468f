import type {Entry, EntryId} from '../model/entry.ts'

const LINE = 20
const PADDING = 6
/** Characters per line of text. */
const WIDTH = 76
/** Height of the body of an open tool call. */
const BODY = 130

/**
 * Ids and estimated heights of the rows of a feed, by index. The virtualizer reads all of them whenever a row is
 * measured, so only new rows are estimated.
 */
export function createRowEstimates() {
  let known: readonly Entry[] = []
  const ids: EntryId[] = []
  const heights: number[] = []
  return {
    /** Takes the current rows. Rows in the same place as before keep their estimate. */
    update(rows: readonly Entry[], isOpen: (entry: Entry) => boolean): void {
      if (rows === known) return
      let same = 0
      while (same < known.length && known[same] === rows[same]) same++
      ids.length = same
      heights.length = same
      for (const entry of rows.slice(same)) {
        ids.push(entry.id)
        heights.push(estimateHeight(entry, isOpen(entry)))
      }
      known = rows
    },
    getId: (index: number): EntryId => ids[index] ?? '',
    getHeight: (index: number): number => heights[index] ?? LINE + PADDING,
  }
}

/** Estimates the height of a row until it is measured. */
function estimateHeight(entry: Entry, isOpen: boolean): number {
  switch (entry.type) {
    case 'text':
      if (entry.isThinking && !isOpen) return LINE + PADDING
      return Math.min(60, Math.ceil(entry.text.length / WIDTH) || 1) * LINE + PADDING
    case 'prompt':
      return Math.min(12, Math.ceil(entry.text.length / WIDTH)) * LINE + PADDING + 24
    case 'turn':
      return Math.min(40, Math.ceil(entry.text.length / WIDTH)) * LINE + 60
    case 'plan':
      return (entry.items.length + 1) * 22 + PADDING
    case 'tool':
      if (!isOpen || entry.tool === 'Task') return LINE + PADDING
      return LINE + PADDING + (entry.plan === undefined ? BODY : entry.plan.length * 22)
    default:
      return LINE + PADDING
  }
}
