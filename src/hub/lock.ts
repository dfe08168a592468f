import {createHash, randomUUID} from 'node:crypto'
import {readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {numberAt, textAt} from '../core/wire/json.ts'
import {makeFolder} from '../recording/recording.ts'
import {HubError} from './hub-error.ts'
import {createWhole, replaceWhole} from './whole-file.ts'

/** A process by more than its number, which another may have after it. */
export interface ProcessId {
  pid: number
  startTime?: string | undefined
}

/** Who claims a data folder, and how others are told apart. */
export interface ClaimOptions {
  self: ProcessId
  isAlive: (id: ProcessId) => boolean
  /** The version of Vitrine, for those who look for a hub. */
  version?: string | undefined
}

/** A data folder that is ours until we let go of it, or die. */
export interface DataDirClaim {
  /** Tells where the hub is, once it listens. */
  publish: (url: string) => void
  /** Whether the folder is still there, and ours. */
  isHeld: () => boolean
  /** Lets go of the folder, if it is still ours. */
  release: () => void
}

/** A hub that runs on this machine. */
export interface LocalHub {
  url: string
  pid: number
  version?: string | undefined
}

interface Owner extends ProcessId {
  /** Tells a claim from all others, also from earlier ones of a process of the same number. */
  claimId: string
  url?: string | undefined
  version?: string | undefined
}

const FILE = 'hub.json'

/** How long we wait for others who are about to claim the folder as well. */
const MOST_ROUNDS = 400
const ROUND_MS = 5

/** The claims of this very process, which is alive but need not be who has claimed under its number. */
const held = new Set<string>()

/**
 * Claims a data folder for one hub. Of several who try at the same time one succeeds, also when they find it claimed
 * by somebody who was killed; the others get an error that says who has it.
 */
export function claimDataDir(dataDir: string, options: ClaimOptions): DataDirClaim {
  const {self, version} = options
  const path = join(dataDir, FILE)
  const owner: Owner = {...self, claimId: randomUUID(), version}
  makeFolder(dataDir)
  held.add(owner.claimId)
  try {
    claim(path, owner, options)
  } catch (error) {
    held.delete(owner.claimId)
    throw error
  }
  const isOurs = (): boolean => parseOwner(tryRead(path))?.claimId === owner.claimId
  return {
    isHeld() {
      try {
        return isOurs()
      } catch {
        // It is there, and cannot be read just now.
        return true
      }
    },
    publish(url) {
      if (isOurs()) replaceWhole(path, toText({...owner, url}))
    },
    release() {
      if (isOurs()) rmSync(path, {force: true})
      held.delete(owner.claimId)
    },
  }
}

/** The hub that runs on a data folder; `null` when there is none, or it does not listen yet. */
export function findLocalHub(
  dataDir: string,
  isAlive: (id: ProcessId) => boolean,
): LocalHub | null {
  const owner = parseOwner(tryRead(join(dataDir, FILE)))
  if (owner?.url === undefined || !isAlive(owner)) return null
  return {url: owner.url, pid: owner.pid, version: owner.version}
}

function claim(path: string, owner: Owner, options: ClaimOptions): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const content = tryRead(path)
    const last = parseOwner(content)
    if (last !== null && isHolding(last, options)) throw alreadyRunning(path, last)
    const isClaimed =
      content === null ? createWhole(path, toText(owner)) : succeed(path, content, owner, options)
    if (isClaimed) return
    pause()
  }
  throw alreadyRunning(path, parseOwner(tryRead(path)))
}

/**
 * Takes the place of an owner who is gone. Only who makes the file that names the successor may do so; if that one is
 * gone before it was done, its own successor may, and so on.
 */
function succeed(path: string, content: string, owner: Owner, options: ClaimOptions): boolean {
  let last = content
  for (;;) {
    const next = successorPath(path, last)
    if (createWhole(next, toText(owner))) {
      // Somebody may have been faster, and be done: then there is nobody to succeed.
      const isFree = tryRead(path) === content
      if (isFree) replaceWhole(path, toText(owner))
      rmSync(next, {force: true})
      if (isFree) clean(path)
      return isFree
    }
    const heir = tryRead(next)
    const heirOwner = parseOwner(heir)
    if (heir === null || (heirOwner !== null && isHolding(heirOwner, options))) return false
    last = heir
  }
}

function successorPath(path: string, content: string): string {
  return `${path}.after-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`
}

/** Removes what those who were killed have left; whoever still holds one of these will see that we were faster. */
function clean(path: string): void {
  const dataDir = join(path, '..')
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(`${FILE}.after-`)) rmSync(join(dataDir, name), {force: true})
  }
}

function isHolding(owner: Owner, {self, isAlive}: ClaimOptions): boolean {
  return owner.pid === self.pid ? held.has(owner.claimId) : isAlive(owner)
}

function alreadyRunning(path: string, owner: Owner | null): HubError {
  const where = owner?.url ?? 'starting'
  const who = owner === null ? where : `${where} (pid ${owner.pid})`
  return new HubError(
    'already-running',
    `a hub is already running on this data directory: ${who}. If this is wrong, remove ${path}`,
  )
}

function toText(owner: Owner): string {
  return `${JSON.stringify(owner)}\n`
}

function parseOwner(content: string | null): Owner | null {
  const value = content === null ? null : tryParse(content)
  const pid = numberAt(value, 'pid')
  const claimId = textAt(value, 'claimId')
  if (pid === undefined || claimId === undefined) return null
  return {
    pid,
    claimId,
    startTime: textAt(value, 'startTime'),
    url: textAt(value, 'url'),
    version: textAt(value, 'version'),
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function tryRead(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'EISDIR') {
      throw new HubError('bad-claim-file', `${path} is a directory, expected a file. Remove it`)
    }
    throw error
  }
}

/** Claiming comes before everything else, so there is nobody who could be kept waiting. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROUND_MS)
}
