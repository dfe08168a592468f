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

/** A shorter last word must match completely: it starts a large part of all words. */
const MIN_PREFIX_LENGTH = 3

/** Formats terms for the full-text index, with every character escaped. */
export function toMatch(terms: readonly Term[]): string {
  return terms
    .map(({words, isPrefix}) => {
      const isOpen = isPrefix && Array.from(words.at(-1) ?? '').length >= MIN_PREFIX_LENGTH
      return `"${words.join(' ')}"${isOpen ? '*' : ''}`
    })
    .join(' AND ')
}

/** Matches the words of a term, separated by anything that is not a word, from the start of a word. */
export function toPattern({words, isPrefix}: Term): RegExp {
  const letter = String.raw`\p{L}\p{N}\p{Co}`
  const end = isPrefix ? '' : `(?![${letter}])`
  return new RegExp(`(?<![${letter}])${words.join(`[^${letter}]+`)}${end}`, 'iu')
}
