import {escapeControls, segmentText} from '../core/text/text.ts'
import type {Colors} from './colors.ts'
import type {Symbols} from './symbols.ts'
import {textWidth} from './text-width.ts'

/** Text at the right edge of a line. */
export interface Fact {
  text: string
  color: (text: string) => string
}

/** A line before it is fitted. Only the body is cut. */
export interface Line {
  /** The text before the body, with colours. */
  head: string
  body: string
  /** Closes the body, such as a quote; it stays when the body is cut. */
  tail?: string | undefined
  facts?: Fact[]
}

/** Under this number of columns only the last fact is shown. */
export const NARROW_WIDTH = 80
const DURATION_WIDTH = 6

/** Lays out a line: the body is cut, the facts are flush right after at least two spaces. */
export function layOutLine(line: Line, {width, symbols}: LineStyle): string {
  const {head, body, tail = '', facts = []} = line
  if (width === undefined) return joinPlain(head, body + tail, facts)
  const shown = width < NARROW_WIDTH ? facts.slice(-1) : facts
  const right = shown
    .map(({text, color}, index) => {
      const isLast = index === shown.length - 1
      const padding =
        isLast && width >= NARROW_WIDTH
          ? ' '.repeat(Math.max(0, DURATION_WIDTH - textWidth(text)))
          : ''
      return padding + color(text)
    })
    .join('  ')
  const rightWidth = shown.length === 0 ? 0 : textWidth(right)
  const free = width - textWidth(head)
  const room = free - (rightWidth === 0 ? 0 : rightWidth + 2)
  const cut = cutToWidth(body, Math.max(room - textWidth(tail), 1), symbols.more) + tail
  if (rightWidth === 0) return head + cut
  const gap = Math.max(2, free - textWidth(cut) - rightWidth)
  return `${head}${cut}${' '.repeat(gap)}${right}`
}

function joinPlain(head: string, body: string, facts: Fact[]): string {
  const right = facts.map(({text, color}) => color(text)).join('  ')
  return right === '' ? head + body : `${head}${body}  ${right}`
}

/** Cuts text to a number of columns, the last of which is the sign for a cut. */
export function cutToWidth(text: string, width: number, more: string): string {
  // Bounds the time for long text: more characters cannot be visible.
  const start = text.length > width * 16 ? text.slice(0, width * 16) : text
  if (start === text && textWidth(text) <= width) return text
  const room = width - textWidth(more)
  if (room < 0) return more.slice(0, Math.max(0, width))
  // The next character may combine with the last one.
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

/** Whether each character takes one column. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** How a line is shown. */
export interface LineStyle {
  colors: Colors
  symbols: Symbols
  /** Columns; absent for a file or a pipe, where lines are not cut. */
  width?: number | undefined
}

/** How lines are shown on a screen with a width. */
export interface ScreenStyle extends LineStyle {
  width: number
  /** Whether `colors` has colours; otherwise words replace them. */
  hasColor: boolean
}

/** A part of a line, with or without a colour. */
export interface Segment {
  text: string
  color?: ((text: string) => string) | undefined
}

/** Joins segments to a line and cuts it to the width. */
export function joinSegments(
  segments: readonly Segment[],
  width: number | undefined,
  more: string,
): string {
  const isUncut = width === undefined || widthOf(segments) <= width
  let room = isUncut ? Infinity : width - textWidth(more)
  let line = ''
  for (const {text, color = keepColor} of segments) {
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

const keepColor = (text: string) => text

/** Returns the number of columns of segments. */
export function widthOf(segments: readonly Segment[]): number {
  return textWidth(segments.map(({text}) => text).join(''))
}

/** Joins a left and a right side to a line. Both must fit, with two columns between them. */
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

/** Formats the rule between the log and the status line. */
export function formatRule({colors, symbols, width}: ScreenStyle): string {
  return colors.frame(symbols.rule.repeat(Math.max(0, width)))
}

/** Wraps text of an agent at any character, with control characters escaped, so that no character is lost or added. */
export function wrapAnywhere(text: string, width: number, maxRows: number): Wrapped {
  const room = Math.max(1, width)
  // Bounds the time for long text: more characters cannot be visible.
  const visible = text.slice(0, room * maxRows * 16)
  const start = escapeControls(visible)
  const total = text.length - visible.length + start.length
  const rows: string[] = []
  let row = ''
  let used = 0
  let taken = 0
  for (const {segment} of segmentText(start)) {
    const columns = textWidth(segment)
    if (used + columns > room && row !== '') {
      rows.push(row)
      if (rows.length === maxRows) return {rows, rest: total - taken}
      row = ''
      used = 0
    }
    // One character can be wider than the row.
    row += columns > room ? '?' : segment
    used += Math.min(columns, room)
    taken += segment.length
  }
  return {rows: [...rows, row], rest: total - taken}
}

/** Rows of a text, and the number of characters that did not fit. */
export interface Wrapped {
  rows: string[]
  rest: number
}

/** Wraps text between words. */
export function wrapWords(text: string, width: number, maxRows: number, more: string): string[] {
  const rows: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const joined = rows.length === 0 ? word : `${rows.at(-1)} ${word}`
    if (rows.length > 0 && textWidth(joined) <= width) rows[rows.length - 1] = joined
    else if (rows.length === 0 || rows.length < maxRows) rows.push(cutToWidth(word, width, more))
    else return [...rows.slice(0, -1), cutToWidth(`${joined} ${more}`, width, more)]
  }
  return rows
}
