import type {Database, SqlValue} from './database.ts'

/** Rows are inserted together: a driver call costs more than a row. */
const SIZES = [32, 4, 1]

/**
 * Inserts any number of rows with few calls.
 *
 * @param into - The table and its columns.
 * @param conflict - The conflict clause for existing rows.
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
