// What every writer of SVG needs.

/**
 * Text as it is written between tags.
 *
 * @param {string} text
 */
export function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * A length, as exactly as anybody sees it.
 *
 * @param {number} value
 */
export function round(value) {
  return Number(value.toFixed(2))
}
