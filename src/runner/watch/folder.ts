import type {FSWatcher} from 'node:fs'
import {joinPath, type BytePath} from './byte-path.ts'
import type {IgnoreRules} from './ignore-rules.ts'

/** A watched folder and its known content. */
export interface Folder {
  /** Relative to the root, whose path is empty. */
  readonly path: BytePath
  readonly name: BytePath
  readonly parent: Folder | undefined
  /** Files with their stamp, if it was read. */
  readonly files: Map<BytePath, string | undefined>
  readonly folders: Map<BytePath, Folder>
  rules: IgnoreRules | undefined
  watcher: FSWatcher | undefined
  /** Whether it counts towards `maxFolders`. */
  isCounted: boolean
  /** Set when the folder has been listed. */
  inode: number | undefined
  /** When it was first listed. */
  listedAt: number
  /** Number of scans of this folder that are running. */
  scanCount: number
  isGone: boolean
}

export function createFolder(name: BytePath, parent: Folder | undefined): Folder {
  const folder: Folder = {
    path: parent === undefined ? '' : joinPath(parent.path, name),
    name,
    parent,
    files: new Map(),
    folders: new Map(),
    rules: undefined,
    watcher: undefined,
    isCounted: false,
    inode: undefined,
    listedAt: Number.POSITIVE_INFINITY,
    scanCount: 0,
    isGone: false,
  }
  parent?.folders.set(name, folder)
  return folder
}

/** The folder that contains a path, if it has been listed. */
export function findParent(top: Folder, path: BytePath): Folder | undefined {
  let folder: Folder | undefined = top
  let from = 0
  for (let to = path.indexOf('/'); to !== -1; to = path.indexOf('/', from)) {
    folder = folder.folders.get(path.slice(from, to))
    if (folder === undefined) return undefined
    from = to + 1
  }
  return folder.inode === undefined ? undefined : folder
}

/** The folder itself and all folders below it. */
export function* foldersIn(folder: Folder): Generator<Folder> {
  yield folder
  for (const child of folder.folders.values()) yield* foldersIn(child)
}

export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1)
}
