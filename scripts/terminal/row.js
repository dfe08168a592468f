// Draws a row of a terminal so that every letter is in its cell, whatever font there is. Its origin is on the base line.

import {escapeText, round} from './markup.js'
import {cell} from './palette.js'

/** @import {Run} from './film.js' */
/** @import {createPalette} from './palette.js' */

/** Lines are drawn: letters of a font leave gaps between them. */
const RULE = /^─+$/

/**
 * @param {readonly Run[]} runs
 * @param {ReturnType<typeof createPalette>} palette
 * @returns {string}
 */
export function drawRow(runs, palette) {
  return runs.map((run) => drawGround(run, palette) + drawText(run, palette)).join('')
}

/**
 * @param {Run} run
 * @param {ReturnType<typeof createPalette>} palette
 */
function drawGround({column, width, style}, palette) {
  const name = palette.groundOf(style)
  if (name === undefined) return ''
  const size = `width="${round(width * cell.width)}" height="${cell.height}"`
  return `<rect class="${name}"${at(column)} y="${-cell.baseline}" ${size}/>`
}

/**
 * @param {Run} run
 * @param {ReturnType<typeof createPalette>} palette
 */
function drawText({text, column, width, style}, palette) {
  if (text.trim() === '') return ''
  const name = palette.classOf(style)
  const length = round(width * cell.width)
  if (RULE.test(text)) {
    const classes = ['s', ...(name === '' ? [] : [name])].join(' ')
    return `<rect class="${classes}"${at(column)} y="${cell.height / 2 - cell.baseline}" width="${length}" height="1"/>`
  }
  const classes = name === '' ? '' : ` class="${name}"`
  // A sign from another font may be too wide.
  const fit = text > '\u00ff' ? ' lengthAdjust="spacingAndGlyphs"' : ''
  return `<text${at(column)} textLength="${length}"${fit}${classes}>${escapeText(text)}</text>`
}

/** @param {number} column */
function at(column) {
  return column === 0 ? '' : ` x="${round(column * cell.width)}"`
}
