import {realpathSync} from 'node:fs'
import {tmpdir} from 'node:os'
import type {SqlRow, SqlValue} from './database.ts'
import {openSnapshot, TornError, type Snapshot} from './open-snapshot.ts'
import {selectSafely} from './select-safely.ts'

/** A database of another program, which is read without locks and without changes in its folder. */
export interface ReadOnlyDatabase {
  /** Runs `SELECT a, b AS c FROM …` on the present state. Text in the database may be damaged. */
  query(sql: string, ...values: SqlValue[]): SqlRow[]
  close(): void
}

/**
 * Opens a database of another program, including changes in its `-wal` file.
 *
 * @param scratch - A folder for private files. On the same device as the database, only the WAL is copied.
 */
export function openReadOnly(path: string, scratch: string = tmpdir()): ReadOnlyDatabase {
  let snapshot: Snapshot | undefined

  return {
    query(sql, ...values) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        try {
          snapshot = keepLatest(snapshot ?? unpark(path))
          snapshot ??= openSnapshot(realpathSync(path), scratch, attempt)
          const rows = selectSafely(snapshot.database, sql, values)
          if (snapshot.isConsistent()) return rows
        } catch (error) {
          const isTorn = error instanceof TornError || snapshot?.isConsistent() === false
          if (!isTorn) throw error
        }
        snapshot?.close()
        snapshot = undefined
        pause(attempt)
      }
      throw new Error(`${path} is being written. Try again later.`)
    },
    close() {
      if (snapshot !== undefined) park(path, snapshot)
      snapshot = undefined
    },
  }
}

const MAX_ATTEMPTS = 20
const MAX_PAUSE_MS = 10

/** How long a closed database stays open: many sessions are read from it one after the other. */
const PARK_MS = 1000

const parked = new Map<string, {snapshot: Snapshot; timer: NodeJS.Timeout}>()

function park(path: string, snapshot: Snapshot): void {
  unpark(path)?.close()
  const timer = setTimeout(() => unpark(path)?.close(), PARK_MS)
  timer.unref()
  parked.set(path, {snapshot, timer})
}

function unpark(path: string): Snapshot | undefined {
  const found = parked.get(path)
  if (found === undefined) return undefined
  clearTimeout(found.timer)
  parked.delete(path)
  return found.snapshot
}

/** Closes a snapshot if the database has changed since. */
function keepLatest(snapshot: Snapshot | undefined): Snapshot | undefined {
  if (snapshot === undefined || isLatest(snapshot)) return snapshot
  snapshot.close()
  return undefined
}

function isLatest(snapshot: Snapshot): boolean {
  try {
    return snapshot.isLatest()
  } catch {
    // The database was removed.
    return false
  }
}

function pause(attempt: number): void {
  const wait = new Int32Array(new SharedArrayBuffer(4))
  Atomics.wait(wait, 0, 0, Math.min(attempt, MAX_PAUSE_MS))
}
