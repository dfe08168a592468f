import {closeSync, openSync, readSync, statSync} from 'node:fs'
import {errnoOf} from '../recording/describe-errno.ts'

const WAL_HEADER_BYTES = 32

/** The header of a database contains a counter of transactions, which is kept while there is no WAL. */
const HEADER_BYTES = 100

/** The header of a `-shm` file contains the number of the last transaction in the WAL, and the salts of the WAL. */
const INDEX_HEADER_BYTES = 48
const SALTS_OFFSET = 32
const SALTS_BYTES = 8

/** The field `nBackfillAttempted` of a `-shm` file: the last frame of the WAL that is being moved to the database. */
const BACKFILL_OFFSET = 128
const BACKFILL_BYTES = 4

/** More than the resolution of file times. */
const SETTLE_MS = 100

/**
 * Changes when the database changes in a way that a snapshot does not expect. Frames that are moved from the WAL to
 * the database are in the copy of the WAL, unless they were added later.
 */
export function consistencyOf(path: string): string {
  const {dev, ino, size, mtimeNs} = statSync(path, {bigint: true})
  // In this order: when a WAL begins again, its salts change before the field is 0 again.
  const backfill = readHex(`${path}-shm`, BACKFILL_OFFSET, BACKFILL_BYTES)
  const salts = readHex(`${path}-shm`, SALTS_OFFSET, SALTS_BYTES)
  const wal = readHex(`${path}-wal`, 0, WAL_HEADER_BYTES)
  const stamp = [dev, ino, backfill, salts, wal].join()
  if (wal !== '' && backfill !== '') return stamp
  return [stamp, size, mtimeNs, readHex(path, 0, HEADER_BYTES)].join()
}

/** Changes with each transaction; `undefined` if the next one could have the same stamp. */
export function contentStampOf(path: string): string | undefined {
  const index = readHex(`${path}-shm`, 0, INDEX_HEADER_BYTES)
  const files = [path, `${path}-wal`].map((name) =>
    statSync(name, {bigint: true, throwIfNoEntry: false}),
  )
  const changedAt = Math.max(...files.map((stats) => Number(stats?.mtimeMs ?? 0)))
  if (index === '' && Date.now() - changedAt < SETTLE_MS) return undefined
  const stamps = files.map(
    (stats) => `${stats?.dev} ${stats?.ino} ${stats?.size} ${stats?.mtimeNs}`,
  )
  return [index, ...stamps].join()
}

/** Whether there are changes in the WAL. */
export function hasWal(path: string): boolean {
  return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > WAL_HEADER_BYTES
}

/** Whether a transaction is being written without a WAL. The journal can remain afterwards, with zeros. */
export function hasJournal(path: string): boolean {
  return !/^(?:00)?$/.test(readHex(`${path}-journal`, 0, 1))
}

/** Returns an empty text if there is no file. */
function readHex(path: string, offset: number, length: number): string {
  const file = openFile(path)
  if (file === undefined) return ''
  try {
    const bytes = Buffer.alloc(length)
    return bytes.toString('hex', 0, readSync(file, bytes, 0, length, offset))
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
