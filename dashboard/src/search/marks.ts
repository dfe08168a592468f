import {escapeControls} from '../../../src/core/text/text.ts'

/** A part of a text that is marked, or not. */
export interface MarkedPart {
  /** Where it starts in the text. */
  start: number
  /** With control characters escaped. */
  words: string
  isMarked: boolean
}

/** Splits a text at its marks; marks outside of it or over each other are cut. */
export function splitMarks(
  text: string,
  marks: readonly (readonly [start: number, end: number])[],
): MarkedPart[] {
  const parts: MarkedPart[] = []
  let at = 0
  const add = (end: number, isMarked: boolean) => {
    if (end > at) parts.push({start: at, words: escapeControls(text.slice(at, end)), isMarked})
    at = Math.max(at, end)
  }
  for (const [start, end] of marks.toSorted(([one], [other]) => one - other)) {
    add(Math.min(Math.max(start, at), text.length), false)
    add(Math.min(end, text.length), true)
  }
  add(text.length, false)
  return parts
}
