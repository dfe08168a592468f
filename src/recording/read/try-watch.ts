import {watch, type FSWatcher} from 'node:fs'

/** Watches a file or a folder; `undefined` when that fails. Not every file system reports changes, so callers poll as well. */
export function tryWatch(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, {persistent: false}, onChange)
    return watcher.on('error', () => watcher.close())
  } catch {
    // The file does not exist, or too many files are watched.
    return undefined
  }
}
