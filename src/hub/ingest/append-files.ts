import {closeSync, openSync} from 'node:fs'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'

/** Files opened for appending, of which only the recently used are open. */
export interface AppendFiles {
  /** The descriptor of a file, valid until another file is opened. */
  open(path: string): number
  close(path: string): void
}

/** Keeps at most `maxOpen` files open; the least recently used is closed first. */
export function createAppendFiles(maxOpen: number): AppendFiles {
  /** In the order of their last use. */
  const files = new Map<string, number>()

  return {
    open(path) {
      const file = files.get(path) ?? openSync(path, 'a', PRIVATE_FILE_MODE)
      files.delete(path)
      files.set(path, file)
      for (const oldest of files.keys()) {
        if (files.size <= maxOpen) break
        close(oldest)
      }
      return file
    },
    close,
  }

  function close(path: string): void {
    const file = files.get(path)
    files.delete(path)
    if (file !== undefined) closeSync(file)
  }
}
