// Masks keep the length of a text, so that an offset in it is an offset in the file.

/** Replaces code and quotes: neither a word nor a space. */
const MASK = '·'

const QUOTE = /"[^"]{1,160}"|“[^”]{1,160}”|(?<=^|[\s(])'[^'\n]{1,80}'(?=$|[\s.,;:)])/g

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
  return text.replaceAll(/(`+)[^`]+\1/g, maskText).replaceAll(QUOTE, maskText)
}
