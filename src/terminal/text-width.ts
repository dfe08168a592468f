import stringWidth from 'string-width'

// ASCII, our own symbols and common punctuation, with colours: each character takes one column, each colour none.
// eslint-disable-next-line no-control-regex
const NARROW = /^(?:[ -~✓✗●↻◔▲■─│…−→·≈–—‘’“”]|\u001B\[[\d;]*m)*$/
// eslint-disable-next-line no-control-regex
const COLOR = /\u001B\[[\d;]*m/g

/** The columns that text takes on a terminal. Most text needs no tables of Unicode, which take 30 ms to load. */
export function textWidth(text: string): number {
  if (!NARROW.test(text)) return stringWidth(text)
  return text.includes('\u001B') ? text.replaceAll(COLOR, '').length : text.length
}
