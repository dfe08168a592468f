// Draws a row of a terminal with every letter in its cell, independent of the font. The origin is on the base line.

import {escapeText, round} from './markup.js'
import {cell} from './palette.js'

/** @import {Run} from './animation.js' */
/** @import {createPalette} from './palette.js' */

/** Horizontal lines are drawn as rectangles, because box characters of a font leave gaps. */
const RULE = /^─+$/

/**
 * @param {readonly Run[]} runs
 * @param {ReturnType<typeof createPalette>} palette
 * @returns {string}
 */
export function drawRow(runs, palette) {
  return runs.map((run) => drawBackground(run, palette) + drawText(run, palette)).join('')
}

/**
 * @param {Run} run
 * @param {ReturnType<typeof createPalette>} palette
 */
function drawBackground({column, width, style}, palette) {
  const name = palette.toBackgroundClass(style)
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
  const name = palette.toTextClass(style)
  const length = round(width * cell.width)
  if (RULE.test(text)) {
    const classes = ['s', ...(name === '' ? [] : [name])].join(' ')
    return `<rect class="${classes}"${at(column)} y="${cell.height / 2 - cell.baseline}" width="${length}" height="1"/>`
  }
  const classes = name === '' ? '' : ` class="${name}"`
  // A symbol from another font may be too wide.
  const fit = text > '\u00ff' ? ' lengthAdjust="spacingAndGlyphs"' : ''
  return `<text${at(column)} textLength="${length}"${fit}${classes}>${escapeText(text)}</text>`
}

/** @param {number} column */
function at(column) {
  return column === 0 ? '' : ` x="${round(column * cell.width)}"`
}
