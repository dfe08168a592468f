// Masks keep the length of a text, so that an offset in it is an offset in the file.

/** Replaces code and quotes: neither a word nor a space. */
const MASK = '·'

// Neither crosses an empty line, so that an unpaired mark hides no more than its paragraph.
const CODE = /(`+)(?:(?!\n\s*\n)[^`])+\1/g
const QUOTE =
  /(?<!\w)"(?=\S)(?:(?!\n\s*\n)[^"]){1,160}"(?!\w)|“[^”]{1,160}”|(?<=^|[\s(])'[^'\n]{1,80}'(?=$|[\s.,;:)])/g

/** @param {string} text */
export function maskText(text) {
  return text.replaceAll(/\S/g, MASK)
}

/** @param {string} text */
export function replaceWithSpaces(text) {
  return text.replaceAll(/[^\n]/g, ' ')
}

/**
 * Masks inline code and quotes of others: user interface texts, output of agents.
 *
 * @param {string} text
 */
export function maskQuotes(text) {
  return text.replaceAll(CODE, maskText).replaceAll(QUOTE, maskText)
}
