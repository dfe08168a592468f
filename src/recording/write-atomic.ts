import {randomBytes} from 'node:crypto'
import {linkSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {attempt} from './attempt.ts'
import {errnoOf} from './describe-errno.ts'
import {PRIVATE_FILE_MODE} from './private-mode.ts'

export interface WriteOptions {
  /**
   * The mode of a new file.
   *
   * @defaultValue Readable by its owner only.
   */
  mode?: number | undefined
  /** Whether the content is on the disk before the file appears, so that it survives a power failure. */
  flush?: boolean | undefined
}

/** Replaces a file, or creates it: a reader sees the old content or the new one, never a part. */
export function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const draft = writeDraft(path, content, options)
  try {
    renameSync(draft, path)
  } catch (error) {
    throw abandon(error, draft, path)
  }
}

/** Creates a file with all of its content; false when there is one already. */
export function createAtomic(path: string, content: string, options: WriteOptions = {}): boolean {
  const draft = writeDraft(path, content, options)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    // On a file system without hard links, a reader may see the file empty for a moment.
    return errnoOf(error) !== 'EEXIST' && createInPlace(path, content, options)
  } finally {
    rmSync(draft, {force: true})
  }
}

/** A file that appears when it is complete. */
export interface AtomicFile {
  write(text: string): Promise<void>
  /** Puts the file in its place. */
  commit(): Promise<void>
  /** Removes what was written. */
  discard(): void
}

/** Opens a file to replace it in several writes. A pipe or device is written directly: it must not become a file. */
export async function openAtomic(path: string, {mode}: WriteOptions = {}): Promise<AtomicFile> {
  const isFile = statSync(path, {throwIfNoEntry: false})?.isFile() ?? true
  const draft = isFile ? draftOf(path) : path
  const file = await open(draft, isFile ? 'wx' : 'w', mode ?? PRIVATE_FILE_MODE)
  return {
    write: (text) => file.appendFile(text),
    async commit() {
      await file.close()
      if (isFile) renameSync(draft, path)
    },
    discard() {
      file.close().catch(() => {})
      if (isFile) rmSync(draft, {force: true})
    },
  }
}

function writeDraft(path: string, content: string | Uint8Array, options: WriteOptions): string {
  const draft = draftOf(path)
  try {
    writeNew(draft, content, options)
    return draft
  } catch (error) {
    throw abandon(error, draft, path)
  }
}

function draftOf(path: string): string {
  return `${path}.new-${randomBytes(6).toString('hex')}`
}

function createInPlace(path: string, content: string, options: WriteOptions): boolean {
  try {
    writeNew(path, content, options)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

function writeNew(path: string, content: string | Uint8Array, options: WriteOptions): void {
  const {mode = PRIVATE_FILE_MODE, flush = false} = options
  writeFileSync(path, content, {flag: 'wx', mode, flush})
}

/** Removes a draft. The error names the file that was to be written. */
function abandon(error: unknown, draft: string, path: string): unknown {
  attempt(() => rmSync(draft, {force: true}))
  return error instanceof Error ? Object.assign(error, {path}) : error
}
