import {createBulk} from './bulk.ts'
import type {Database} from './database.ts'
import {toMessageId, toRunWord, toTypeWord} from './schema.ts'
import {createSpots, toSpot} from './search-rows.ts'

/** A text by which a message is found. */
export interface FoundText {
  run: number
  seq: number
  type: string
  at: number
  text: string
}

/** Adds texts to the full-text index. */
export function createTexts(database: Database): (texts: readonly FoundText[]) => void {
  const takeSpots = createSpots(database)
  const insert = createBulk(database, 'found (rowid, text, run, type)')
  return function add(texts) {
    if (texts.length === 0) return
    // It likes those best that come in the order of their places.
    const wishes = texts
      .map((text) => ({
        text,
        spot: toSpot(text.at, text.run),
        message: toMessageId(text.run, text.seq),
      }))
      .toSorted((a, b) => a.spot - b.spot)
    const places = takeSpots(wishes)
    insert(
      wishes.map(({text: {text, run, type}}, index) => {
        return [places[index] ?? null, text, toRunWord(run), toTypeWord(type)]
      }),
    )
  }
}
