import {randomBytes} from 'node:crypto'
import {readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {pid as ownPid} from 'node:process'
import {isRecord} from '../core/index.ts'
import {identify, isAlive} from '../recording/index.ts'

/** Whoever has waited so long goes on without: what it does must be harmless then, if not as good. */
const PATIENCE_MS = 3000

/** Nobody holds a lock for so long; whoever seems to was stopped in the middle. */
const LONGEST_HOLD_MS = 10_000

/**
 * Does something while nobody else does it, among processes that agree on a file. A lock that is left behind by one that is
 * gone is taken from it.
 */
export function withFileLock<T>(path: string, action: () => T): T {
  const token = JSON.stringify({...identify(ownPid), nonce: randomBytes(8).toString('hex')})
  const isOurs = acquire(path, token)
  try {
    return action()
  } finally {
    if (isOurs && tryRead(path) === token) rmSync(path, {force: true})
  }
}

function acquire(path: string, token: string): boolean {
  const until = Date.now() + PATIENCE_MS
  while (!tryCreate(path, token)) {
    if (Date.now() > until) return false
    if (isStale(path)) release(path, token)
    else sleep(1 + Math.random() * 4)
  }
  return true
}

/** Removes a lock that is stale. Of several who see that, one does: a second look could be at the lock of the next. */
function release(path: string, token: string): void {
  const claim = `${path}.stale`
  if (!tryCreate(claim, token)) {
    if (isStale(claim)) rmSync(claim, {force: true})
    return sleep(1)
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
  if (Date.now() - stats.mtimeMs > LONGEST_HOLD_MS) return true
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

/** Nothing else is to be done meanwhile. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
