import {LONGEST_BEGINNING} from './schema.ts'

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

/**
 * Terms in the language of the full-text index, in which nothing that was typed means anything by itself.
 *
 * @param isShort - Whether no more is asked of the last word than the beginning that the index has.
 */
export function toMatch(terms: readonly Term[], isShort = false): string {
  return terms
    .map(({words, isPrefix}) => {
      const last = Array.from(words.at(-1) ?? '')
      // One letter begins half of all words, so it stands for itself.
      const isOpen = isPrefix && last.length > 1
      const end = isOpen && isShort ? last.slice(0, LONGEST_BEGINNING) : last
      return `"${[...words.slice(0, -1), end.join('')].join(' ')}"${isOpen ? '*' : ''}`
    })
    .join(' AND ')
}

/** The last word, when it is longer than the beginnings that the index has. */
export function findLongBeginning(terms: readonly Term[]): Term | undefined {
  const last = terms.at(-1)
  const isLong = Array.from(last?.words.at(-1) ?? '').length > LONGEST_BEGINNING
  return last?.isPrefix === true && isLong ? last : undefined
}

/** The words of a term, with anything between them that is no word, from where a word begins. */
export function toPattern({words, isPrefix}: Term): RegExp {
  const letter = String.raw`\p{L}\p{N}\p{Co}`
  const end = isPrefix ? '' : `(?![${letter}])`
  return new RegExp(`(?<![${letter}])${words.join(`[^${letter}]+`)}${end}`, 'iu')
}

/** Makes a check of texts for a term, the way the full-text index reads them. */
export function createCheck({words, isPrefix}: Term): (text: string) => boolean {
  const pattern = toPattern({words: words.map(fold), isPrefix})
  return (text) => pattern.test(fold(text))
}

/** Accents do not matter. */
function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
}
