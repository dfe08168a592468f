import type {FSWatcher} from 'node:fs'
import {joinPath, type BytePath} from './byte-path.ts'
import type {IgnoreRules} from './ignore-rules.ts'
import type {Seen} from './seen.ts'

/** A folder that is watched, and what is known to be in it. */
export interface Folder {
  /** Relative to the root, which is empty. */
  readonly path: BytePath
  readonly name: BytePath
  readonly parent: Folder | undefined
  /** With what was seen of each file, if it was looked at. */
  readonly files: Map<BytePath, Seen | undefined>
  readonly folders: Map<BytePath, Folder>
  rules: IgnoreRules | undefined
  watcher: FSWatcher | undefined
  /** Whether it is one of those that are counted. */
  isCounted: boolean
  /** Which folder it is, once it has been listed. */
  inode: number | undefined
  /** When it was listed first. */
  listedAt: number
  /** How many compare it with the disk right now. */
  looks: number
  isGone: boolean
}

/** Makes a folder of which nothing is known yet. */
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
    looks: 0,
    isGone: false,
  }
  parent?.folders.set(name, folder)
  return folder
}

/** The folder that a path is in, if it is known and has been listed. */
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

/** The folder itself and all below it. */
export function* foldersIn(folder: Folder): Generator<Folder> {
  yield folder
  for (const child of folder.folders.values()) yield* foldersIn(child)
}

/** The last name of a path. */
export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1)
}
