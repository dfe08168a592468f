import {MARK_END, MARK_START} from './search-store.ts'

/** A part of a text on one line, with the start and end of each match in it. */
export interface Snippet {
  text: string
  marks: [start: number, end: number][]
}

const BEFORE = 40
const LENGTH = 160

/** Cuts a marked text around its first match. */
export function cutSnippet(marked: string): Snippet {
  const line = marked.replaceAll(/\s+/g, ' ')
  const first = Math.max(0, line.indexOf(MARK_START))
  const start = first <= BEFORE ? 0 : startOfWord(line, first - BEFORE)
  let text = start > 0 ? '…' : ''
  const marks: Snippet['marks'] = []
  let open: number | undefined
  for (const character of line.slice(start)) {
    if (character === MARK_START) open = text.length
    else if (character === MARK_END) close()
    else if (text.length < LENGTH) text += character
    else {
      close()
      return {text: `${text}…`, marks}
    }
  }
  return {text, marks}

  function close(): void {
    if (open !== undefined && open < text.length) marks.push([open, text.length])
    open = undefined
  }
}

/** The start of the next word, if it is near. */
function startOfWord(line: string, at: number): number {
  const space = line.indexOf(' ', at)
  if (space !== -1 && space <= at + BEFORE / 2) return space + 1
  return isLowSurrogate(line, at) ? at + 1 : at
}

function isLowSurrogate(line: string, at: number): boolean {
  const unit = line.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
