import {lstatSync, watch, type Dirent, type FSWatcher, type Stats} from 'node:fs'
import {lstat, readdir} from 'node:fs/promises'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {joinPath, toSystem, toText, type BytePath} from './byte-path.ts'
import {createFolder, findParent, foldersIn, nameOf, type Folder} from './folder.ts'
import {readOuterRules, readRules, type IgnoreRules} from './ignore-rules.ts'
import {createLanes} from './lanes.ts'
import {createLimitNotes} from './limit-notes.ts'
import {isFile, isOther, toSeen} from './seen.ts'
import type {Sign} from './settling.ts'

/** The files that are known below a root, and the watch that is kept on them. Paths are relative to the root. */
export interface FolderTree {
  /** Walks the tree and watches it. */
  open(): Promise<void>
  /** Whether the folder of a path is being compared with the disk, so that nothing can be said yet. */
  isBusyAt(path: BytePath): boolean
  /** Takes in what is at a path now, and says what became of the file. */
  update(path: BytePath, stats: Stats | undefined, sign: Sign): Change | undefined
  /** Settles when no folder is being compared with the disk. */
  idle(): Promise<void>
  /** Hears no more. It can still be asked. */
  close(): void
}

/** What became of a file. */
type Change = 'created' | 'modified' | 'deleted'

/** What a tree needs. */
export interface FolderTreeOptions {
  /** Something happened to a path. */
  onTouch(path: BytePath, sign: Sign): void
  /** Whether the name is known to have come or gone. */
  isTouched(path: BytePath): boolean
  /** A file is gone with its folder. */
  onGone(path: BytePath): void
  /** Whether a path is left out, whatever git says. */
  isExcepted(path: BytePath): boolean
  onLimit(reason: string): void
  maxFolders: number
  maxFiles: number
  /** Whether the system watches all that is below a folder. */
  isRecursive: boolean
  /** What has come since then is new, also when it is there at the first look. */
  since: number
}

/** How to compare: what is there was there before; what is there and not known is new; and the known may be others. */
type Look = 'first' | 'again' | 'thorough'

interface Listing {
  entries: Dirent[]
  /** The folder is not the one that it was. */
  isReplaced: boolean
  /** Names may have come since the time from which on that is news. */
  hasNews: boolean
  /** The rules until now. */
  former: IgnoreRules | undefined
}

/** Other work on files must not wait for ours. */
const LANES = 2
/** So many names take well under a millisecond. */
const SLICE = 200
/** The system holds about twice as many events for us, and says nothing of those that it drops. */
const MANY_EVENTS = 8000
const MOST_EARLY = 100
/** Who is written to without having come was there before; of whom only a tool speaks, the tool says it. */
const UNKNOWN_BEFORE = {
  renamed: 'created',
  written: 'modified',
  none: undefined,
} as const satisfies Record<Sign, Change | undefined>
const SEPARATOR = process.platform === 'win32' ? /[\\/]/ : '/'

