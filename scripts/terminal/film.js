// Makes a film of what a program wrote: which row is seen where, from when, and until when.

import {createScreen} from './screen.js'
import {PLAIN} from './style.js'

/** @import {Cell} from './screen.js' */
/** @import {Style} from './style.js' */

/**
 * Output, and when it came.
 *
 * @typedef {{atMs: number, text: string}} Piece
 */

/**
 * Text that looks the same throughout, and the cells it has.
 *
 * @typedef {{text: string, column: number, width: number, style: Readonly<Style>}} Run
 */

/**
 * A row as it was for a while. Rows are counted from the first that ever was on the screen, so one that only moves up
 * stays the same; `until` is `null` when it is there at the end, or when it left the screen as it was.
 *
 * @typedef {{line: number, runs: Run[], from: number, until: number | null}} Take
 */

/**
 * Times are in ticks.
 *
 * @typedef {object} Film
 * @property {Take[]} takes
 * @property {{at: number, line: number}[]} scrolls Which line is the first on the screen, from when.
 * @property {number} end When the last thing happened.
 */

/**
 * Plays output, and looks at the screen after every tick in which something came.
 *
 * @param {readonly Piece[]} pieces
 * @param {{columns: number, rows: number, ticksPerSecond: number}} options
 * @returns {Film}
 */
export function makeFilm(pieces, {columns, rows, ticksPerSecond}) {
  const screen = createScreen({columns, rows})
  /** @type {Take[]} */
  const takes = []
  /** The rows that are on the screen, by line. @type {Map<number, {take: Take, key: string}>} */
  const open = new Map()
  const scrolls = [{at: 0, line: 0}]
  const ticks = pieces.map(({atMs}) => Math.floor((atMs * ticksPerSecond) / 1000))
  for (const [index, {text}] of pieces.entries()) {
    screen.write(text)
    const at = ticks[index] ?? 0
    if (ticks[index + 1] !== at) look(at)
  }
  return {takes, scrolls, end: ticks.at(-1) ?? 0}

  /** @param {number} at */
  function look(at) {
    const first = screen.scrolled()
    if (scrolls.at(-1)?.line !== first) scrolls.push({at, line: first})
    for (const line of open.keys()) if (line < first) open.delete(line)
    const cursor = screen.cursor()
    for (const [index, cells] of screen.rows().entries()) {
      const line = first + index
      const runs = toRuns(cells)
      if (cursor.isShown && cursor.row === index) addCursor(runs, cursor.column)
      const key = JSON.stringify(runs)
      const before = open.get(line)
      if (before?.key === key) continue
      if (before !== undefined) before.take.until = at
      open.delete(line)
      if (runs.length === 0) continue
      const take = {line, runs, from: at, until: null}
      takes.push(take)
      open.set(line, {take, key})
    }
  }
}

/**
 * Cells that look the same and follow each other are one run. What cannot be seen is left out, and so are wide gaps.
 * Signs that not every font has, and has as wide as letters, are runs of their own.
 *
 * @param {readonly Cell[]} cells
 * @returns {Run[]}
 */
export function toRuns(cells) {
  /** @type {Run[]} */
  const runs = []
  for (const [column, {text, style}] of cells.entries()) {
    const last = runs.at(-1)
    const isNext = last !== undefined && last.column + last.width === column
    if (text === '') {
      if (isNext) last.width++
      continue
    }
    const isSeen = text !== ' ' || hasGround(style)
    const goesOn = isNext && isSame(last.style, style) && kindOf(last.text) === kindOf(text)
    if (goesOn && (isSeen || !last.text.endsWith(' '))) {
      last.text += text
      last.width++
    } else if (isSeen) runs.push({text, column, width: 1, style})
  }
  return runs.map(({text, column, width, style}) => {
    const seen = hasGround(style) ? text : text.trimEnd()
    return {text: seen, column, width: width - (text.length - seen.length), style}
  })
}

/**
 * @param {Readonly<Style>} one
 * @param {Readonly<Style>} other
 */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** @param {Readonly<Style>} style */
function hasGround({background, inverse, underline}) {
  return background !== null || inverse || underline
}

/**
 * What letters can be in one run: those of every font, or the same sign again.
 *
 * @param {string} text
 */
function kindOf(text) {
  const [first = ''] = text
  return first <= '\u00ff' ? 'letters' : first
}

/**
 * A cursor is shown where something is to be typed, which is behind all text.
 *
 * @param {Run[]} runs
 * @param {number} column
 */
function addCursor(runs, column) {
  const last = runs.at(-1)
  if (last === undefined || last.column + last.width > column) return
  runs.push({text: ' ', column, width: 1, style: {...PLAIN, inverse: true}})
}
