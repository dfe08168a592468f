/** C0, DEL and C1 controls, lone surrogates, and characters that change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Text that has no control characters and no wide characters. */
const PLAIN = /^[\x20-\x7e]*$/

/**
 * The second `#` of commands that CI runners execute anywhere in a line: `##vso[` and `##[` of Azure Pipelines, `##[` of
 * GitHub, `##teamcity[`. Runners may ignore invisible characters when they compare.
 */
const CI_COMMAND = /(#[\p{Cf}\p{Mn}]*)#(?=[\p{L}\p{Cf}\p{Mn}]{0,40}\[)/gu

/**
 * Escapes the control characters in text of an agent for one line of output: they and bidi overrides are shown as `\x1b`,
 * so that neither an escape sequence nor a command of a CI runner takes effect.
 */
export function escapeControls(text: string): string {
  if (PLAIN.test(text)) return escapeCiCommands(text, String.raw`\x23`)
  const escaped = text.replaceAll(CONTROLS, (character) => {
    if (character === '\t') return ' '
    const code = character.charCodeAt(0).toString(16)
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`
  })
  return escapeCiCommands(escaped, String.raw`\x23`)
}

/**
 * Escapes commands that CI runners execute anywhere in a line: `##vso[…]`, `##teamcity[…]`, `##[…]`.
 *
 * @param sharp - The replacement for a `#`.
 */
export function escapeCiCommands(text: string, sharp: string): string {
  return text.includes('#') ? text.replaceAll(CI_COMMAND, `$1${sharp}`) : text
}

/** Characters that may combine with the one before them. */
const COMBINING = /[^\x20-\x7e]/

let segmenter: Intl.Segmenter | undefined

/** Splits text into user-visible characters. */
export function segmentText(text: string): Iterable<Intl.SegmentData> {
  // Created on first use: it takes longer than loading everything else.
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})
  return segmenter.segment(text)
}

/** Cuts text to a number of user-visible characters, the last of which is `…`. */
export function cutText(text: string, length: number): string {
  // A user-visible character has at least one code unit, so that most texts need no counting.
  if (text.length <= length) return text
  const head = text.slice(0, length - 1)
  // In plain text every code unit is a character.
  if (PLAIN.test(head) && !COMBINING.test(text.charAt(length - 1))) return `${head}…`
  // Bounds the time for a text of megabytes, and for one character with a thousand accents.
  const start = text.slice(0, length * 8)
  const kept = Array.from(segmentText(start), ({segment}) => segment)
  if (kept.length <= length && start.length === text.length) return text
  return `${kept.slice(0, length - 1).join('')}…`
}

/** Counts the lines of a text; the last may lack its newline. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Counts the added and removed lines of a diff by their first character. */
export function countDiff(lines: readonly unknown[]): {added: number; removed: number} {
  const count = (sign: string) =>
    lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length
  return {added: count('+'), removed: count('-')}
}

/** The first non-empty line of a text of an agent, escaped. `maxLength` bounds the time for a long text. */
export function toCleanLine(text: string, maxLength = 1000): string {
  return escapeControls(firstLine(text.slice(0, maxLength)))
}

/** Returns the first non-empty line of a text. */
export function firstLine(text: string): string {
  const start = text.search(/\S/)
  if (start === -1) return ''
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end).trimEnd()
}
