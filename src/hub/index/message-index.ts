import type {Change} from './batch.ts'
import {createChunkReads} from './chunk-reads.ts'
import {DamageError, isMistake, type Database} from './database.ts'
import {createDeriver, type Deriver} from './search-indexer.ts'
import {createReads, type Reads} from './reads.ts'
import {createRunHeads} from './run-progress.ts'
import {SCHEMA, SCHEMA_VERSION, SETTINGS} from './schema.ts'
import {createWriter} from './writer.ts'

/** The index in an open database. */
export interface MessageIndex {
  /** Makes all changes, or none of them. */
  write(changes: readonly Change[]): void
  /** Makes what was written easy to find, when there is time for it. */
  deriver: Deriver
  reads: Reads
}

/** Makes the index in a database that is empty, or finds the one that is there. */
export function createIndex(database: Database): MessageIndex {
  try {
    return findIndex(database)
  } catch (error) {
    if (!isMistake(error)) throw error
    throw new DamageError(`its tables are not those of this version (${error.message})`)
  }
}

function findIndex(database: Database): MessageIndex {
  database.exec(SETTINGS)
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (version === 0 && isEmpty) database.exec(`BEGIN; ${SCHEMA} COMMIT`)
  else if (version !== SCHEMA_VERSION) throw new DamageError('it is of another version')
  const heads = createRunHeads(database)
  const chunks = createChunkReads(database)
  const deriver = createDeriver(database, heads, chunks)
  return {
    write: createWriter(database, heads),
    deriver,
    reads: createReads(database, {heads, chunks, deriver}),
  }
}
