import type {Database, SqlValue} from './database.ts'

/** A call of a driver takes longer than a row, so that rows go together. */
const SIZES = [32, 4, 1]

/**
 * Inserts any number of rows with few calls.
 *
 * @param into - The table and its columns.
 * @param conflict - What is done with a row that is there.
 */
export function createBulk(
  database: Database,
  into: string,
  conflict = '',
): (rows: readonly SqlValue[][]) => void {
  const width = into.split(',').length
  const row = `(${Array(width).fill('?').join(', ')})`
  const statements = SIZES.map((size) => {
    const values = Array(size).fill(row).join(', ')
    return {size, statement: database.prepare(`INSERT INTO ${into} VALUES ${values} ${conflict}`)}
  })
  return function insert(rows) {
    let done = 0
    for (const {size, statement} of statements) {
      while (rows.length - done >= size) {
        statement.run(...rows.slice(done, done + size).flat())
        done += size
      }
    }
  }
}
