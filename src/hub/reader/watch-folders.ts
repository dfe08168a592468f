import type {FSWatcher} from 'node:fs'
import {tryWatch} from '../../recording/read/try-watch.ts'

/** The folders that are watched: each needs a watch of the system, of which there are few. */
const MAX_FOLDERS = 1000

/** Watches the folders that contain sessions. */
export interface FolderWatcher {
  /** Watches these folders, and no others. */
  watch(folders: Iterable<string>): void
  close(): void
}

/** Creates a watcher of folders. */
export function createFolderWatcher(onChange: () => void): FolderWatcher {
  const watchers = new Map<string, FSWatcher>()
  return {
    watch(folders) {
      const wanted = new Set(folders)
      for (const [folder, watcher] of watchers) {
        if (wanted.has(folder)) continue
        watcher.close()
        watchers.delete(folder)
      }
      for (const folder of wanted) {
        if (watchers.has(folder) || watchers.size >= MAX_FOLDERS) continue
        const watcher = tryWatch(folder, onChange)
        if (watcher !== undefined) watchers.set(folder, watcher)
      }
    },
    close() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}
