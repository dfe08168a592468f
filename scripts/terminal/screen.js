// A small terminal: takes what a program writes, and knows what is on the screen then.

import stringWidth from 'string-width'
import {applyNumbers, PLAIN} from './style.js'

/** @import {Style} from './style.js' */

/**
 * A cell; the second one of a wide character is `''`.
 *
 * @typedef {{text: string, style: Readonly<Style>}} Cell
 */

/**
 * @typedef {object} Screen
 * @property {(text: string) => void} write Takes a piece of output; it may end anywhere.
 * @property {() => readonly Cell[][]} rows What is on the screen.
 * @property {() => {row: number, column: number, isShown: boolean}} cursor
 * @property {() => number} scrolled How many rows have left the screen at its top.
 */

/** A sequence, a control character, or text up to the next of them. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[([\d;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]|[\u0000-\u001a\u001c-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gy
const TAB = 8
const BLANK = {text: ' ', style: PLAIN}

/**
 * Makes an empty screen.
 *
 * @param {{columns: number, rows: number}} size
 * @returns {Screen}
 */
export function createScreen({columns, rows: height}) {
  const segmenter = new Intl.Segmenter()
  /** @type {Cell[][]} */
  const rows = Array.from({length: height}, makeRow)
  let row = 0
  let column = 0
  let isShown = true
  let saved = {row: 0, column: 0}
  let style = PLAIN
  let scrolled = 0
  /** The beginning of a sequence whose end has not come. */
  let pending = ''

  return {
    write(text) {
      const whole = pending + text
      let end = 0
      for (const match of whole.matchAll(TOKEN)) {
        const [token, parameters = '', final] = match
        end = match.index + token.length
        if (final !== undefined) obey(final, parameters)
        else if (token.length > 1 || token >= ' ') put(token)
        else control(token)
      }
      pending = whole.slice(end)
    },
    rows: () => rows.map((cells) => [...cells]),
    cursor: () => ({row, column: Math.min(column, columns - 1), isShown}),
    scrolled: () => scrolled,
  }

  /** @returns {Cell[]} */
  function makeRow() {
    return Array.from({length: columns}, () => BLANK)
  }

  /** @param {string} text */
  function put(text) {
    if (text.startsWith('\u001b')) return
    for (const {segment} of segmenter.segment(text)) {
      const width = stringWidth(segment)
      if (width === 0) {
        const before = rows[row]?.[column - 1]
        if (before !== undefined) set(column - 1, {...before, text: before.text + segment})
        continue
      }
      // At the end of a row the next one begins only when there is something for it.
      if (column + width > columns) {
        column = 0
        feed()
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

  function feed() {
    if (row < height - 1) row++
    else {
      rows.shift()
      rows.push(makeRow())
      scrolled++
    }
  }

  /** @param {string} character */
  function control(character) {
    if (character === '\n') feed()
    else if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, Math.min(column, columns) - 1)
    else if (character === '\t') {
      column = Math.min(columns - 1, (Math.floor(column / TAB) + 1) * TAB)
    }
  }

  /**
   * @param {string} final
   * @param {string} parameters
   */
  function obey(final, parameters) {
    if (/^[<=>?]/.test(parameters)) {
      if (parameters === '?25') isShown = final === 'h'
      return
    }
    const numbers = parameters === '' ? [] : parameters.split(/[;:]/).map(Number)
    const count = Math.max(numbers[0] ?? 1, 1)
    if (final === 'm') style = applyNumbers(style, numbers)
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

  /** @param {number} how 0 from the cursor, 1 to it, else all */
  function eraseDisplay(how) {
    if (how === 0 || how === 1) eraseLine(how)
    const [from, to] = how === 0 ? [row + 1, height] : how === 1 ? [0, row] : [0, height]
    for (let index = from; index < to; index++) erase(index, 0, columns)
  }

  /** @param {number} how 0 from the cursor, 1 to it, else all */
  function eraseLine(how) {
    erase(row, how === 0 ? column : 0, how === 1 ? column + 1 : columns)
  }

  /**
   * @param {number} inRow
   * @param {number} from
   * @param {number} to
   */
  function erase(inRow, from, to) {
    // What is erased takes the colour behind the text, and nothing else.
    rows[inRow]?.fill({text: ' ', style: {...PLAIN, background: style.background}}, from, to)
  }

  /**
   * Takes cells out of the row of the cursor, or puts blank ones in.
   *
   * @param {number} at
   * @param {number} out
   * @param {number} into
   */
  function shiftCells(at, out, into) {
    const cells = rows[row]
    if (cells === undefined) return
    cells.splice(at, out, ...makeRow().slice(0, into))
    cells.length = Math.min(cells.length, columns)
    while (cells.length < columns) cells.push(BLANK)
  }

  /**
   * Takes rows out, or puts empty ones in; what leaves at the top this way is not counted as scrolled.
   *
   * @param {number} at
   * @param {number} out
   * @param {number} into
   */
  function shiftRows(at, out, into) {
    rows.splice(at, out, ...Array.from({length: Math.min(into, height)}, makeRow))
    rows.length = Math.min(rows.length, height)
    while (rows.length < height) rows.push(makeRow())
  }
}
