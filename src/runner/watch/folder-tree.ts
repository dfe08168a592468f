import {lstatSync, watch, type Dirent, type FSWatcher, type Stats} from 'node:fs'
import {lstat, readdir} from 'node:fs/promises'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {stampOf} from '../../recording/completeness.ts'
import {joinPath, toSystemPath, toText, type BytePath} from './byte-path.ts'
import {createFolder, findParent, foldersIn, nameOf, type Folder} from './folder.ts'
import {readOuterRules, readRules, type IgnoreRules} from './ignore-rules.ts'
import {createConcurrencyLimit} from './concurrency-limit.ts'
import {createLimitReporter} from './limit-reporter.ts'
import {isFile, isModified} from './file-stamp.ts'
import type {Sign} from './path-debouncer.ts'

/** The known files below a root, and the watches on their folders. Paths are relative to the root. */
export interface FolderTree {
  /** Scans and watches the tree. */
  open(): Promise<void>
  /** Whether the folder of a path is being scanned, so that its changes are not known yet. */
  isBusyAt(path: BytePath): boolean
  /** Updates a path with its current state on disk and returns the change of the file. */
  update(path: BytePath, stats: Stats | undefined, sign: Sign): Change | undefined
  /** Resolves when no scan is running. */
  idle(): Promise<void>
  /** Stops watching; `update` can still be called. */
  close(): void
}

type Change = 'created' | 'modified' | 'deleted'

export interface FolderTreeOptions {
  /** Called when a path may have changed on disk. */
  onTouch(path: BytePath, sign: Sign): void
  /** Whether the name is already known to have been created or removed. */
  isTouched(path: BytePath): boolean
  /** Called for each file of a removed folder. */
  onGone(path: BytePath): void
  /** Whether a path is excluded independently of git. */
  isExcluded(path: BytePath): boolean
  onLimit(reason: string): void
  maxFolders: number
  maxFiles: number
  /** Whether the system watches recursively. */
  isRecursive: boolean
  /** Files created after this time are new, even if the initial scan finds them. */
  since: number
}

/** `first`: files existed before; `again`: unknown files are new; `thorough`: known files may have changed, too. */
type ScanMode = 'first' | 'again' | 'thorough'

interface Listing {
  entries: Dirent[]
  /** Whether another folder has taken its place. */
  isReplaced: boolean
  /** Whether the folder was modified after `since`. */
  isModifiedSince: boolean
  formerRules: IgnoreRules | undefined
}

/** Few, so that other file access of this process does not wait for ours. */
const MAX_CONCURRENT_LISTINGS = 2
/** Names processed before yielding to the event loop; takes well under a millisecond. */
const SLICE_LENGTH = 200
/** The system queues about twice as many events, and drops more of them silently. */
const OVERFLOW_EVENT_COUNT = 8000
const MAX_EARLY_SCANS = 100
/** The change of a file that was not known before, by the event of the system; without one only a tool reports it. */
const CHANGE_OF_UNKNOWN = {
  renamed: 'created',
  written: 'modified',
  none: undefined,
} as const satisfies Record<Sign, Change | undefined>
const SEPARATOR = process.platform === 'win32' ? /[\\/]/ : '/'

