import {DamageError, type Database, type SqlValue} from './database.ts'

/** Where texts are in the full-text index. */
export interface Spots {
  /** Gives a place for the text of a message, after all earlier ones. */
  add(at: number, message: number): number
  remove(id: SqlValue): void
}

/** So many texts have room in a millisecond; those that have none go to the next. */
const SPOTS_PER_MS = 4096

/** In 2039: as far as a number of 53 bits goes, less some minutes for those that have no room. */
const LATEST = 2 ** 41 - 2 ** 20

/** How far away from its time a text may be put, so that those of the same time keep their order. */
const REACH = SPOTS_PER_MS * 1000

/** Gives out places in the full-text index in the order of time, whenever the messages are written. */
export function createSpots(database: Database): Spots {
  const insert = database.prepare(
    'INSERT INTO spots (id, message) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const findLast = database.prepare('SELECT max(id) AS id FROM spots WHERE id BETWEEN ? AND ?')
  const remove = database.prepare('DELETE FROM spots WHERE id = ?')
  let last = 0
  return {
    add(at, message) {
      let id = Math.min(Math.max(Math.floor(at), 0), LATEST) * SPOTS_PER_MS
      if (id <= last && last < id + REACH) id = last + 1
      while (insert.run(id, message) === 0) {
        const taken = findLast.get(id, id + REACH)?.['id']
        if (typeof taken !== 'number') throw new DamageError('a place is taken and free at once')
        id = taken + 1
      }
      last = id
      return id
    },
    remove(id) {
      remove.run(id)
    },
  }
}
