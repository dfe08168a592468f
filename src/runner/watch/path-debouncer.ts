import {performance} from 'node:perf_hooks'
import type {BytePath} from './byte-path.ts'

/** The last event of the system for a path: the name was created or removed, the file was written, or none. */
export type Sign = 'renamed' | 'written' | 'none'

/** A path with changes that were not released yet. */
export interface PendingPath<Report> {
  path: BytePath
  sign: Sign
  /** The change that a tool reports. */
  report?: Report | undefined
}

/** Debounces changes per path. */
export interface PathDebouncer<Report> {
  /** Adds an event of the system. */
  touch(path: BytePath, sign: Sign): void
  /** Adds a report of a tool. */
  addReport(path: BytePath, report: Report): void
  find(path: BytePath): PendingPath<Report> | undefined
  drop(path: BytePath): void
  /** Whether no path is pending or being released. */
  isEmpty(): boolean
  /** Releases all pending paths now. */
  flush(): Promise<void>
}

interface TimedPath<Report> extends PendingPath<Report> {
  /** Time of the first event. */
  since: number
  /** Time of the last event that extends the delay. */
  last: number
}

/** A path with continuous events is released after this time. */
const MAX_DELAY_MS = 1000
/** Small, to leave threads of the pool for other file access. */
const BATCH_SIZE = 8

export function createPathDebouncer<Report>(
  debounceMs: number,
  settle: (batch: PendingPath<Report>[]) => Promise<void>,
): PathDebouncer<Report> {
  // In the order of release: an event moves its path to the end.
  const pending = new Map<BytePath, TimedPath<Report>>()
  let timer: NodeJS.Timeout | undefined
  let releasing: Promise<void> | undefined

  return {
    touch(path, sign) {
      const entry = ensurePending(path)
      if (entry.sign !== 'renamed') entry.sign = sign
      const now = performance.now()
      if (now + debounceMs > entry.since + MAX_DELAY_MS) return
      entry.last = now
      pending.delete(path)
      pending.set(path, entry)
    },
    addReport(path, report) {
      ensurePending(path).report = report
    },
    find: (path) => pending.get(path),
    drop: (path) => pending.delete(path),
    isEmpty: () => pending.size === 0 && releasing === undefined,
    async flush() {
      clearTimeout(timer)
      await releasing
      await release(Number.POSITIVE_INFINITY)
    },
  }

  function ensurePending(path: BytePath): TimedPath<Report> {
    const known = pending.get(path)
    if (known !== undefined) return known
    const now = performance.now()
    const entry: TimedPath<Report> = {path, sign: 'none', since: now, last: now}
    pending.set(path, entry)
    if (pending.size === 1 && releasing === undefined) wait()
    return entry
  }

  function wait(): void {
    const [first] = pending.values()
    if (first === undefined) return
    clearTimeout(timer)
    const delayMs = Math.max(1, Math.ceil(first.last + debounceMs - performance.now()))
    timer = setTimeout(() => {
      releasing = release(performance.now() - debounceMs).finally(() => {
        releasing = undefined
        wait()
      })
    }, delayMs).unref()
  }

  /** Releases the paths whose last event was before a time. */
  async function release(until: number): Promise<void> {
    for (;;) {
      const batch: PendingPath<Report>[] = []
      for (const entry of pending.values()) {
        if (entry.last > until || batch.length === BATCH_SIZE) break
        batch.push(entry)
      }
      if (batch.length === 0) return
      for (const {path} of batch) pending.delete(path)
      await settle(batch)
    }
  }
}
