import {chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import type {Change} from './batch.ts'
import {isDamage, openDatabase, type Database} from './database.ts'
import {createReads, type Reads} from './reads.ts'
import {SCHEMA, SCHEMA_VERSION, SETTINGS} from './schema.ts'
import {createWriter} from './writer.ts'

/** An index in a file. */
export interface IndexFile {
  /** Makes all changes, or none of them. */
  write(changes: readonly Change[]): void
  /** Asks the index something. */
  read<T>(ask: (reads: Reads) => T): T
  /** Begins anew with an empty file. */
  clear(): void
  close(): void
}

/**
 * Opens an index, and makes it when there is none. What is damaged is removed and made anew, empty; whoever notices the damage
 * gets an error all the same.
 *
 * @param onDamage - Is told why the index is empty now.
 */
export function openIndexFile(path: string, onDamage: (reason: string) => void): IndexFile {
  let opened = openOrReplace()

  return {
    write: (changes) => guard(() => opened.write(changes)),
    read: (ask) => guard(() => ask(opened.reads)),
    clear: replace,
    close() {
      // What is left in the log goes to the file; the log is removed with the last connection.
      guard(() => opened.database.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)'))
      opened.database.close()
    },
  }

  function openOrReplace(): Opened {
    try {
      return open(path)
    } catch (error) {
      if (!isDamage(error) && !(error instanceof OtherVersion)) throw error
      removeIndex(path)
      const fresh = open(path)
      onDamage(describe(error))
      return fresh
    }
  }

  function guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) {
        replace()
        onDamage(describe(error))
      }
      throw error
    }
  }

  function replace(): void {
    closeQuietly(opened.database)
    removeIndex(path)
    opened = open(path)
  }
}

/** The parts of an index whose database is open. */
interface Opened {
  database: Database
  write(changes: readonly Change[]): void
  reads: Reads
}

/** An index that another version of Vitrine made. */
class OtherVersion extends Error {}

function open(path: string): Opened {
  makeFile(path)
  const database = openDatabase(path)
  try {
    database.exec(SETTINGS)
    const version = database.prepare('PRAGMA user_version').get()?.['user_version']
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
    if (version === 0 && isEmpty) database.exec(`BEGIN; ${SCHEMA} COMMIT`)
    else if (version !== SCHEMA_VERSION) throw new OtherVersion()
    return {database, write: createWriter(database), reads: createReads(database)}
  } catch (error) {
    closeQuietly(database)
    throw error
  }
}

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/** SQLite gives its other files the mode of this one. */
function makeFile(path: string): void {
  makeFolder(dirname(path))
  closeSync(openSync(path, 'a', PRIVATE_FILE))
  chmodSync(path, PRIVATE_FILE)
}

/** Makes a folder and those above it. Node's own way never ends where the system has no room for folders, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    readdirSync(path)
    return
  }
  makeFolder(dirname(path))
  mkdirSync(path, {mode: PRIVATE_FOLDER})
}

function removeIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, {force: true})
}

function closeQuietly(database: Database): void {
  try {
    database.close()
  } catch {
    // It is not used any more.
  }
}

function describe(error: unknown): string {
  if (error instanceof OtherVersion) return 'The index was made by another version of Vitrine.'
  return `The index is damaged: ${error instanceof Error ? error.message : String(error)}.`
}
