import type {SearchStore} from './search-store.ts'
import type {Term} from './terms.ts'

const PREFIX_LENGTH = 2
/** Words of this length may differ in two letters, shorter ones in one. */
const LONG_WORD = 7

/** A word that occurs and is similar to one that does not. */
export function suggestWord(store: SearchStore, missing: readonly Term[]): string | undefined {
  const term = missing.find(({words}) => words.length === 1)
  const word = term?.words[0]?.toLowerCase() ?? ''
  if (word.length <= PREFIX_LENGTH) return undefined
  let best: {word: string; count: number} | undefined
  let bestDistance = word.length < LONG_WORD ? 1 : 2
  for (const known of store.listWords(word.slice(0, PREFIX_LENGTH))) {
    if (Math.abs(known.word.length - word.length) > bestDistance) continue
    const distance = measureDistance(word, known.word)
    const isBetter = distance < bestDistance || best === undefined || known.count > best.count
    if (distance > bestDistance || !isBetter) continue
    best = known
    bestDistance = distance
  }
  return best && store.findSpelling(best.word)
}

/** How many letters must be added, removed or replaced to turn one word into another. */
function measureDistance(one: string, other: string): number {
  let row = Array.from({length: other.length + 1}, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + Number(one[at - 1] !== other[to - 1])
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
