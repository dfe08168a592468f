import {randomBytes} from 'node:crypto'
import {readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {pid as ownPid} from 'node:process'
import {setTimeout} from 'node:timers/promises'
import {isRecord} from '../core/wire/json.ts'
import {toProcessId, isAlive} from './process-id.ts'
import {toRecordingError} from './recording.ts'

/** After this time the action runs without the lock: it has to be harmless then, if less precise. */
const LOCK_TIMEOUT_MS = 3000

/** A lock that is older was left behind by a process that was stopped or killed. */
const MAX_LOCK_AGE_MS = 10_000

/** The last action of this process for each lock: within a process, actions run in the order of their calls. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Writes to a recording while no other process that uses the same lock file does.
 *
 * @throws RunError when the lock or the recording cannot be written.
 */
export async function recordWithLock<T>(path: string, action: () => T): Promise<T> {
  try {
    return await withFileLock(path, action)
  } catch (error) {
    throw toRecordingError(error)
  }
}

/**
 * Runs an action while no other process that uses the same lock file does. The lock of a process that has ended is
 * removed.
 */
async function withFileLock<T>(path: string, action: () => T): Promise<T> {
  const before = queues.get(path)
  const done = before === undefined ? lockAndRun(path, action) : runAfter(before)
  queues.set(path, done)
  try {
    return await done
  } finally {
    if (queues.get(path) === done) queues.delete(path)
  }

  async function runAfter(previous: Promise<unknown>): Promise<T> {
    await previous.catch(() => {})
    return lockAndRun(path, action)
  }
}

async function lockAndRun<T>(path: string, action: () => T): Promise<T> {
  const token = JSON.stringify({...toProcessId(ownPid), nonce: randomBytes(8).toString('hex')})
  const isOurs = await acquire(path, token)
  try {
    return action()
  } finally {
    if (isOurs && tryRead(path) === token) rmSync(path, {force: true})
  }
}

async function acquire(path: string, token: string): Promise<boolean> {
  const until = Date.now() + LOCK_TIMEOUT_MS
  while (!tryCreate(path, token)) {
    if (Date.now() > until) return false
    if (isStale(path)) await removeStale(path, token)
    else await setTimeout(1 + Math.random() * 4)
  }
  return true
}

/** Removes a stale lock. A second lock makes sure that only one process does: another could remove a fresh lock. */
async function removeStale(path: string, token: string): Promise<void> {
  const claim = `${path}.stale`
  if (!tryCreate(claim, token)) {
    if (isStale(claim)) rmSync(claim, {force: true})
    await setTimeout(1)
    return
  }
  try {
    if (isStale(path)) rmSync(path, {force: true})
  } finally {
    rmSync(claim, {force: true})
  }
}

function tryCreate(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, {flag: 'wx', mode: 0o600})
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isStale(path: string): boolean {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats === undefined) return false
  if (Date.now() - stats.mtimeMs > MAX_LOCK_AGE_MS) return true
  const holder = tryParse(tryRead(path))
  // It may just be being written.
  if (!isRecord(holder) || typeof holder['pid'] !== 'number') return false
  const {pid, startTime} = holder
  return !isAlive({pid, startTime: typeof startTime === 'string' ? startTime : undefined})
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