/** Makes a tree of what is below a root. */
export function createFolderTree(root: BytePath, options: FolderTreeOptions): FolderTree {
  const {onTouch, isTouched, maxFolders, maxFiles, isRecursive} = options
  const top = createFolder(nameOf(root), undefined)
  const notes = createLimitNotes(options.onLimit)
  const inLane = createLanes(LANES)
  const looks = new Set<Promise<void>>()
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
      await look(top, 'first')
    },
    isBusyAt: (path) => (findParent(top, path)?.looks ?? 0) > 0,
    update,
    async idle() {
      while (looks.size > 0) await Promise.all(looks)
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
    if (name === '.gitignore' && change !== undefined) startLook(folder, 'again')
    return change
  }

  function updateTop(stats: Stats | undefined): void {
    if (stats?.isDirectory()) startLook(top, 'again')
    else if (!top.isGone) {
      remove(top)
      notes.gone()
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
    const seen = folder.files.get(name)
    if (!isKnown && !addFile(folder, name)) return undefined
    folder.files.set(name, toSeen(stats))
    if (!isKnown) return UNKNOWN_BEFORE[sign]
    return isOther(stats, seen, sign, folder.listedAt) ? 'modified' : undefined
  }

  /** A folder is there that is new, or may be another than before. */
  function enter(parent: Folder, name: BytePath): void {
    if (isIgnored(parent, name, '/')) return
    startLook(parent.folders.get(name) ?? createFolder(name, parent), 'again')
  }

  function startLook(folder: Folder, how: Look): void {
    const work = look(folder, how).finally(() => looks.delete(work))
    looks.add(work)
  }

  /** Watches a folder, then compares what is in it with what is known, and goes on with the folders in it. */
  async function look(folder: Folder, how: Look): Promise<void> {
    const inside: [Folder, Look][] = []
    folder.looks++
    try {
      const listing = await inLane(() => list(folder, how))
      if (listing !== undefined) await compare(folder, listing, how, inside)
    } finally {
      folder.looks--
    }
    await Promise.all(inside.map(([child, itsHow]) => look(child, itsHow)))
  }

  async function list(folder: Folder, how: Look): Promise<Listing | undefined> {
    const isLate = isClosed && how === 'first'
    if (folder.isGone || isLate || !keepWatch(folder)) return undefined
    try {
      const location = locate(folder.path)
      // The watch was set in the same way just now: a thread of its own would cost far more.
      const stats = lstatSync(location)
      // One character for each byte, which a buffer for each name would cost dearly.
      const entries = await readdir(location, {withFileTypes: true, encoding: 'latin1'})
      // Whoever put a link in its place will be heard of.
      if (!stats.isDirectory()) return undefined
      const former = folder.rules
      folder.rules = await readOwnRules(folder, entries)
      const isReplaced = folder.inode !== undefined && folder.inode !== stats.ino
      folder.inode = stats.ino
      folder.listedAt = Math.min(folder.listedAt, Date.now())
      return {entries, isReplaced, hasNews: stats.mtimeMs > options.since, former}
    } catch (error) {
      notes.failed(toText(folder.path), folderCount, error)
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
    {entries, isReplaced, hasNews, former}: Listing,
    how: Look,
    inside: [Folder, Look][],
  ): Promise<void> {
    const isDeep = isReplaced || how === 'thorough' || former !== folder.rules
    const names = new Set<BytePath>()
    for (const [index, entry] of entries.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn()
      if (folder.isGone || (isClosed && how === 'first')) return
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
      // What was ignored until now was there before.
      const itsHow = former?.ignores(toText(path) + ending) ? 'first' : how
      const known = folder.folders.get(name)
      const isKnownFile = folder.files.has(name)
      if (isFolder ? isKnownFile : known !== undefined) onTouch(path, 'renamed')
      else if (isFolder) {
        if (known === undefined) inside.push([createFolder(name, folder), itsHow])
        else if (isDeep) inside.push([known, itsHow])
      } else if (isKnownFile) {
        if (isReplaced || how === 'thorough') onTouch(path, isReplaced ? 'renamed' : 'written')
      } else if (!isTouched(path)) {
        const isOld = itsHow === 'first' && !(hasNews && (await isNew(path)))
        if (isOld) addFile(folder, name)
        else onTouch(path, 'renamed')
      }
    }
    for (const name of [...folder.files.keys(), ...folder.folders.keys()]) {
      if (!names.has(name)) onTouch(joinPath(folder.path, name), 'renamed')
    }
  }

  /** Whether a file has come so early that nobody was watching yet. */
  async function isNew(path: BytePath): Promise<boolean> {
    const stats = await lstat(locate(path)).catch(() => undefined)
    return stats !== undefined && stats.birthtimeMs > options.since
  }

  /** A new watch is set before the old one ends, so that nothing is missed if it is the same folder after all. */
  function keepWatch(folder: Folder): boolean {
    if (isClosed) return true
    try {
      if (!folder.isCounted && folderCount >= maxFolders) {
        notes.reached('maxFolders', maxFolders)
        forget(folder)
        return false
      }
      if (folder === top || !isRecursive) {
        const old = folder.watcher
        folder.watcher = watch(
          // Where Node does this by itself, it takes text only.
          isRecursive ? toText(root) : locate(folder.path),
          {persistent: false, encoding: 'latin1', recursive: isRecursive},
          (type, name) => hear(folder, type === 'rename' ? 'renamed' : 'written', name),
        ).on('error', (error) => notes.failed(toText(folder.path), folderCount, error))
        old?.close()
      }
      if (!folder.isCounted) folderCount++
      folder.isCounted = true
      return true
    } catch (error) {
      notes.failed(toText(folder.path), folderCount, error)
      if (!folder.isCounted && folder !== top) forget(folder)
      return false
    }
  }

  function hear(watched: Folder, sign: Sign, from: BytePath | null): void {
    if (isClosed) return
    if (eventCount++ === 0) setImmediate(() => (eventCount = 0)).unref()
    if (from === null || eventCount === MANY_EVENTS) {
      startLook(top, 'thorough')
      return
    }
    const {folder, name} = isRecursive ? findPlace(from) : {folder: watched, name: from}
    // The root says with its own name that it goes away.
    if (sign === 'renamed' && folder === top && name === top.name) onTouch('', sign)
    const path = joinPath(folder.path, name)
    if (!isTouched(path) && isIgnored(folder, name, '')) return
    onTouch(path, sign)
    const mayBeFolder = sign === 'renamed' && !folder.files.has(name)
    if (mayBeFolder && earlyCount < MOST_EARLY) void enterEarly(folder, name)
  }

  /** Of a path from the top, the first part that is not known to be a folder. */
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

  /** A new folder is watched at once; whether it stays will be seen. In a rush it waits for that. */
  async function enterEarly(parent: Folder, name: BytePath): Promise<void> {
    earlyCount++
    const stats = await lstat(locate(joinPath(parent.path, name))).catch(() => undefined)
    earlyCount--
    const isNews = stats?.isDirectory() && !parent.folders.has(name)
    if (isNews && !parent.isGone && !isClosed) enter(parent, name)
  }

  function isIgnored(folder: Folder, name: BytePath, ending: '/' | ''): boolean {
    if (name === '.git' || name === 'node_modules') return true
    const path = joinPath(folder.path, name)
    return options.isExcepted(path) || (folder.rules?.ignores(toText(path) + ending) ?? false)
  }

  function addFile(folder: Folder, name: BytePath): boolean {
    if (fileCount >= maxFiles) {
      notes.reached('maxFiles', maxFiles)
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

  /** A folder is gone, and all in it. */
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
      // It is not seen when they change; those of now hold on.
    }
  }

  async function readOuterRulesAgain(): Promise<void> {
    const {rules} = await readOuterRules(toText(root))
    outerRules = rules
    if (!isClosed) startLook(top, 'again')
  }

  function locate(path: BytePath): string | Buffer {
    return toSystem(path === '' ? root : joinPath(root, path))
  }
}
