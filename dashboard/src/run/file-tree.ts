import type {ChangedFile} from './changed-files.ts'

/** A row of the file list: a file, or a folder with its content. */
export type TreeRow = FolderRow | FileRow

interface TreeRowBase {
  /** The path; a folder ends with a separator. */
  key: string
  name: string
  /** Its depth, from 0. */
  depth: number
  /** Its position within the folder, from 1, and the number of siblings. */
  place: number
  placeCount: number
}

/** A folder, with the sums of its content. */
export interface FolderRow extends TreeRowBase {
  type: 'folder'
  isOpen: boolean
  fileCount: number
  added: number
  removed: number
}

export interface FileRow extends TreeRowBase {
  type: 'file'
  file: ChangedFile
}

/** Up to this many files are shown as a flat list. */
const MAX_FLAT = 6
/** Limits the depth of folders. */
const DEEPEST = 24

interface Folder {
  name: string
  key: string
  folders: Map<string, Folder>
  files: {name: string; file: ChangedFile}[]
  fileCount: number
  added: number
  removed: number
}

/** The rows of a file tree, folders first; a flat list when there are few or all are in one folder. */
export function listTreeRows(
  files: readonly ChangedFile[],
  closed: ReadonlySet<string>,
): TreeRow[] {
  const root = buildTree(files)
  const only = joinOnly(root)
  if (files.length <= MAX_FLAT || only.folders.size === 0) {
    return files.map((file, index) => ({
      type: 'file',
      key: file.path,
      name: file.path,
      depth: 0,
      place: index + 1,
      placeCount: files.length,
      file,
    }))
  }
  const rows: TreeRow[] = []
  addRows(root, 0)
  return rows

  function addRows(folder: Folder, depth: number): void {
    const placeCount = folder.folders.size + folder.files.length
    let place = 0
    for (const child of sortByName(folder.folders.values())) {
      const joined = joinOnly(child)
      const {key, name, fileCount, added, removed} = joined
      const isOpen = !closed.has(key)
      const base = {key, name, depth, place: ++place, placeCount}
      rows.push({type: 'folder', ...base, isOpen, fileCount, added, removed})
      if (isOpen) addRows(joined, depth + 1)
    }
    for (const {name, file} of sortByName(folder.files)) {
      rows.push({type: 'file', key: file.path, name, depth, place: ++place, placeCount, file})
    }
  }
}

function buildTree(files: readonly ChangedFile[]): Folder {
  const root = createFolder('', '')
  for (const file of files) {
    const {path} = file
    const separator = path.includes('/') ? '/' : '\\'
    const parts = path.split(separator)
    const depth = Math.min(parts.length - 1, DEEPEST)
    let folder = root
    count(folder, file)
    for (const part of parts.slice(0, depth)) {
      folder = openFolder(folder, `${part}${separator}`)
      count(folder, file)
    }
    folder.files.push({name: parts.slice(depth).join(separator), file})
  }
  return root
}

function count(folder: Folder, {added, removed}: ChangedFile): void {
  folder.fileCount++
  folder.added += added
  folder.removed += removed
}

function openFolder(parent: Folder, name: string): Folder {
  const known = parent.folders.get(name)
  if (known !== undefined) return known
  const folder = createFolder(name, `${parent.key}${name}`)
  parent.folders.set(name, folder)
  return folder
}

function createFolder(name: string, key: string): Folder {
  return {name, key, folders: new Map(), files: [], fileCount: 0, added: 0, removed: 0}
}

/** Joins a folder with its only subfolder: `src/webhooks/`. */
function joinOnly(folder: Folder): Folder {
  let joined = folder
  while (joined.files.length === 0 && joined.folders.size === 1) {
    const [only] = joined.folders.values()
    if (only === undefined) break
    joined = {...only, name: `${joined.name}${only.name}`}
  }
  return joined
}

function sortByName<T extends {name: string}>(items: Iterable<T>): T[] {
  return [...items].toSorted((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
  )
}
