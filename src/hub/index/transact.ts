import {isDamage, type Database} from './database.ts'

/** Runs work in a transaction. */
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
    // SQLite already rolled back when the disk is full.
  }
}
