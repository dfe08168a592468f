// The style of a terminal cell, and SGR sequences that change it.

/**
 * A colour: `null` is the default of the terminal, a number one of the sixteen ANSI colours, a string `#rrggbb`.
 *
 * @typedef {null | number | string} Color
 */

/**
 * @typedef {object} Style
 * @property {Color} color
 * @property {Color} background
 * @property {boolean} bold
 * @property {boolean} dim
 * @property {boolean} italic
 * @property {boolean} underline
 * @property {boolean} inverse
 */

/** @type {Readonly<Style>} */
export const DEFAULT_STYLE = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
}

/**
 * The style after a `CSI … m` sequence. Unknown numbers are ignored.
 *
 * @param {Readonly<Style>} before
 * @param {number[]} numbers
 * @returns {Readonly<Style>}
 */
export function applySgr(before, numbers) {
  const style = {...before}
  const rest = numbers.length === 0 ? [0] : [...numbers]
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 38) style.color = readColor(rest, style.color)
    else if (code === 48) style.background = readColor(rest, style.background)
    else Object.assign(style, toStyleChange(code))
  }
  return style
}

/** @type {Readonly<Record<number, Partial<Style>>>} */
const CHANGES = {
  0: DEFAULT_STYLE,
  1: {bold: true},
  2: {dim: true},
  3: {italic: true},
  4: {underline: true},
  7: {inverse: true},
  22: {bold: false, dim: false},
  23: {italic: false},
  24: {underline: false},
  27: {inverse: false},
  39: {color: null},
  49: {background: null},
}

/**
 * @param {number} code
 * @returns {Partial<Style>}
 */
function toStyleChange(code) {
  if (code >= 30 && code <= 37) return {color: code - 30}
  if (code >= 90 && code <= 97) return {color: code - 90 + 8}
  if (code >= 40 && code <= 47) return {background: code - 40}
  if (code >= 100 && code <= 107) return {background: code - 100 + 8}
  return CHANGES[code] ?? {}
}

/**
 * Removes the numbers of the colour that follows a 38 or 48.
 *
 * @param {number[]} rest
 * @param {Color} fallback
 * @returns {Color}
 */
function readColor(rest, fallback) {
  const kind = rest.shift()
  if (kind === 5) return toColor(rest.shift() ?? 0)
  if (kind !== 2) return fallback
  const [red = 0, green = 0, blue = 0] = rest.splice(0, 3)
  return toHex([red, green, blue])
}

/** The levels of the cube of 6 × 6 × 6 colours. */
const STEPS = [0, 95, 135, 175, 215, 255]

/**
 * One of the 256 colours: the sixteen, a cube, and greys.
 *
 * @param {number} index
 * @returns {Color}
 */
function toColor(index) {
  if (index < 16) return index
  if (index >= 232) return toHex(Array.from({length: 3}, () => 8 + (index - 232) * 10))
  const place = index - 16
  const parts = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6]
  return toHex(parts.map((part) => STEPS[part] ?? 0))
}

/** @param {number[]} parts */
function toHex(parts) {
  return `#${parts.map((part) => Math.min(part, 255).toString(16).padStart(2, '0')).join('')}`
}
