import {accessSync, constants, copyFileSync, linkSync, mkdtempSync, rmSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {DamageError, openDatabase} from './database.ts'
import type {Database} from './database.ts'
import {consistencyOf, contentStampOf, hasJournal, hasWal} from './file-stamps.ts'

/** The state of a database of another program. */
export interface Snapshot {
  database: Database
  /** Whether all that was read belongs together. */
  isConsistent(): boolean
  /** Whether the database is still in this state. */
  isLatest(): boolean
  close(): void
}

/** The files changed while they were read. */
export class TornError extends Error {
  override name = 'TornError'
}

/**
 * Opens the present state of a database.
 *
 * @param attempt - Counts from 1: a program that writes without pause can change a small database faster than it is
 *   queried, which is why later attempts read a copy.
 */
export function openSnapshot(path: string, scratch: string, attempt: number): Snapshot {
  const stamp = consistencyOf(path)
  const content = contentStampOf(path)
  const isConsistent = () => consistencyOf(path) === stamp
  const isLatest = () => content !== undefined && contentStampOf(path) === content && isConsistent()
  const {size} = statSync(path)
  if (size === 0) throw new DamageError(`${path} is empty`)
  if (hasJournal(path)) throw new TornError(`${path} has a journal`)
  try {
    if (attempt > MAX_LINK_ATTEMPTS && size < MAX_COPY_BYTES) {
      return {...openCopy(path, scratch, isConsistent), isConsistent: () => true, isLatest}
    }
    const opened = hasWal(path) ? openWithWal(path, scratch) : openInPlace(path, 'immutable=1')
    return {...opened, isConsistent, isLatest}
  } catch (error) {
    throw isConsistent() ? error : new TornError(`${path} has changed`)
  }
}

const MAX_LINK_ATTEMPTS = 3
const MAX_COPY_BYTES = 64 * 1024 * 1024

/** With exclusive locking SQLite keeps the index of the WAL in memory, not in the `-shm` file. */
const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = OFF;
  PRAGMA mmap_size = 0;
  PRAGMA trusted_schema = OFF;
  PRAGMA query_only = ON;
`

const VFS_WITHOUT_LOCKS = process.platform === 'win32' ? 'win32-none' : 'unix-none'

type Opened = Pick<Snapshot, 'database' | 'close'>

function openInPlace(path: string, parameters: string): Opened {
  const database = openDatabase(`${pathToFileURL(path).href}?mode=ro&${parameters}`)
  const close = () => database.close()
  try {
    database.exec(SETTINGS)
    // Opens all files.
    database.prepare('PRAGMA schema_version').get()
    return {database, close}
  } catch (error) {
    close()
    throw error
  }
}

/**
 * SQLite can create, write and delete a WAL even if it only reads. It gets a private folder with a hard link to the
 * database, which it opens read-only, and with a copy of the WAL.
 */
function openWithWal(path: string, scratch: string): Opened {
  return withFolder(scratch, (folder) => {
    const copy = join(folder, 'database')
    if (!linkOrCopy(path, copy)) return openWithoutLocks(path)
    copyFile(`${path}-wal`, `${copy}-wal`)
    return openWithoutLocks(copy)
  })
}

function openCopy(path: string, scratch: string, isConsistent: () => boolean): Opened {
  return withFolder(scratch, (folder) => {
    const copy = join(folder, 'database')
    copyFile(path, copy)
    if (hasWal(path)) copyFile(`${path}-wal`, `${copy}-wal`)
    if (!isConsistent()) throw new TornError(`${path} has changed`)
    return openWithoutLocks(copy)
  })
}

function openWithoutLocks(path: string): Opened {
  return openInPlace(path, `vfs=${VFS_WITHOUT_LOCKS}`)
}

/** Removes the folder at once, because open files remain readable, except on Windows. */
function withFolder(scratch: string, open: (folder: string) => Opened): Opened {
  const folder = mkdtempSync(join(scratch, 'vitrine-database-'))
  try {
    const opened = open(folder)
    const close = () => {
      opened.close()
      removeFolder(folder)
    }
    return {database: opened.database, close}
  } finally {
    removeFolder(folder)
  }
}

/** Returns `false` if the database is better read in place: SQLite cannot change a folder that is not writable. */
function linkOrCopy(path: string, copy: string): boolean {
  try {
    linkSync(path, copy)
  } catch {
    if (!isWritable(dirname(path))) return false
    copyFile(path, copy)
  }
  return true
}

/** Clones the file where the file system can. */
function copyFile(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_FICLONE)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, {recursive: true, force: true})
  } catch {
    // Files are still open.
  }
}
