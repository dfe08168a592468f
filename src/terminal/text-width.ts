import stringWidth from 'string-width'
import {stripColors} from './strip-colors.ts'

// ASCII, our own symbols and common punctuation, with colours: each character takes one column, each colour none.
// eslint-disable-next-line no-control-regex
const ONE_COLUMN = /^(?:[ -~✓✗●↻◔▲■─│…−→·≈–—‘’“”×█░○]|\u001B\[[\d;]*m)*$/

/** Returns the number of columns of text on a terminal. Most text does not need the Unicode tables, which load in 30 ms. */
export function textWidth(text: string): number {
  if (!ONE_COLUMN.test(text)) return stringWidth(text)
  return text.includes('\u001B') ? stripColors(text).length : text.length
}
