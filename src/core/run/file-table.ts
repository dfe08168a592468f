import type {FileAction, FileChangeEvent} from '../events/events.ts'
import {relativePath} from '../text/normalize-path.ts'

/** Files by path, in two parts: a small one that is copied with each change, and a large one that is copied rarely. */
export interface FileTable {
  older: Readonly<Record<string, FileState>>
  recent: Readonly<Record<string, FileState>>
}

/** The state of a file after all its changes in the run. */
export interface FileState {
  action: FileAction
  added: number
  removed: number
  /** Whether all of its changes may have been made by another run. */
  isUncertain?: boolean | undefined
}

/** A change of a file. */
export interface TableChange extends Pick<
  FileChangeEvent,
  'path' | 'action' | 'added' | 'removed'
> {
  /** Whether another run may have made it. */
  isUncertain?: boolean | undefined
}

/** Number of files in `recent` after which it is merged into `older`. */
const MAX_RECENT = 256

/** Adds a change. Tools report absolute paths, the watcher relative ones: each file is in the table once. */
export function changeFile(
  {older, recent}: FileTable,
  change: TableChange,
  cwd: string | undefined,
): FileTable {
  const {action, added = 0, removed = 0} = change
  const path = relativePath(change.path, cwd)
  const before = ownValue(recent, path) ?? ownValue(older, path)
  const file: FileState = {
    action: before?.action === 'created' && action === 'modified' ? 'created' : action,
    added: (before?.added ?? 0) + added,
    removed: (before?.removed ?? 0) + removed,
  }
  const wasCertain = before !== undefined && before.isUncertain !== true
  if (change.isUncertain === true && !wasCertain) file.isUncertain = true
  const changed = {...recent, [path]: file}
  if (Object.keys(changed).length <= MAX_RECENT) return {older, recent: changed}
  return {older: {...older, ...changed}, recent: {}}
}

/** Counts changed files and lines. Changes that another run may have made do not count. */
export function countFiles(state: {files: FileTable}): {
  fileCount: number
  added: number
  removed: number
} {
  const files = Object.values(listFiles(state)).filter(({isUncertain}) => isUncertain !== true)
  return {
    fileCount: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  }
}

/** Returns the last state of every changed file by path, in the order of the first changes. */
export function listFiles({files: {older, recent}}: {files: FileTable}): Record<string, FileState> {
  return {...older, ...recent}
}

/** Whether a file was changed at all. */
export function hasFiles({older, recent}: FileTable): boolean {
  for (const _ in recent) return true
  for (const _ in older) return true
  return false
}

function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
