import {closeSync, openSync} from 'node:fs'

/** Files that are appended to, of which only those in use are open. */
export interface AppendFiles {
  /** The descriptor of a file, good until another file is opened. */
  open(path: string): number
  close(path: string): void
}

/** Keeps at most `maxOpen` files open; the one that was not used for longest is closed first. */
export function createAppendFiles(maxOpen: number): AppendFiles {
  /** In the order of their last use. */
  const files = new Map<string, number>()

  return {
    open(path) {
      const file = files.get(path) ?? openSync(path, 'a', 0o600)
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
