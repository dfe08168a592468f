import {asText, type Database, type SqlRow} from './database.ts'
import type {FindHead} from './run-head.ts'
import {toId, toLastId, toNumber} from './schema.ts'
import type {StoredItem} from './store.ts'

/** Pages the items of a run. */
export interface ItemReads {
  /** The items after a number, in order. */
  listItems(runId: string, since: number): Iterable<StoredItem>
  /** The items of lines from a number on, in order. */
  listLines(runId: string, from: number): Iterable<StoredItem>
}

/** How many rows are loaded at once. */
const ROWS = 200

/** Creates the reads of the table of items. */
export function createItemReads(database: Database, headOf: FindHead): ItemReads {
  const prepare = (columns: string, condition: string) =>
    database.prepare(
      `SELECT id, line, ${asText('json')} ${columns} FROM items
         WHERE id > CAST(? AS INTEGER) AND id <= CAST(? AS INTEGER) ${condition}
         ORDER BY id LIMIT ${ROWS}`,
    )
  const listItems = prepare('', '')
  const listLines = prepare(`, ${asText('complete')}`, 'AND line >= ?')
  return {
    listItems: (runId, since) => list(runId, since, (...range) => listItems.all(...range)),
    // An item has a higher number than its line: the start of the run is an item too.
    listLines: (runId, from) => list(runId, from, (...range) => listLines.all(...range, from)),
  }

  function* list(
    runId: string,
    since: number,
    read: (after: number, last: number) => SqlRow[],
  ): Generator<StoredItem> {
    const head = headOf(runId)
    if (head === undefined) return
    for (let after = toId(head.no, since); ;) {
      const rows = read(after, toLastId(head.no))
      for (const {id, line, json, complete} of rows) {
        yield {
          n: toNumber(Number(id)),
          line: Number(line),
          json: String(json),
          complete: typeof complete === 'string' ? complete : undefined,
        }
      }
      if (rows.length < ROWS) return
      after = Number(rows.at(-1)?.['id'])
    }
  }
}
