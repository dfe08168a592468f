import {createHash, randomBytes} from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  futimesSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {errnoOf} from '../../recording/describe-errno.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE} from '../../recording/private-mode.ts'
import {ArchiveError} from './archive-error.ts'
import {readChunk} from './chunk-store.ts'
import {chunkFolder, type ArchivedFile} from './manifest.ts'

/** How to write a copy of an archived file. */
interface CopyOptions {
  /** The folder of the archive. */
  folder: string
  path: string
  /** Whether a file that exists is replaced. */
  replaces: boolean
}

/**
 * Writes an archived file with its bytes, mode and time. It appears when it is complete.
 *
 * @returns Whether it was written: not if the path exists and must not be replaced.
 * @throws ArchiveError if the archive is damaged.
 */
export function writeCopy(file: ArchivedFile, {folder, path, replaces}: CopyOptions): boolean {
  makeFolder(dirname(path), PRIVATE_FOLDER_MODE)
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    writeDraft(draft, file, folder)
    if (replaces) renameSync(draft, path)
    else linkSync(draft, path)
    return true
  } catch (error) {
    if (!replaces && errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, {force: true})
  }
}

/**
 * The content of an archived file, in parts.
 *
 * @throws ArchiveError if the archive is damaged.
 */
export function* readContent(file: ArchivedFile, folder: string): Generator<Buffer> {
  const digest = createHash('sha256')
  for (const chunk of file.chunks) {
    const bytes = readChunk(chunkFolder(folder), chunk)
    digest.update(bytes)
    yield bytes
  }
  if (digest.digest('hex') === file.sha256) return
  throw new ArchiveError(`the archived copy of ${file.key} is damaged`)
}

function writeDraft(path: string, file: ArchivedFile, folder: string): void {
  const draft = openSync(path, 'wx', PRIVATE_FILE_MODE)
  try {
    for (const bytes of readContent(file, folder)) {
      for (let at = 0; at < bytes.length;) at += writeSync(draft, bytes, at)
    }
    fchmodSync(draft, file.mode)
    // Node cuts times at microseconds.
    const seconds = (Math.round(file.mtimeMs * 1000) + 0.5) / 1e6
    futimesSync(draft, seconds, seconds)
  } finally {
    closeSync(draft)
  }
}
