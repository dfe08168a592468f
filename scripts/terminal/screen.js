// A terminal emulator that supports the escape sequences Vitrine and a shell print.

import stringWidth from 'string-width'
import {applySgr, DEFAULT_STYLE} from './style.js'

/** @import {Style} from './style.js' */

/**
 * A cell; the second one of a wide character is `''`.
 *
 * @typedef {{text: string, style: Readonly<Style>}} Cell
 */

/**
 * @typedef {object} Screen
 * @property {(text: string) => void} write Writes a chunk of output, which may end inside an escape sequence.
 * @property {() => readonly Cell[][]} rows The content of the screen.
 * @property {() => {row: number, column: number, isShown: boolean}} cursor
 * @property {() => number} scrolled How many rows have scrolled off the top.
 */

/** An escape sequence, a control character, or text up to the next one. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[([\d;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]|[\u0000-\u001a\u001c-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gy
const TAB_WIDTH = 8
const BLANK = {text: ' ', style: DEFAULT_STYLE}

/**
 * @param {{columns: number, rows: number}} size
 * @returns {Screen}
 */
export function createScreen({columns, rows: height}) {
  const segmenter = new Intl.Segmenter()
  /** @type {Cell[][]} */
  const rows = Array.from({length: height}, createRow)
  let row = 0
  let column = 0
  let isShown = true
  let saved = {row: 0, column: 0}
  let style = DEFAULT_STYLE
  let scrolled = 0
  /** An incomplete escape sequence at the end of the last chunk. */
  let pending = ''

  return {
    write(text) {
      const output = pending + text
      let end = 0
      for (const match of output.matchAll(TOKEN)) {
        const [token, parameters = '', final] = match
        end = match.index + token.length
        if (final !== undefined) applyCsi(final, parameters)
        else if (token.length > 1 || token >= ' ') print(token)
        else applyControl(token)
      }
      pending = output.slice(end)
    },
    rows: () => rows.map((cells) => [...cells]),
    cursor: () => ({row, column: Math.min(column, columns - 1), isShown}),
    scrolled: () => scrolled,
  }

  /** @returns {Cell[]} */
  function createRow() {
    return Array.from({length: columns}, () => BLANK)
  }

  /** @param {string} text */
  function print(text) {
    if (text.startsWith('\u001b')) return
    for (const {segment} of segmenter.segment(text)) {
      const width = stringWidth(segment)
      if (width === 0) {
        const before = rows[row]?.[column - 1]
        if (before !== undefined) set(column - 1, {...before, text: before.text + segment})
        continue
      }
      // A full row wraps only when the next character arrives.
      if (column + width > columns) {
        column = 0
        feedLine()
      }
      set(column, {text: segment, style})
      if (width > 1) set(column + 1, {text: '', style})
      column += width
    }
  }

  /**
   * @param {number} at
   * @param {Cell} cell
   */
  function set(at, cell) {
    const cells = rows[row]
    if (cells !== undefined && at < columns) cells[at] = cell
  }

  function feedLine() {
    if (row < height - 1) row++
    else {
      rows.shift()
      rows.push(createRow())
      scrolled++
    }
  }

  /** @param {string} character */
  function applyControl(character) {
    if (character === '\n') feedLine()
    else if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, Math.min(column, columns) - 1)
    else if (character === '\t') {
      column = Math.min(columns - 1, (Math.floor(column / TAB_WIDTH) + 1) * TAB_WIDTH)
    }
  }

  /**
   * @param {string} final
   * @param {string} parameters
   */
  function applyCsi(final, parameters) {
    if (/^[<=>?]/.test(parameters)) {
      if (parameters === '?25') isShown = final === 'h'
      return
    }
    const numbers = parameters === '' ? [] : parameters.split(/[;:]/).map(Number)
    const count = Math.max(numbers[0] ?? 1, 1)
    if (final === 'm') style = applySgr(style, numbers)
    else if (final === 'A') move(row - count, column)
    else if (final === 'B') move(row + count, column)
    else if (final === 'C') move(row, column + count)
    else if (final === 'D') move(row, column - count)
    else if (final === 'E') move(row + count, 0)
    else if (final === 'F') move(row - count, 0)
    else if (final === 'G') move(row, count - 1)
    else if (final === 'd') move(count - 1, column)
    else if (final === 'H' || final === 'f') move(count - 1, Math.max(numbers[1] ?? 1, 1) - 1)
    else if (final === 'J') eraseDisplay(numbers[0] ?? 0)
    else if (final === 'K') eraseLine(numbers[0] ?? 0)
    else if (final === 'X') erase(row, column, column + count)
    else if (final === 'P') shiftCells(column, count, 0)
    else if (final === '@') shiftCells(column, 0, count)
    else if (final === 'L') shiftRows(row, 0, count)
    else if (final === 'M') shiftRows(row, count, 0)
    else if (final === 'S') for (let index = 0; index < count; index++) shiftRows(0, 1, 0)
    else if (final === 'T') shiftRows(0, 0, count)
    else if (final === 's') saved = {row, column}
    else if (final === 'u') move(saved.row, saved.column)
  }

  /**
   * @param {number} toRow
   * @param {number} toColumn
   */
  function move(toRow, toColumn) {
    row = Math.min(Math.max(toRow, 0), height - 1)
    column = Math.min(Math.max(toColumn, 0), columns - 1)
  }

  /** @param {number} mode 0: from the cursor, 1: to the cursor, else all. */
  function eraseDisplay(mode) {
    if (mode === 0 || mode === 1) eraseLine(mode)
    const [from, to] = mode === 0 ? [row + 1, height] : mode === 1 ? [0, row] : [0, height]
    for (let index = from; index < to; index++) erase(index, 0, columns)
  }

  /** @param {number} mode 0: from the cursor, 1: to the cursor, else all. */
  function eraseLine(mode) {
    erase(row, mode === 0 ? column : 0, mode === 1 ? column + 1 : columns)
  }

  /**
   * @param {number} inRow
   * @param {number} from
   * @param {number} to
   */
  function erase(inRow, from, to) {
    // Erased cells keep only the current background.
    rows[inRow]?.fill(
      {text: ' ', style: {...DEFAULT_STYLE, background: style.background}},
      from,
      to,
    )
  }

  /**
   * Removes cells from the row of the cursor, or inserts blank ones.
   *
   * @param {number} at
   * @param {number} removed
   * @param {number} inserted
   */
  function shiftCells(at, removed, inserted) {
    const cells = rows[row]
    if (cells === undefined) return
    cells.splice(at, removed, ...createRow().slice(0, inserted))
    cells.length = Math.min(cells.length, columns)
    while (cells.length < columns) cells.push(BLANK)
  }

  /**
   * Removes rows, or inserts empty ones. Rows removed at the top do not count as scrolled.
   *
   * @param {number} at
   * @param {number} removed
   * @param {number} inserted
   */
  function shiftRows(at, removed, inserted) {
    rows.splice(at, removed, ...Array.from({length: Math.min(inserted, height)}, createRow))
    rows.length = Math.min(rows.length, height)
    while (rows.length < height) rows.push(createRow())
  }
}
