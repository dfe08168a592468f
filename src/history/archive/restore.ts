import {createHash} from 'node:crypto'
import {closeSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {reasonOf} from '../../recording/describe-errno.ts'
import {openForReading, readAt} from '../read-file.ts'
import {pathOf} from '../transcripts.ts'
import {readManifest, type ArchivedFile} from './manifest.ts'
import {isAbove} from './readable.ts'
import {writeCopy} from './write-copy.ts'

/** What happened to a file that was to be restored. */
export interface RestoredFile {
  path: string
  /**
   * `restored`: written. `same`: it exists with the same content. `different`: it exists with other content and was
   * left alone. `in-database`: it cannot be put back into the database. `failed`: see `reason`.
   */
  state: 'restored' | 'same' | 'different' | 'in-database' | 'failed'
  reason?: string | undefined
}

/** Options of {@link restoreSession}. */
export interface RestoreOptions {
  /** The folder of the archive. */
  folder: string
  agent: string
  /** The id that the agent uses. */
  sessionId: string
  /**
   * A folder, in which files have their paths relative to the folder of the agent.
   *
   * @defaultValue Where the files were.
   */
  to?: string | undefined
}

/** Restores the files of a session, byte for byte and with their times. Files that exist are never changed. */
export function restoreSession({folder, agent, sessionId, to}: RestoreOptions): RestoredFile[] {
  const files = [...readManifest(folder).values()].filter((file) => file.agent === agent)
  const own = files.filter((file) => file.sessionId === sessionId)
  const shared = files.filter((other) =>
    own.some((file) => file.root === other.root && isAbove(other, file)),
  )
  return [
    ...own.map((file) => restoreFile(file, folder, to)),
    // Agents change these files with each session: a different one is newer.
    ...shared
      .map((file) => restoreFile(file, folder, to))
      .filter(({state}) => state === 'restored' || state === 'failed'),
  ]
}

function restoreFile(file: ArchivedFile, folder: string, to: string | undefined): RestoredFile {
  const path = targetOf(file, to)
  if (path === undefined) return {path: file.key, state: 'in-database'}
  try {
    if (writeCopy(file, {folder, path, replaces: false})) return {path, state: 'restored'}
    return {path, state: isSame(file, path) ? 'same' : 'different'}
  } catch (error) {
    return {path, state: 'failed', reason: reasonOf(error)}
  }
}

function targetOf(file: ArchivedFile, to: string | undefined): string | undefined {
  const {root, path, storedSession} = file
  if (storedSession === undefined) return to === undefined ? pathOf({root, path}) : join(to, path)
  return to === undefined ? undefined : join(to, `${storedSession}.jsonl`)
}

function isSame({size, sha256}: ArchivedFile, path: string): boolean {
  const stats = statSync(path)
  return stats.isFile() && stats.size === size && hashFile(path) === sha256
}

const BLOCK_BYTES = 1024 * 1024

function hashFile(path: string): string {
  const digest = createHash('sha256')
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  const file = openForReading(path)
  try {
    for (let at = 0; ;) {
      const size = readAt(file, block, at)
      if (size === 0) return digest.digest('hex')
      digest.update(block.subarray(0, size))
      at += size
    }
  } finally {
    closeSync(file)
  }
}
