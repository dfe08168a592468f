import {formatNumber} from '../ui/figures.ts'

/** Longer lines are cut: they are not readable, and layout is slow. */
export const MAX_COLUMNS = 2000

/** The lines of a text: a trailing newline starts no line, and CRLF counts as one newline. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  if (!text.includes('\r')) return lines
  const isWindows = lines.every((line, at) => line.endsWith('\r') || at === lines.length - 1)
  return isWindows ? lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines
}

/** The start of a text; never half a character. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  const isHalf = code >= 0xd800 && code <= 0xdbff
  return text.slice(0, isHalf ? length - 1 : length)
}

/** The end of a text, from the start of a line if possible. */
export function cutHead(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.length - length
  const newline = text.indexOf('\n', start - 1)
  if (newline !== -1 && newline < text.length - 1) return text.slice(newline + 1)
  const code = text.charCodeAt(start)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start)
}

/** A line cut to the shown length. */
export function cutLine(line: string): string {
  if (line.length <= MAX_COLUMNS) return line
  const text = cutAt(line, MAX_COLUMNS)
  return `${text}${describeRest(line.length - text.length)}`
}

/** The end of a line that is cut. */
export function describeRest(length: number): string {
  return `… ${formatNumber(length)} more characters`
}
