/** C0, DEL and C1 controls, half surrogates, and what turns the direction of text around. */
const HARMFUL = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Most text needs no closer look. */
const PLAIN = /^[\x20-\x7e]*$/

/**
 * The second `#` of what CI runners obey anywhere in a line: `##vso[` and `##[` of Azure Pipelines, `##[` of GitHub,
 * `##teamcity[`. Their comparison may skip characters that are not seen.
 */
const CI_COMMAND = /(#[\p{Cf}\p{Mn}]*)#(?=[\p{L}\p{Cf}\p{Mn}]{0,40}\[)/gu

/**
 * Makes text of an agent safe to print on a line: control characters and bidi overrides are shown
 * as `\x1b` instead of obeyed, so that no escape sequence gets through, and no command of a CI runner.
 */
export function escapeControls(text: string): string {
  if (PLAIN.test(text)) return escapeCiCommands(text, String.raw`\x23`)
  const escaped = text.replaceAll(HARMFUL, (character) => {
    if (character === '\t') return ' '
    const code = character.charCodeAt(0).toString(16)
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`
  })
  return escapeCiCommands(escaped, String.raw`\x23`)
}

/**
 * Escapes what CI runners obey anywhere in a line: `##vso[…]`, `##teamcity[…]`, `##[…]`.
 *
 * @param sharp - What is written for a `#`.
 */
export function escapeCiCommands(text: string, sharp: string): string {
  return text.includes('#') ? text.replaceAll(CI_COMMAND, `$1${sharp}`) : text
}

/** What may belong to the character before it. */
const COMBINING = /[^\x20-\x7e]/

let segmenter: Intl.Segmenter | undefined

/** Text by characters as people see them. */
export function segmentText(text: string): Iterable<Intl.SegmentData> {
  // Made when it is first needed: it takes longer than all else that is loaded.
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})
  return segmenter.segment(text)
}

/** Cuts text to a number of characters as people see them, the last of them being `…`. */
export function cutText(text: string, length: number): string {
  // Every character a person sees is at least one unit, so most texts need no counting.
  if (text.length <= length) return text
  const head = text.slice(0, length - 1)
  // Where each unit is a character there is nothing to count.
  if (PLAIN.test(head) && !COMBINING.test(text.charAt(length - 1))) return `${head}…`
  // Nor may a text of megabytes, or one character of a thousand accents, take its time here.
  const start = text.slice(0, length * 8)
  const kept = Array.from(segmentText(start), ({segment}) => segment)
  if (kept.length <= length && start.length === text.length) return text
  return `${kept.slice(0, length - 1).join('')}…`
}

/** How many lines a text has; the last may lack its newline. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** How many lines of a diff were added and removed, by their first character. */
export function countDiff(lines: readonly unknown[]): {added: number; removed: number} {
  const count = (sign: string) =>
    lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length
  return {added: count('+'), removed: count('-')}
}

/** The first line of a text that is not empty. */
export function firstLine(text: string): string {
  const start = text.search(/\S/)
  if (start === -1) return ''
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end).trimEnd()
}
