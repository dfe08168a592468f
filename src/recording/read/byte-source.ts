import {closeSync, fstatSync, openSync, readSync} from 'node:fs'
import {errnoOf} from '../describe-errno.ts'

/** Bytes that are read by position: of a file that may grow, shrink or not exist yet, or of anything else. */
export interface ByteSource {
  /** The current size; 0 while the file does not exist. */
  readonly size: number
  /**
   * Reads from a position on.
   *
   * @returns How many bytes were read: 0 at the end, and while the file does not exist.
   */
  read(into: Buffer, position: number): number
  /** Closes the file; the next read opens it again. */
  close(): void
}

/**
 * Opens a file for reading.
 *
 * @param onUse - Called before each use of the descriptor, with the function that closes it.
 */
export function openFile(path: string, onUse?: (close: () => void) => void): ByteSource {
  let file: number | undefined
  return {
    get size() {
      const opened = use()
      return opened === undefined ? 0 : fstatSync(opened).size
    },
    read(into, position) {
      const opened = use()
      return opened === undefined ? 0 : readSync(opened, into, 0, into.length, position)
    },
    close,
  }

  function use(): number | undefined {
    file ??= tryOpen(path)
    if (file !== undefined) onUse?.(close)
    return file
  }

  function close(): void {
    pool.delete(close)
    if (file !== undefined) closeSync(file)
    file = undefined
  }
}

/** How many pooled files a thread keeps open: there may be many live runs and few descriptors. */
const MAX_POOLED_FILES = 64
/** Closes each open file of the pool, the least recently used first. */
const pool = new Set<() => void>()

/** Opens a file whose descriptor is closed when too many others were used since. */
export function openPooledFile(path: string): ByteSource {
  return openFile(path, (close) => {
    pool.delete(close)
    pool.add(close)
    for (const closeOldest of pool) {
      if (pool.size <= MAX_POOLED_FILES) break
      closeOldest()
    }
  })
}

/** Reads a part of a file: as many bytes of it as there are. */
export function readBytes(path: string, position: number, length: number): Buffer {
  const source = openFile(path)
  const bytes = Buffer.allocUnsafe(length)
  try {
    return bytes.subarray(0, source.read(bytes, position))
  } finally {
    source.close()
  }
}

/** Opens a file for reading; `undefined` when it does not exist. A file that cannot be read is an error, not missing. */
export function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
