import {formatDay} from './format.js'

/** Two days as people read them, such as `3 Nov 2026 – 9 Nov 2026`. */
export function formatRange(from, to) {
  return `${formatDay(from)} – ${formatDay(to)}`
}
