// Converts terminal output into an animation: which row is visible where, and when.

import {createScreen} from './screen.js'
import {DEFAULT_STYLE} from './style.js'

/** @import {Cell} from './screen.js' */
/** @import {Style} from './style.js' */

/** @typedef {{atMs: number, text: string}} TimedChunk */

/**
 * Text of one style, and its cells.
 *
 * @typedef {{text: string, column: number, width: number, style: Readonly<Style>}} Run
 */

/**
 * A row that is visible for some time. Lines are counted from the first row that was on the screen, so a row that only
 * scrolls up is one take. `until` is `null` if the row stays until the end or scrolls off the screen.
 *
 * @typedef {{line: number, runs: Run[], from: number, until: number | null}} Take
 */

/**
 * Times are in ticks.
 *
 * @typedef {object} Animation
 * @property {Take[]} takes
 * @property {{at: number, line: number}[]} scrolls The first line on the screen, from a time on.
 * @property {number} end The time of the last change.
 */

/**
 * Writes chunks to a screen and compares the screen after every tick with output.
 *
 * @param {readonly TimedChunk[]} chunks
 * @param {{columns: number, rows: number, ticksPerSecond: number}} options
 * @returns {Animation}
 */
export function createAnimation(chunks, {columns, rows, ticksPerSecond}) {
  const screen = createScreen({columns, rows})
  /** @type {Take[]} */
  const takes = []
  /** The rows on the screen, by line. @type {Map<number, {take: Take, key: string}>} */
  const open = new Map()
  const scrolls = [{at: 0, line: 0}]
  const ticks = chunks.map(({atMs}) => Math.floor((atMs * ticksPerSecond) / 1000))
  for (const [index, {text}] of chunks.entries()) {
    screen.write(text)
    const at = ticks[index] ?? 0
    if (ticks[index + 1] !== at) addTakes(at)
  }
  return {takes, scrolls, end: ticks.at(-1) ?? 0}

  /** @param {number} at */
  function addTakes(at) {
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
 * Joins adjacent cells of the same style. Invisible cells and wide gaps are omitted. Symbols that may be missing in a font,
 * or wider than letters, are separate runs.
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
    const isVisible = text !== ' ' || hasBackground(style)
    const isContinued =
      isNext && isSame(last.style, style) && toGlyphClass(last.text) === toGlyphClass(text)
    if (isContinued && (isVisible || !last.text.endsWith(' '))) {
      last.text += text
      last.width++
    } else if (isVisible) runs.push({text, column, width: 1, style})
  }
  return runs.map(({text, column, width, style}) => {
    const visible = hasBackground(style) ? text : text.trimEnd()
    return {text: visible, column, width: width - (text.length - visible.length), style}
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
function hasBackground({background, inverse, underline}) {
  return background !== null || inverse || underline
}

/**
 * Letters that every font has form one class; each other symbol is its own class.
 *
 * @param {string} text
 */
function toGlyphClass(text) {
  const [first = ''] = text
  return first <= '\u00ff' ? 'letters' : first
}

/**
 * Shows the cursor only behind all text, where a user types.
 *
 * @param {Run[]} runs
 * @param {number} column
 */
function addCursor(runs, column) {
  const last = runs.at(-1)
  if (last === undefined || last.column + last.width > column) return
  runs.push({text: ' ', column, width: 1, style: {...DEFAULT_STYLE, inverse: true}})
}
