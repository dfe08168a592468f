import {isDamage, type Database} from './database.ts'

/** Does all of some work in the database, or nothing. */
export function transact(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (!isDamage(error)) rollBack(database)
    throw error
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has done so by itself when the disk is full.
  }
}
