import {createBulk} from './bulk.ts'
import type {Database} from './database.ts'
import {toMessageId, toRunWord, toTypeWord} from './schema.ts'
import {createRowAllocator, toSearchRow} from './search-rows.ts'

/** The searchable text of a message. */
export interface FoundText {
  run: number
  seq: number
  type: string
  at: number
  text: string
}

/** Adds texts to the full-text index. */
export function createTexts(database: Database): (texts: readonly FoundText[]) => void {
  const allocateRows = createRowAllocator(database)
  const insert = createBulk(database, 'found (rowid, text, run, type)')
  return function add(texts) {
    if (texts.length === 0) return
    // Inserts are fastest in the order of row ids.
    const wishes = texts
      .map((text) => ({
        text,
        row: toSearchRow(text.at, text.run),
        message: toMessageId(text.run, text.seq),
      }))
      .toSorted((a, b) => a.row - b.row)
    const places = allocateRows(wishes)
    insert(
      wishes.map(({text: {text, run, type}}, index) => {
        return [places[index] ?? null, text, toRunWord(run), toTypeWord(type)]
      }),
    )
  }
}
