import {realpathSync, type Stats} from 'node:fs'
import {lstat} from 'node:fs/promises'
import {isAbsolute, relative, resolve} from 'node:path'
import {performance} from 'node:perf_hooks'
import {setImmediate as nextTurn, setTimeout as delay} from 'node:timers/promises'
import type {FileAction} from '../core/events/events.ts'
import {toSystem, toBytePath, toText, type BytePath} from './watch/byte-path.ts'
import {createFolderTree} from './watch/folder-tree.ts'
import {createSettling, type Unsettled} from './watch/settling.ts'
import {placeOf} from './watch/tool-path.ts'

/** A file is another now, as the disk or a tool says. */
export interface WatchedChange {
  /** Relative to the root, with `/`. What a tool changed outside of it has its whole path. */
  path: string
  action: FileAction
  /** The new size; none for a file that is gone. */
  sizeBytes?: number | undefined
  /** The tool that says that it did it. */
  toolId?: string | undefined
  /** Whether another run may have made it. A tool that reports it later makes it certain: it is then published again. */
  isUncertain?: boolean | undefined
  /** When it was told. */
  at: number
}

/** What a tool says that it did. */
interface ToolChange {
  /** Whole, or relative to the root. */
  path: string
  action: FileAction
  toolId?: string | undefined
}

/** How to watch a folder. */
export interface WatchFilesOptions {
  /** Gets each change once. */
  onChange(change: WatchedChange): void
  /** Gets why not all can be watched, each reason once. */
  onLimit?: ((reason: string) => void) | undefined
  /**
   * How long nothing must happen to a file before its change is told. Who is written to all the time is told of once a
   * second.
   *
   * @defaultValue 100 milliseconds
   */
  settleMs?: number | undefined
  /** Folders that are left out, such as the one that we write to ourselves. */
  except?: readonly string[] | undefined
  /** @defaultValue 10,000 */
  maxFolders?: number | undefined
  /** @defaultValue 200,000 */
  maxFiles?: number | undefined
  /**
   * Whether the system is to watch all that is below a folder by itself.
   *
   * @defaultValue where it is good at that: macOS and Windows
   */
  recursive?: boolean | undefined
  /** Whether another run may change files here at the moment. */
  isContested?: (() => boolean) | undefined
  /** What has come since then is told too, though it is there when the watch begins. */
  since?: number | undefined
  /** The clock. */
  now?: (() => number) | undefined
}

/** Watches a folder until it is told to stop. */
export interface FileWatcher {
  /** Settles when all is watched that can be; never rejected. */
  readonly ready: Promise<void>
  /** Takes in what a tool says that it changed, which is told once with what is seen on disk. */
  hear(change: ToolChange): void
  /** Tells what is still pending, then stops. */
  close(): Promise<void>
}

/** What was told lately. */
interface Told {
  at: number
  toolId?: string | undefined
  /** A tool said it, and nothing was seen of it on disk yet. */
  isAhead: boolean
  isUncertain: boolean
}

/** How long the first look at a folder is waited for in the end. */
const FIRST_LOOK_MS = 500
/** What a tool says so soon after the disk, or the disk after a tool, is the same change. */
const SAME_CHANGE_MS = 2000

/**
 * Tells what becomes of the files below a folder, by what the disk shows and what tools say. What git ignores, `.git`
 * and `node_modules` are left out, unless a tool names them.
 *
 * @example
 * ```ts
 * const watcher = watchFiles('/my/project', {onChange: ({path, action}) => console.log(action, path)})
 * await watcher.ready
 * ```
 */
export function watchFiles(root: string, options: WatchFilesOptions): FileWatcher {
  const {onChange, onLimit, settleMs = 100, now = Date.now} = options
  const given = resolve(root)
  const roots = {given, real: withoutLinks(given)}
  const base = toBytePath(roots.real)
  const excepted = new Set(
    (options.except ?? []).map((path) => toBytePath(relative(roots.real, withoutLinks(path)))),
  )
  const settling = createSettling<ToolChange>(settleMs, settle)
  const tree = createFolderTree(base, {
    onTouch: settling.touch,
    isTouched: (path) => settling.find(path)?.sign === 'renamed',
    onGone(path) {
      const toolId = settling.find(path)?.claim?.toolId
      settling.drop(path)
      tell(path, 'deleted', undefined, toolId)
    },
    isExcepted: (path) => excepted.has(path),
    onLimit: (reason) => onLimit?.(reason),
    maxFolders: options.maxFolders ?? 10_000,
    maxFiles: options.maxFiles ?? 200_000,
    isRecursive:
      options.recursive ?? (process.platform === 'darwin' || process.platform === 'win32'),
    since: options.since ?? Infinity,
  })
  const told = new Map<BytePath, Told>()
  let closing: Promise<void> | undefined

  const ready = tree.open()

  return {
    ready,
    hear(change) {
      if (closing !== undefined) return
      const place = placeOf(change.path, change.action === 'deleted', roots)
      settling.claim(toBytePath(place), change)
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    // What has happened until now may still be on its way to us.
    for (let turns = 0; turns < 3; turns++) await nextTurn()
    // Whoever is told to stop so soon has not looked yet at what came before.
    if (options.since !== undefined)
      await Promise.race([ready, delay(FIRST_LOOK_MS, undefined, {ref: false})])
    await tree.idle()
    tree.close()
    do {
      await settling.flush()
      await tree.idle()
    } while (!settling.isEmpty())
  }

  async function settle(batch: Unsettled<ToolChange>[]): Promise<void> {
    const all = await Promise.all(batch.map(({path}) => look(path)))
    for (const [index, one] of batch.entries()) judge(one, all[index])
  }

  function look(path: BytePath): Promise<Stats | undefined> {
    const location = isAbsolute(path) ? path : `${base}/${path}`
    return lstat(toSystem(location)).catch(() => undefined)
  }

  function judge(one: Unsettled<ToolChange>, stats: Stats | undefined): void {
    const {path, sign, claim} = one
    if (tree.isBusyAt(path)) {
      settling.touch(path, sign)
      if (claim !== undefined) settling.claim(path, claim)
      return
    }
    const action = tree.update(path, stats, sign)
    const last = findTold(path)
    if (action !== undefined) {
      if (claim === undefined && last?.isAhead) last.isAhead = false
      else tell(path, action, stats?.size, claim?.toolId)
    } else if (claim !== undefined) {
      const isSame = last !== undefined && (last.toolId ?? claim.toolId) === claim.toolId
      if (isSame && !last.isUncertain) {
        last.toolId = claim.toolId
      } else tell(path, claim.action, stats?.size, claim.toolId, true)
    }
  }

  function tell(
    path: BytePath,
    action: FileAction,
    size: number | undefined,
    toolId: string | undefined,
    isAhead = false,
  ): void {
    told.delete(path)
    const isUncertain = toolId === undefined && options.isContested?.() === true
    told.set(path, {at: performance.now(), toolId, isAhead, isUncertain})
    const sizeBytes = action === 'deleted' ? undefined : size
    const change: WatchedChange = {path: toText(path), action, sizeBytes, toolId, at: now()}
    onChange(isUncertain ? {...change, isUncertain} : change)
  }

  function findTold(path: BytePath): Told | undefined {
    const oldest = performance.now() - SAME_CHANGE_MS
    for (const [old, {at}] of told) {
      if (at >= oldest) break
      told.delete(old)
    }
    return told.get(path)
  }
}

function withoutLinks(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
