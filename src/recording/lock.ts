import {createHash, randomUUID} from 'node:crypto'
import {readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {pid as ownPid} from 'node:process'
import {setTimeout} from 'node:timers/promises'
import {isRecord, numberAt, parseText, textAt, type JsonObject} from '../core/wire/json.ts'
import {attempt} from './attempt.ts'
import {errnoOf} from './describe-errno.ts'
import {isAlive, toProcessId, type ProcessId} from './process-id.ts'
import {createAtomic, writeAtomic} from './write-atomic.ts'

/** A lock file that this process holds. */
export interface Lock {
  /** Whether the file still exists and names this holder. */
  isHeld(): boolean
  /** Adds facts to the file, for other processes to read. */
  publish(facts: LockFacts): void
  /** Removes the file if this process still holds it. Never throws. */
  release(): void
}

/** Facts about the holder in a lock file. */
type LockFacts = Readonly<Record<string, string | undefined>>

/** The process that a lock file names. */
export interface LockHolder extends ProcessId {
  /** Distinguishes this holder from others of the same process. Version 0.1.0 ignores a file without it. */
  claimId?: string | undefined
  facts: JsonObject
}

export interface LockOptions {
  facts?: LockFacts | undefined
  /**
   * The age after which a lock is taken over from a live process, which may be suspended.
   *
   * @defaultValue Never.
   */
  maxAgeMs?: number | undefined
}

export interface AcquireOptions extends LockOptions {
  timeoutMs: number
  /** Whether to wait for a live holder to release the lock, and not only for a takeover to complete. */
  waitsForHolder?: boolean | undefined
}

const MAX_RETRY_INTERVAL_MS = 5

/** A file without a valid holder counts as held for this long: it may still be being written. */
const WRITE_TIMEOUT_MS = 250

/** The locks of this thread. Without start times, a file with our pid may be that of an earlier process. */
const held = new Set<string | undefined>()

/** Waits for a lock; `null` when it is not available in time. */
export async function acquireLock(path: string, options: AcquireOptions): Promise<Lock | null> {
  const {timeoutMs, waitsForHolder = false} = options
  const until = performance.now() + timeoutMs
  for (;;) {
    const lock = tryLock(path, options)
    if (lock !== null) return lock
    const holder = waitsForHolder ? null : readLockHolder(path)
    if (performance.now() > until || (holder !== null && isHolderAlive(holder))) return null
    await setTimeout(Math.random() * MAX_RETRY_INTERVAL_MS)
  }
}

/** Takes a lock if it is free or its holder has ended; `null` when another process holds it or takes it over. */
export function tryLock(path: string, options: LockOptions = {}): Lock | null {
  const claimId = randomUUID()
  const holder = {...toProcessId(ownPid), claimId, ...options.facts}
  if (!tryToHold(path, toText(holder), options)) return null
  held.add(claimId)
  const isOurs = () => readLockHolder(path)?.claimId === claimId
  return {
    isHeld() {
      // If it throws, the file exists and cannot be read at the moment.
      return attempt(isOurs) ?? true
    },
    publish(facts) {
      if (isOurs()) writeAtomic(path, toText({...holder, ...facts}))
    },
    release() {
      held.delete(claimId)
      // If it fails, another process takes it over once this one has ended.
      attempt(() => isOurs() && rmSync(path, {force: true}))
    },
  }
}

/** The holder that a lock file names, which may have ended; `null` when there is none. */
export function readLockHolder(path: string): LockHolder | null {
  return parseHolder(tryRead(path) ?? '')
}

/** Whether the process that a lock file names still runs and holds the lock. */
export function isHolderAlive(holder: LockHolder): boolean {
  const isAmbiguous = holder.pid === ownPid && holder.startTime === undefined
  return isAmbiguous ? held.has(holder.claimId) : isAlive(holder)
}

function tryToHold(path: string, text: string, options: LockOptions): boolean {
  const content = tryRead(path)
  if (content === null) return createAtomic(path, text)
  if (!isStale(path, content, options)) return false
  // Of all processes that have read this content, only the holder of a second lock may replace it.
  const takeover = tryLock(takeoverPath(path, content), {maxAgeMs: options.maxAgeMs})
  if (takeover === null) return false
  try {
    // Another process may have completed a takeover in the meantime.
    if (tryRead(path) !== content) return false
    writeAtomic(path, text)
    removeTakeovers(path)
    return true
  } finally {
    takeover.release()
  }
}

function isStale(path: string, content: string, {maxAgeMs = Infinity}: LockOptions): boolean {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats === undefined) return false
  const age = Date.now() - stats.mtimeMs
  const holder = parseHolder(content)
  if (holder === null) return Math.abs(age) > WRITE_TIMEOUT_MS
  return age > maxAgeMs || !isHolderAlive(holder)
}

const TAKEOVER = '.after-'

/** The lock of a takeover is named after the content that is to be replaced, which is never written twice. */
function takeoverPath(path: string, content: string): string {
  const [base = ''] = basename(path).split(TAKEOVER)
  const isTakeover = base !== basename(path)
  const digest = createHash('sha256').update(isTakeover ? path + content : content)
  return join(dirname(path), `${base}${TAKEOVER}${digest.digest('hex').slice(0, 32)}`)
}

/** Removes the takeover locks of processes that were killed. A live process that holds one finds its content replaced. */
function removeTakeovers(path: string): void {
  const prefix = `${basename(path)}${TAKEOVER}`
  // Those that remain are ignored, and removed by a later takeover.
  attempt(() => {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(prefix)) rmSync(join(dirname(path), name), {force: true})
    }
  })
}

function toText(holder: LockFacts | ProcessId): string {
  return `${JSON.stringify(holder)}\n`
}

function parseHolder(content: string): LockHolder | null {
  const value = parseText(content)
  const pid = numberAt(value, 'pid')
  if (pid === undefined || !isRecord(value)) return null
  const startTime = textAt(value, 'startTime')
  return {pid, startTime, claimId: textAt(value, 'claimId'), facts: value}
}

function tryRead(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}
