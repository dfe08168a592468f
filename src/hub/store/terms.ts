/** A word that is searched, as the words that it is made of: `store.ts` is two. */
export interface Term {
  words: string[]
  /** It may go on. */
  isPrefix: boolean
}

/** So many terms are searched at once. */
const MOST_TERMS = 16

/** Longer ones are no words. */
const LONGEST = 200

/** What words are made of; all else is between them. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Reads what somebody typed: terms that must all be there, the last one as far as it is typed. */
export function parseTerms(text: string): Term[] {
  const terms = text
    .split(/\s+/)
    .map((part) => part.slice(0, LONGEST).match(WORD) ?? [])
    .filter((words) => words.some((word) => /[\p{L}\p{N}\p{Co}]/u.test(word)))
    .slice(0, MOST_TERMS)
  return terms.map((words, index) => ({words, isPrefix: index === terms.length - 1}))
}

/** Terms in the language of the full-text index, in which nothing that was typed means anything by itself. */
export function toMatch(terms: readonly Term[]): string {
  return terms
    .map(({words, isPrefix}) => {
      // One letter begins half of all words, so it stands for itself.
      const isOpen = isPrefix && Array.from(words.at(-1) ?? '').length > 1
      return `"${words.join(' ')}"${isOpen ? '*' : ''}`
    })
    .join(' AND ')
}
