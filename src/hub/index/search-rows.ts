import {DamageError, type Database} from './database.ts'
import {createBulk} from './bulk.ts'

/** Row ids per millisecond; texts beyond them move to the next millisecond. */
const ROWS_PER_MS = 4096

/** The year 2039: the largest time that fits into 53 bits, minus some minutes of reserve. */
const LATEST = 2 ** 41 - 2 ** 20

/** How far a row id may deviate from its time. */
const REACH = ROWS_PER_MS * 1000

/** The preferred row id of a text: by time, with the texts of a run side by side. */
export function toSearchRow(at: number, run: number): number {
  // Spreads runs, so that messages of the same time get different ids.
  return Math.min(Math.max(Math.floor(at), 0), LATEST) * ROWS_PER_MS + ((run * 1021) % ROWS_PER_MS)
}

/**
 * Allocates row ids of the full-text index, ordered by time.
 *
 * @returns A function that takes messages sorted by preferred id and returns their ids in the same order.
 */
export function createRowAllocator(
  database: Database,
): (wishes: readonly {row: number; message: number}[]) => number[] {
  const insert = createBulk(database, 'search_rows (id, message)')
  const countTaken = database.prepare(
    'SELECT count(*) AS count FROM search_rows WHERE id IN (SELECT value FROM json_each(?))',
  )
  const isTaken = database.prepare('SELECT 1 FROM search_rows WHERE id = ?')
  const findFree = database.prepare(
    `SELECT id + 1 AS id FROM search_rows AS taken WHERE taken.id >= ?
       AND NOT EXISTS (SELECT 1 FROM search_rows WHERE id = taken.id + 1) ORDER BY taken.id LIMIT 1`,
  )

  return function take(wishes) {
    let places = spread(wishes, (id) => id)
    const taken = countTaken.get(JSON.stringify(places))?.['count']
    if (taken !== 0) places = spread(wishes, toFree)
    insert(wishes.map(({message}, index) => [places[index] ?? null, message]))
    return places
  }

  /** The first free id from one on. */
  function toFree(id: number): number {
    if (isTaken.get(id) === undefined) return id
    const free = findFree.get(id)?.['id']
    if (typeof free !== 'number') throw new DamageError('a place is taken and free at once')
    return free
  }
}

function spread(wishes: readonly {row: number}[], toFree: (id: number) => number): number[] {
  let last = -1
  return wishes.map(({row}) => {
    last = toFree(row <= last && last < row + REACH ? last + 1 : row)
    return last
  })
}
