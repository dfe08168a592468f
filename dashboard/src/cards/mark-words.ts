import {diffWordsWithSpace} from 'diff'

/** A part of a line, and whether it changed. */
export interface WordMark {
  text: string
  isMarked: boolean
}

/** Longer lines are shown without marks. */
export const MOST_MARKED = 500

const MOST_CHANGES = 120
const LEAST_SAME = 0.3

/** The changed words of both versions of a line; undefined when they have too little in common. */
export function markWords(before: string, after: string): [WordMark[], WordMark[]] | undefined {
  if (Math.max(before.length, after.length) > MOST_MARKED) return undefined
  const parts = diffWordsWithSpace(before, after, {maxEditLength: MOST_CHANGES})
  if (parts === undefined) return undefined
  const old: WordMark[] = []
  const now: WordMark[] = []
  let same = 0
  for (const {value, added, removed} of parts) {
    if (!added) old.push({text: value, isMarked: removed})
    if (!removed) now.push({text: value, isMarked: added})
    if (!added && !removed) same += value.trim().length
  }
  const longer = Math.max(before.trim().length, after.trim().length)
  return same >= longer * LEAST_SAME ? [old, now] : undefined
}
