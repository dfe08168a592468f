import {join} from 'node:path'
import {textAt} from '../core/wire/json.ts'
import {describeErrno, errnoOf} from '../recording/describe-errno.ts'
import {acquireLock, isHolderAlive, readLockHolder, type Lock} from '../recording/lock.ts'
import {makeFolder} from '../recording/make-folder.ts'
import {HubError} from './hub-error.ts'

/** A hub that runs on this machine. */
export interface LocalHub {
  url: string
  pid: number
  version?: string | undefined
}

const FILE = 'hub.json'

/** How long to wait for other processes that take over the lock of a hub that was killed. */
const TAKEOVER_TIMEOUT_MS = 2000

/**
 * Locks a data folder for one hub, which publishes its URL in the lock file.
 *
 * @param version - The version of Vitrine, for processes that look for a hub.
 * @throws HubError when a hub runs on the folder.
 */
export async function lockDataDir(dataDir: string, version?: string): Promise<Lock> {
  const path = join(dataDir, FILE)
  makeFolder(dataDir)
  try {
    const lock = await acquireLock(path, {facts: {version}, timeoutMs: TAKEOVER_TIMEOUT_MS})
    if (lock !== null) return lock
  } catch (error) {
    throw explainFolder(error, path)
  }
  const holder = readLockHolder(path)
  const where = textAt(holder?.facts, 'url') ?? 'it is starting'
  const who = holder === null ? where : `${where} (pid ${holder.pid})`
  const message = `a hub is already running on this data directory: ${who}. If this is wrong, remove ${path}`
  throw new HubError('already-running', message)
}

/** The hub that runs on a data folder; `null` when there is none, or it does not listen yet. */
export function findLocalHub(dataDir: string): LocalHub | null {
  const path = join(dataDir, FILE)
  try {
    const holder = readLockHolder(path)
    const url = textAt(holder?.facts, 'url')
    if (holder === null || url === undefined || !isHolderAlive(holder)) return null
    return {url, pid: holder.pid, version: textAt(holder.facts, 'version')}
  } catch (error) {
    throw explainFolder(error, path)
  }
}

function explainFolder(error: unknown, path: string): unknown {
  if (errnoOf(error) !== 'EISDIR') return error
  return new HubError('bad-claim-file', `${describeErrno(error, path)}. Remove it`)
}
