import type {Entry, EntryId} from '../model/entry.ts'
import {estimateHeight} from './estimate-height.ts'

/** Ids and estimated heights of the rows of a feed, by index. */
export interface RowEstimates {
  /** Takes the current rows. Rows in the same place as before keep their estimate. */
  update(rows: readonly Entry[], isOpen: (entry: Entry) => boolean): void
  getId(index: number): EntryId
  getHeight(index: number): number
}

/** Height of a row of one line. */
const LINE_HEIGHT = 26

/** Creates the estimates of a feed. The virtualizer reads all of them whenever a row is measured, so only new rows are estimated. */
export function createRowEstimates(): RowEstimates {
  let known: readonly Entry[] = []
  const ids: EntryId[] = []
  const heights: number[] = []
  return {
    update(rows, isOpen) {
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
    getId: (index) => ids[index] ?? '',
    getHeight: (index) => heights[index] ?? LINE_HEIGHT,
  }
}
