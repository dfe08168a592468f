import {LONG_PREFIX_LENGTH} from './schema.ts'

/** A search term as its words: `store.ts` has two. */
export interface Term {
  words: string[]
  /** Whether it is a prefix. */
  isPrefix: boolean
}

/** How many terms are searched at once. */
const MAX_TERMS = 16

/** Longer terms are not words. */
const MAX_TERM_LENGTH = 200

/** The characters of words. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Parses a search text: all terms must match, the last one as a prefix. */
export function parseTerms(text: string): Term[] {
  const terms = text
    .split(/\s+/)
    .map((part) => part.slice(0, MAX_TERM_LENGTH).match(WORD) ?? [])
    .filter((words) => words.some((word) => /[\p{L}\p{N}\p{Co}]/u.test(word)))
    .slice(0, MAX_TERMS)
  return terms.map((words, index) => ({words, isPrefix: index === terms.length - 1}))
}

/**
 * Formats terms for the full-text index, with every character escaped.
 *
 * @param isShort - Whether to search only the indexed prefix of the last word.
 */
export function toMatch(terms: readonly Term[], isShort = false): string {
  return terms
    .map(({words, isPrefix}) => {
      const last = Array.from(words.at(-1) ?? '')
      // One letter starts half of all words, so it must match a complete word.
      const isOpen = isPrefix && last.length > 1
      const end = isOpen && isShort ? last.slice(0, LONG_PREFIX_LENGTH) : last
      return `"${[...words.slice(0, -1), end.join('')].join(' ')}"${isOpen ? '*' : ''}`
    })
    .join(' AND ')
}

/** The last word, if it is longer than the indexed prefixes. */
export function findLongBeginning(terms: readonly Term[]): Term | undefined {
  const last = terms.at(-1)
  const isLong = Array.from(last?.words.at(-1) ?? '').length > LONG_PREFIX_LENGTH
  return last?.isPrefix === true && isLong ? last : undefined
}

/** Matches the words of a term, separated by anything that is not a word, from the start of a word. */
export function toPattern({words, isPrefix}: Term): RegExp {
  const letter = String.raw`\p{L}\p{N}\p{Co}`
  const end = isPrefix ? '' : `(?![${letter}])`
  return new RegExp(`(?<![${letter}])${words.join(`[^${letter}]+`)}${end}`, 'iu')
}

/** Creates a check for a term that matches like the full-text index. */
export function createCheck({words, isPrefix}: Term): (text: string) => boolean {
  const pattern = toPattern({words: words.map(fold), isPrefix})
  return (text) => pattern.test(fold(text))
}

/** Accents are ignored. */
function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
}
