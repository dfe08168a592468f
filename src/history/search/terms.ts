/** A word, or words in quotation marks that must follow each other. */
export interface Term {
  words: string[]
  /** Whether the last word may be the start of a longer one. */
  isPrefix: boolean
}

const MAX_TERMS = 16
/** Longer terms are not words. */
const MAX_TERM_LENGTH = 200
/** A single letter starts a large part of all words. */
const MIN_PREFIX_LENGTH = 2

/** The characters of words, as the full-text index has them. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Parses a search: a word matches longer ones that begin with it, a phrase in `"…"` matches as it is. */
export function parseTerms(text: string): Term[] {
  const parts = text.match(/"[^"]*"?|[^\s"]+/g) ?? []
  return parts
    .map((part) => {
      const words = part.slice(0, MAX_TERM_LENGTH).match(WORD) ?? []
      const isPrefix = !part.startsWith('"') && (words.at(-1)?.length ?? 0) >= MIN_PREFIX_LENGTH
      return {words, isPrefix}
    })
    .filter(({words}) => words.some((word) => /[^\p{M}]/u.test(word)))
    .slice(0, MAX_TERMS)
}

/** A term in the language of the full-text index. */
export function formatTerm({words, isPrefix}: Term): string {
  return `"${words.join(' ')}"${isPrefix ? '*' : ''}`
}
