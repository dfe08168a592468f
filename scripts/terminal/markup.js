/** @param {string} text */
export function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** More digits of a length are not visible. @param {number} value */
export function round(value) {
  return Number(value.toFixed(2))
}