export function createFolderTree(root: BytePath, options: FolderTreeOptions): FolderTree {
  const {onTouch, isTouched, maxFolders, maxFiles, isRecursive} = options
  const top = createFolder(nameOf(root), undefined)
  const limitReporter = createLimitReporter(options.onLimit)
  const limit = createConcurrencyLimit(MAX_CONCURRENT_LISTINGS)
  const scans = new Set<Promise<void>>()
  const outerWatchers: FSWatcher[] = []
  let outerRules: IgnoreRules | undefined
  let folderCount = 0
  let fileCount = 0
  let eventCount = 0
  let earlyCount = 0
  let isClosed = false

  return {
    async open() {
      const {rules, folders} = await readOuterRules(toText(root))
      outerRules = rules
      for (const folder of folders) watchOuterRules(folder)
      await scan(top, 'first')
    },
    isBusyAt: (path) => (findParent(top, path)?.scanCount ?? 0) > 0,
    update,
    async idle() {
      while (scans.size > 0) await Promise.all(scans)
    },
    close() {
      isClosed = true
      for (const watcher of outerWatchers) watcher.close()
      for (const folder of foldersIn(top)) folder.watcher?.close()
    },
  }

  function update(path: BytePath, stats: Stats | undefined, sign: Sign): Change | undefined {
    if (path === '') {
      updateTop(stats)
      return undefined
    }
    const folder = findParent(top, path)
    if (folder === undefined) return undefined
    const name = nameOf(path)
    if (stats?.isDirectory()) {
      enter(folder, name)
      return forgetFile(folder, name)
    }
    const before = folder.folders.get(name)
    if (before !== undefined) remove(before)
    const change = isFile(stats) ? updateFile(folder, name, stats, sign) : forgetFile(folder, name)
    if (name === '.gitignore' && change !== undefined) startScan(folder, 'again')
    return change
  }

  function updateTop(stats: Stats | undefined): void {
    if (stats?.isDirectory()) startScan(top, 'again')
    else if (!top.isGone) {
      remove(top)
      limitReporter.gone()
    }
  }

  function updateFile(
    folder: Folder,
    name: BytePath,
    stats: Stats,
    sign: Sign,
  ): Change | undefined {
    if (isIgnored(folder, name, '')) return undefined
    const isKnown = folder.files.has(name)
    const stamp = folder.files.get(name)
    if (!isKnown && !addFile(folder, name)) return undefined
    folder.files.set(name, stampOf(stats))
    if (!isKnown) return CHANGE_OF_UNKNOWN[sign]
    return isModified(stats, stamp, sign, folder.listedAt) ? 'modified' : undefined
  }

  /** Scans a folder that is new or may have been replaced. */
  function enter(parent: Folder, name: BytePath): void {
    if (isIgnored(parent, name, '/')) return
    startScan(parent.folders.get(name) ?? createFolder(name, parent), 'again')
  }

  function startScan(folder: Folder, mode: ScanMode): void {
    const work = scan(folder, mode).finally(() => scans.delete(work))
    scans.add(work)
  }

  /** Watches a folder, compares its content with the known files, and scans the folders in it. */
  async function scan(folder: Folder, mode: ScanMode): Promise<void> {
    const children: [Folder, ScanMode][] = []
    folder.scanCount++
    try {
      const listing = await limit(() => list(folder, mode))
      if (listing !== undefined) await compare(folder, listing, mode, children)
    } finally {
      folder.scanCount--
    }
    await Promise.all(children.map(([child, childMode]) => scan(child, childMode)))
  }

  async function list(folder: Folder, mode: ScanMode): Promise<Listing | undefined> {
    const isLate = isClosed && mode === 'first'
    if (folder.isGone || isLate || !ensureWatched(folder)) return undefined
    try {
      const location = locate(folder.path)
      // `watch` has just accessed the same path; an asynchronous call would cost far more.
      const stats = lstatSync(location)
      // `latin1` keeps all bytes, and is cheaper than a buffer per name.
      const entries = await readdir(location, {withFileTypes: true, encoding: 'latin1'})
      // If a link has replaced the folder, an event follows.
      if (!stats.isDirectory()) return undefined
      const formerRules = folder.rules
      folder.rules = await readOwnRules(folder, entries)
      const isReplaced = folder.inode !== undefined && folder.inode !== stats.ino
      folder.inode = stats.ino
      folder.listedAt = Math.min(folder.listedAt, Date.now())
      return {
        entries,
        isReplaced,
        isModifiedSince: stats.mtimeMs > options.since,
        formerRules,
      }
    } catch (error) {
      limitReporter.failed(toText(folder.path), folderCount, error)
      return undefined
    }
  }

  async function readOwnRules(folder: Folder, entries: Dirent[]): Promise<IgnoreRules | undefined> {
    const above = folder.parent?.rules ?? outerRules
    if (!entries.some(({name}) => name === '.gitignore')) return above
    const own = await readRules(locate(joinPath(folder.path, '.gitignore')))
    return above?.within(toText(folder.path), own)
  }

  async function compare(
    folder: Folder,
    {entries, isReplaced, isModifiedSince, formerRules}: Listing,
    mode: ScanMode,
    children: [Folder, ScanMode][],
  ): Promise<void> {
    const isDeep = isReplaced || mode === 'thorough' || formerRules !== folder.rules
    const names = new Set<BytePath>()
    for (const [index, entry] of entries.entries()) {
      if (index % SLICE_LENGTH === SLICE_LENGTH - 1) await nextTurn()
      if (folder.isGone || (isClosed && mode === 'first')) return
      const {name} = entry
      const path = joinPath(folder.path, name)
      const isFolder = entry.isDirectory()
      if (!isFolder && !isFile(entry)) continue
      const ending = isFolder ? '/' : ''
      if (isIgnored(folder, name, ending)) {
        forgetFile(folder, name)
        forget(folder.folders.get(name))
        continue
      }
      names.add(name)
      // A path that was ignored until now is not new.
      const childMode = formerRules?.ignores(toText(path) + ending) ? 'first' : mode
      const known = folder.folders.get(name)
      const isKnownFile = folder.files.has(name)
      if (isFolder ? isKnownFile : known !== undefined) onTouch(path, 'renamed')
      else if (isFolder) {
        if (known === undefined) children.push([createFolder(name, folder), childMode])
        else if (isDeep) children.push([known, childMode])
      } else if (isKnownFile) {
        if (isReplaced || mode === 'thorough') onTouch(path, isReplaced ? 'renamed' : 'written')
      } else if (!isTouched(path)) {
        const isOld = childMode === 'first' && !(isModifiedSince && (await isNew(path)))
        if (isOld) addFile(folder, name)
        else onTouch(path, 'renamed')
      }
    }
    for (const name of [...folder.files.keys(), ...folder.folders.keys()]) {
      if (!names.has(name)) onTouch(joinPath(folder.path, name), 'renamed')
    }
  }

  /** Whether a file was created after `since` and before the watch started. */
  async function isNew(path: BytePath): Promise<boolean> {
    const stats = await lstat(locate(path)).catch(() => undefined)
    return stats !== undefined && stats.birthtimeMs > options.since
  }

  /** Sets the new watch before closing the old one, so that no event is missed if the folder is the same. */
  function ensureWatched(folder: Folder): boolean {
    if (isClosed) return true
    try {
      if (!folder.isCounted && folderCount >= maxFolders) {
        limitReporter.reached('maxFolders', maxFolders)
        forget(folder)
        return false
      }
      if (folder === top || !isRecursive) {
        const old = folder.watcher
        folder.watcher = watch(
          // The recursive implementation of Node only accepts text.
          isRecursive ? toText(root) : locate(folder.path),
          {persistent: false, encoding: 'latin1', recursive: isRecursive},
          (type, name) => onWatchEvent(folder, type === 'rename' ? 'renamed' : 'written', name),
        ).on('error', (error) => limitReporter.failed(toText(folder.path), folderCount, error))
        old?.close()
      }
      if (!folder.isCounted) folderCount++
      folder.isCounted = true
      return true
    } catch (error) {
      limitReporter.failed(toText(folder.path), folderCount, error)
      if (!folder.isCounted && folder !== top) forget(folder)
      return false
    }
  }

  function onWatchEvent(watched: Folder, sign: Sign, from: BytePath | null): void {
    if (isClosed) return
    if (eventCount++ === 0) setImmediate(() => (eventCount = 0)).unref()
    if (from === null || eventCount === OVERFLOW_EVENT_COUNT) {
      startScan(top, 'thorough')
      return
    }
    const {folder, name} = isRecursive ? findPlace(from) : {folder: watched, name: from}
    // The event for the removed root has the name of the root itself.
    if (sign === 'renamed' && folder === top && name === top.name) onTouch('', sign)
    const path = joinPath(folder.path, name)
    if (!isTouched(path) && isIgnored(folder, name, '')) return
    onTouch(path, sign)
    const mayBeFolder = sign === 'renamed' && !folder.files.has(name)
    if (mayBeFolder && earlyCount < MAX_EARLY_SCANS) void enterEarly(folder, name)
  }

  /** The first part of a path that is not a known folder. */
  function findPlace(path: BytePath): {folder: Folder; name: BytePath} {
    const names = path.split(SEPARATOR)
    const last = names.pop() ?? ''
    let folder = top
    for (const name of names) {
      const next = folder.folders.get(name)
      if (next === undefined) return {folder, name}
      folder = next
    }
    return {folder, name: last}
  }

  /** Watches a new folder before its debounce time is over; skipped when many folders are created at once. */
  async function enterEarly(parent: Folder, name: BytePath): Promise<void> {
    earlyCount++
    const stats = await lstat(locate(joinPath(parent.path, name))).catch(() => undefined)
    earlyCount--
    const isNewFolder = stats?.isDirectory() && !parent.folders.has(name)
    if (isNewFolder && !parent.isGone && !isClosed) enter(parent, name)
  }

  function isIgnored(folder: Folder, name: BytePath, ending: '/' | ''): boolean {
    if (name === '.git' || name === 'node_modules') return true
    const path = joinPath(folder.path, name)
    return options.isExcluded(path) || (folder.rules?.ignores(toText(path) + ending) ?? false)
  }

  function addFile(folder: Folder, name: BytePath): boolean {
    if (fileCount >= maxFiles) {
      limitReporter.reached('maxFiles', maxFiles)
      return false
    }
    folder.files.set(name, undefined)
    fileCount++
    return true
  }

  function forgetFile(folder: Folder, name: BytePath): Change | undefined {
    if (!folder.files.delete(name)) return undefined
    fileCount--
    return 'deleted'
  }

  /** Removes a folder and reports its files as deleted. */
  function remove(folder: Folder): void {
    const gone = [...foldersIn(folder)].flatMap(({path, files}) =>
      [...files.keys()].map((name) => joinPath(path, name)),
    )
    forget(folder)
    for (const path of gone) options.onGone(path)
  }

  function forget(folder: Folder | undefined): void {
    if (folder === undefined) return
    for (const one of foldersIn(folder)) {
      one.watcher?.close()
      one.isGone = true
      if (one.isCounted) folderCount--
      one.isCounted = false
      fileCount -= one.files.size
      one.files.clear()
    }
    folder.parent?.folders.delete(folder.name)
  }

  function watchOuterRules(folder: string): void {
    if (isClosed) return
    try {
      const watcher = watch(folder, {persistent: false}, (_type, name) => {
        if (name === '.gitignore' || name === 'exclude') void readOuterRulesAgain()
      })
      outerWatchers.push(watcher.on('error', () => {}))
    } catch {
      // The current rules stay in force.
    }
  }

  async function readOuterRulesAgain(): Promise<void> {
    const {rules} = await readOuterRules(toText(root))
    outerRules = rules
    if (!isClosed) startScan(top, 'again')
  }

  function locate(path: BytePath): string | Buffer {
    return toSystemPath(path === '' ? root : joinPath(root, path))
  }
}
