import {escapeControls, segmentText} from '../core/text/text.ts'
import type {Colors} from './colors.ts'
import type {Symbols} from './symbols.ts'
import {textWidth} from './text-width.ts'

/** Text that goes to the right edge of a line. */
export interface Fact {
  text: string
  color: (text: string) => string
}

/** A line before it is fitted: only the body is ever cut. */
export interface Line {
  /** What stands before the body, with its colours. */
  head: string
  body: string
  /** Closes the body, such as a quote; it stays when the body is cut. */
  tail?: string | undefined
  facts?: Fact[]
}

/** Where a line must end, and what shows that something was cut. */
export interface Fit {
  /** Columns; without it nothing is cut or aligned. */
  width?: number | undefined
  more: string
}

/** Under so many columns only the last fact stays. */
export const NARROW = 80
const DURATION_WIDTH = 6

/** Lays out a line: the body cut to what is left, the facts flush right after at least two spaces. */
export function layOut({head, body, tail = '', facts = []}: Line, {width, more}: Fit): string {
  if (width === undefined) return joinPlain(head, body + tail, facts)
  const shown = width < NARROW ? facts.slice(-1) : facts
  const right = shown
    .map(({text, color}, index) => {
      const isLast = index === shown.length - 1
      const padding =
        isLast && width >= NARROW ? ' '.repeat(Math.max(0, DURATION_WIDTH - textWidth(text))) : ''
      return padding + color(text)
    })
    .join('  ')
  const rightWidth = shown.length === 0 ? 0 : textWidth(right)
  const free = width - textWidth(head)
  const room = free - (rightWidth === 0 ? 0 : rightWidth + 2)
  const cut = cutToWidth(body, Math.max(room - textWidth(tail), 1), more) + tail
  if (rightWidth === 0) return head + cut
  const gap = Math.max(2, free - textWidth(cut) - rightWidth)
  return `${head}${cut}${' '.repeat(gap)}${right}`
}

function joinPlain(head: string, body: string, facts: Fact[]): string {
  const right = facts.map(({text, color}) => color(text)).join('  ')
  return right === '' ? head + body : `${head}${body}  ${right}`
}

/** Cuts text to a number of columns, the last of them being the sign that it was cut. */
export function cutToWidth(text: string, width: number, more: string): string {
  // A line has no more columns than this has characters, whatever comes after it.
  const start = text.length > width * 16 ? text.slice(0, width * 16) : text
  if (start === text && textWidth(text) <= width) return text
  const room = width - textWidth(more)
  if (room < 0) return more.slice(0, Math.max(0, width))
  // The character after them could belong to the last of them.
  if (isPlain(start.slice(0, room + 1))) return start.slice(0, room) + more
  let used = 0
  let kept = ''
  for (const {segment} of segmentText(start)) {
    used += textWidth(segment)
    if (used > room) break
    kept += segment
  }
  return kept + more
}

/** Whether each of its characters is one that takes a column. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** How a line is shown. */
export interface LineStyle {
  colors: Colors
  symbols: Symbols
  /** Columns; without it, as for a file or a pipe, nothing is cut. */
  width?: number | undefined
}

/** How lines are shown on a screen that they must fit. */
export interface ScreenStyle extends LineStyle {
  width: number
  /** Whether `colors` has any: without, words take their place. */
  hasColor: boolean
}

/** A part of a line that has a colour of its own, or none. */
export interface Segment {
  text: string
  color?: ((text: string) => string) | undefined
}

/** A line of pieces, cut where it is full. */
export function joinSegments(
  pieces: readonly Segment[],
  width: number | undefined,
  more: string,
): string {
  const isWhole = width === undefined || widthOf(pieces) <= width
  let room = isWhole ? Infinity : width - textWidth(more)
  let line = ''
  for (const {text, color = asIs} of pieces) {
    const used = textWidth(text)
    if (used > room) {
      const cut = cutToWidth(text, room + textWidth(more), more)
      return line + color(cut)
    }
    room -= used
    if (text !== '') line += color(text)
  }
  return line
}

const asIs = (text: string) => text

/** The columns that pieces take. */
export function widthOf(pieces: readonly Segment[]): number {
  return textWidth(pieces.map(({text}) => text).join(''))
}

/** A line with one side flush left and one flush right. Both must fit, with two columns between them. */
export function joinSides(
  left: readonly Segment[],
  right: readonly Segment[],
  style: ScreenStyle,
): string {
  const {width, symbols} = style
  const rightWidth = widthOf(right)
  if (rightWidth === 0) return joinSegments(left, width, symbols.more)
  const gap = Math.max(0, width - widthOf(left) - rightWidth)
  return joinSegments([...left, {text: ' '.repeat(gap)}, ...right], width, symbols.more)
}

/** The line between what was and what is. */
export function formatRule({colors, symbols, width}: ScreenStyle): string {
  return colors.frame(symbols.rule.repeat(Math.max(0, width)))
}

/** Text of an agent in rows of so many columns, harmless, and broken anywhere, so that nothing is lost or added. */
export function wrapAnywhere(text: string, width: number, most: number): Wrapped {
  const room = Math.max(1, width)
  // No more than this can be seen, whatever comes after it.
  const seen = text.slice(0, room * most * 16)
  const start = escapeControls(seen)
  const unseen = text.length - seen.length + start.length
  const rows: string[] = []
  let row = ''
  let used = 0
  let taken = 0
  for (const {segment} of segmentText(start)) {
    const columns = textWidth(segment)
    if (used + columns > room && row !== '') {
      rows.push(row)
      if (rows.length === most) return {rows, rest: unseen - taken}
      row = ''
      used = 0
    }
    // One character can be wider than all the room there is.
    row += columns > room ? '?' : segment
    used += Math.min(columns, room)
    taken += segment.length
  }
  return {rows: [...rows, row], rest: unseen - taken}
}

/** Rows of a text, and how many characters did not fit into them. */
export interface Wrapped {
  rows: string[]
  rest: number
}

/** Prose in rows of so many columns, broken between words. */
export function wrapWords(text: string, width: number, most: number, more: string): string[] {
  const rows: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const joined = rows.length === 0 ? word : `${rows.at(-1)} ${word}`
    if (rows.length > 0 && textWidth(joined) <= width) rows[rows.length - 1] = joined
    else if (rows.length === 0 || rows.length < most) rows.push(cutToWidth(word, width, more))
    else return [...rows.slice(0, -1), cutToWidth(`${joined} ${more}`, width, more)]
  }
  return rows
}
