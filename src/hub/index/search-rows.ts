import {DamageError, type Database} from './database.ts'
import {createBulk} from './bulk.ts'

/** So many texts have room in a millisecond; those that have none go to the next. */
const SPOTS_PER_MS = 4096

/** In 2039: as far as a number of 53 bits goes, less some minutes for those that have no room. */
const LATEST = 2 ** 41 - 2 ** 20

/** How far away from its time a text may be put, so that those of the same time keep their order. */
const REACH = SPOTS_PER_MS * 1000

/** Where a text would best be in the full-text index: by time, and those of a run beside each other. */
export function toSpot(at: number, run: number): number {
  // Runs are spread, for messages of the same time to have places of their own.
  return (
    Math.min(Math.max(Math.floor(at), 0), LATEST) * SPOTS_PER_MS + ((run * 1021) % SPOTS_PER_MS)
  )
}

/**
 * Gives out places in the full-text index, in the order of time whenever the messages come.
 *
 * @returns What takes messages, sorted by where they would best be, and gives the places that they got, in the same order.
 */
export function createSpots(
  database: Database,
): (wishes: readonly {spot: number; message: number}[]) => number[] {
  const insert = createBulk(database, 'spots (id, message)')
  const countTaken = database.prepare(
    'SELECT count(*) AS count FROM spots WHERE id IN (SELECT value FROM json_each(?))',
  )
  const isTaken = database.prepare('SELECT 1 FROM spots WHERE id = ?')
  const findFree = database.prepare(
    `SELECT id + 1 AS id FROM spots AS taken WHERE taken.id >= ?
       AND NOT EXISTS (SELECT 1 FROM spots WHERE id = taken.id + 1) ORDER BY taken.id LIMIT 1`,
  )

  return function take(wishes) {
    let places = spread(wishes, (id) => id)
    const taken = countTaken.get(JSON.stringify(places))?.['count']
    if (taken !== 0) places = spread(wishes, toFree)
    insert(wishes.map(({message}, index) => [places[index] ?? null, message]))
    return places
  }

  /** The first place that is free, from one on. */
  function toFree(id: number): number {
    if (isTaken.get(id) === undefined) return id
    const free = findFree.get(id)?.['id']
    if (typeof free !== 'number') throw new DamageError('a place is taken and free at once')
    return free
  }
}

function spread(wishes: readonly {spot: number}[], toFree: (id: number) => number): number[] {
  let last = -1
  return wishes.map(({spot}) => {
    last = toFree(spot <= last && last < spot + REACH ? last + 1 : spot)
    return last
  })
}
