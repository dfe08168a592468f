import type {Change} from './batch.ts'
import {createChunkReads} from './chunk-reads.ts'
import {DamageError, isMistake, type Database} from './database.ts'
import {createSearchIndexer, type SearchIndexer} from './search-indexer.ts'
import {createReads, type Reads} from './reads.ts'
import {createRunHeads} from './run-progress.ts'
import {SCHEMA, SCHEMA_VERSION, SETTINGS} from './schema.ts'
import {createWriter} from './writer.ts'

/** The index in an open database. */
export interface MessageIndex {
  /** Applies all changes, or none. */
  write(changes: readonly Change[]): void
  /** Makes written messages searchable when idle. */
  searchIndexer: SearchIndexer
  reads: Reads
}

/** Creates the tables in an empty database, or uses the existing ones. */
export function createIndex(database: Database): MessageIndex {
  try {
    return findIndex(database)
  } catch (error) {
    if (!isMistake(error)) throw error
    throw new DamageError(`unexpected tables (${error.message})`)
  }
}

function findIndex(database: Database): MessageIndex {
  database.exec(SETTINGS)
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (version === 0 && isEmpty) database.exec(`BEGIN; ${SCHEMA} COMMIT`)
  else if (version !== SCHEMA_VERSION)
    throw new DamageError(`its schema version is ${version}, expected ${SCHEMA_VERSION}`)
  const heads = createRunHeads(database)
  const chunks = createChunkReads(database)
  const searchIndexer = createSearchIndexer(database, heads, chunks)
  return {
    write: createWriter(database, heads),
    searchIndexer: searchIndexer,
    reads: createReads(database, {heads, chunks, searchIndexer}),
  }
}
