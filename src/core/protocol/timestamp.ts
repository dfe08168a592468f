/** Formats a time as ISO 8601; a time outside the range of dates becomes 1970. */
export function toTimestamp(at: number): string {
  const time = Math.trunc(at)
  const second = Math.floor(time / 1000)
  if (second !== known.second) {
    const date = new Date(time)
    if (Number.isNaN(date.getTime())) return '1970-01-01T00:00:00.000Z'
    const text = date.toISOString()
    // A year with more than four digits.
    if (text.length !== ISO_LENGTH) return text
    known = {second, text: text.slice(0, -MILLISECONDS.length)}
  }
  const rest = time - second * 1000
  return `${known.text}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`
}

/** Caches the last second: most messages share it with the message before. */
let known = {second: 0, text: '1970-01-01T00:00:00.'}

const MILLISECONDS = '000Z'

const ISO_LENGTH = 'YYYY-MM-DDTHH:MM:SS.mmmZ'.length
