import {join} from 'node:path'
import {acquireLock, type Lock} from '../../recording/lock.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {ArchiveError, toArchiveError} from './archive-error.ts'

const LOCK_TIMEOUT_MS = 10_000

/**
 * Locks the archive for writing.
 *
 * @throws ArchiveError if another process writes it.
 */
export async function lockArchive(folder: string): Promise<Lock> {
  try {
    makeFolder(folder)
    const options = {timeoutMs: LOCK_TIMEOUT_MS, waitsForHolder: true}
    const lock = await acquireLock(join(folder, 'lock'), options)
    if (lock !== null) return lock
  } catch (error) {
    throw toArchiveError(error)
  }
  throw new ArchiveError('another process is writing the archive. Try again later')
}
