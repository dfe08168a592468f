import type {Stats} from 'node:fs'
import {lstat} from 'node:fs/promises'
import {isAbsolute, relative, resolve} from 'node:path'
import {performance} from 'node:perf_hooks'
import {setImmediate as nextTurn, setTimeout as delay} from 'node:timers/promises'
import type {FileAction} from '../core/events/events.ts'
import {resolveLinks} from '../recording/active-runs.ts'
import {toSystemPath, toBytePath, toText, type BytePath} from './watch/byte-path.ts'
import {createFolderTree} from './watch/folder-tree.ts'
import {createPathDebouncer, type PendingPath} from './watch/path-debouncer.ts'
import {resolveToolPath} from './watch/tool-path.ts'

/** A file that was created, modified or deleted. */
export interface WatchedChange {
  /** Relative to the root, with `/`; absolute for a change outside of it that a tool reports. */
  path: string
  action: FileAction
  /** The new size; none for a deleted file. */
  sizeBytes?: number | undefined
  /** The tool that reports the change. */
  toolId?: string | undefined
  /** Whether another run may have made the change. It is published again, as certain, when a tool reports it later. */
  isUncertain?: boolean | undefined
  /** When the change was published. */
  at: number
}

/** A change that a tool reports. */
interface ToolChange {
  /** Absolute, or relative to the root. */
  path: string
  action: FileAction
  toolId?: string | undefined
}

export interface WatchFilesOptions {
  /** Receives each change once. */
  onChange(change: WatchedChange): void
  /** Receives each reason once why some files are not watched. */
  onLimit?: ((reason: string) => void) | undefined
  /**
   * Debounce time of a file. A file that is written continuously is reported once a second.
   *
   * @defaultValue 100 milliseconds
   */
  debounceMs?: number | undefined
  /** Folders to ignore, such as the one with our recordings. */
  exclude?: readonly string[] | undefined
  /** @defaultValue 10,000 */
  maxFolders?: number | undefined
  /** @defaultValue 200,000 */
  maxFiles?: number | undefined
  /**
   * Whether to use recursive watching by the system.
   *
   * @defaultValue true on macOS and Windows, where it is reliable
   */
  recursive?: boolean | undefined
  /** Whether another run may be changing files here. */
  isContested?: (() => boolean) | undefined
  /** Files created after this time are reported, even if they exist when the watch starts. */
  since?: number | undefined
  now?: (() => number) | undefined
}

export interface FileWatcher {
  /** Resolves when the initial scan is complete; never rejects. */
  readonly ready: Promise<void>
  /** Adds a change that a tool reports; it is merged with the same change on disk. */
  addToolChange(change: ToolChange): void
  /** Publishes pending changes, then stops. */
  close(): Promise<void>
}

interface RecentChange {
  at: number
  toolId?: string | undefined
  /** Whether a tool reported the change and it was not seen on disk yet. */
  isToolOnly: boolean
  isUncertain: boolean
}

/** How long closing waits for the initial scan. */
const SCAN_TIMEOUT_MS = 500
/** A report of a tool and a change on disk within this time are the same change. */
const SAME_CHANGE_MS = 2000

/**
 * Reports changes of files below a folder, from the disk and from tools. Paths that git ignores, `.git` and
 * `node_modules` are left out unless a tool reports them.
 *
 * @example
 * ```ts
 * const watcher = watchFiles('/my/project', {onChange: ({path, action}) => console.log(action, path)})
 * await watcher.ready
 * ```
 */
export function watchFiles(root: string, options: WatchFilesOptions): FileWatcher {
  const {onChange, onLimit, debounceMs = 100, now = Date.now} = options
  const given = resolve(root)
  const roots = {given, real: resolveLinks(given)}
  const base = toBytePath(roots.real)
  const excluded = new Set(
    (options.exclude ?? []).map((path) => toBytePath(relative(roots.real, resolveLinks(path)))),
  )
  const debouncer = createPathDebouncer<ToolChange>(debounceMs, settle)
  const tree = createFolderTree(base, {
    onTouch: debouncer.touch,
    isTouched: (path) => debouncer.find(path)?.sign === 'renamed',
    onGone(path) {
      const toolId = debouncer.find(path)?.report?.toolId
      debouncer.drop(path)
      publish(path, 'deleted', undefined, toolId)
    },
    isExcluded: (path) => excluded.has(path),
    onLimit: (reason) => onLimit?.(reason),
    maxFolders: options.maxFolders ?? 10_000,
    maxFiles: options.maxFiles ?? 200_000,
    isRecursive:
      options.recursive ?? (process.platform === 'darwin' || process.platform === 'win32'),
    since: options.since ?? Infinity,
  })
  const recent = new Map<BytePath, RecentChange>()
  let closing: Promise<void> | undefined

  const ready = tree.open()

  return {
    ready,
    addToolChange(change) {
      if (closing !== undefined) return
      const path = resolveToolPath(change.path, change.action === 'deleted', roots)
      debouncer.addReport(toBytePath(path), change)
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    // Events of the system may still be queued in the event loop.
    for (let turns = 0; turns < 3; turns++) await nextTurn()
    // The scan for files created after `since` may not be finished.
    if (options.since !== undefined)
      await Promise.race([ready, delay(SCAN_TIMEOUT_MS, undefined, {ref: false})])
    await tree.idle()
    tree.close()
    do {
      await debouncer.flush()
      await tree.idle()
    } while (!debouncer.isEmpty())
  }

  async function settle(batch: PendingPath<ToolChange>[]): Promise<void> {
    const all = await Promise.all(batch.map(({path}) => readStats(path)))
    for (const [index, pending] of batch.entries()) resolveChange(pending, all[index])
  }

  function readStats(path: BytePath): Promise<Stats | undefined> {
    const location = isAbsolute(path) ? path : `${base}/${path}`
    return lstat(toSystemPath(location)).catch(() => undefined)
  }

  function resolveChange(pending: PendingPath<ToolChange>, stats: Stats | undefined): void {
    const {path, sign, report} = pending
    if (tree.isBusyAt(path)) {
      debouncer.touch(path, sign)
      if (report !== undefined) debouncer.addReport(path, report)
      return
    }
    const action = tree.update(path, stats, sign)
    const last = findRecent(path)
    if (action !== undefined) {
      if (report === undefined && last?.isToolOnly) last.isToolOnly = false
      else publish(path, action, stats?.size, report?.toolId)
    } else if (report !== undefined) {
      const isSame = last !== undefined && (last.toolId ?? report.toolId) === report.toolId
      if (isSame && !last.isUncertain) {
        last.toolId = report.toolId
      } else publish(path, report.action, stats?.size, report.toolId, true)
    }
  }

  function publish(
    path: BytePath,
    action: FileAction,
    size: number | undefined,
    toolId: string | undefined,
    isToolOnly = false,
  ): void {
    recent.delete(path)
    const isUncertain = toolId === undefined && options.isContested?.() === true
    recent.set(path, {at: performance.now(), toolId, isToolOnly, isUncertain})
    const sizeBytes = action === 'deleted' ? undefined : size
    const change: WatchedChange = {path: toText(path), action, sizeBytes, toolId, at: now()}
    onChange(isUncertain ? {...change, isUncertain} : change)
  }

  function findRecent(path: BytePath): RecentChange | undefined {
    const oldest = performance.now() - SAME_CHANGE_MS
    for (const [old, {at}] of recent) {
      if (at >= oldest) break
      recent.delete(old)
    }
    return recent.get(path)
  }
}
