import {performance} from 'node:perf_hooks'
import type {BytePath} from './byte-path.ts'

/** The last event of the system for a path: the name was created or removed, the file was written, or none. */
export type Sign = 'renamed' | 'written' | 'none'

/** A path with changes that were not released yet. */
export interface Unsettled<Claim> {
  path: BytePath
  sign: Sign
  /** The change that a tool reports. */
  claim?: Claim | undefined
}

/** Debounces changes per path. */
export interface Settling<Claim> {
  /** Adds an event of the system. */
  touch(path: BytePath, sign: Sign): void
  /** Adds a report of a tool. */
  claim(path: BytePath, claim: Claim): void
  find(path: BytePath): Unsettled<Claim> | undefined
  drop(path: BytePath): void
  /** Whether no path is pending or being released. */
  isEmpty(): boolean
  /** Releases all pending paths now. */
  flush(): Promise<void>
}

interface Held<Claim> extends Unsettled<Claim> {
  /** Time of the first event. */
  since: number
  /** Time of the last event that extends the delay. */
  last: number
}

/** A path with continuous events is released after this time. */
const LONGEST_MS = 1000
/** Small, to leave threads of the pool for other file access. */
const BATCH_SIZE = 8

export function createSettling<Claim>(
  settleMs: number,
  settle: (batch: Unsettled<Claim>[]) => Promise<void>,
): Settling<Claim> {
  // In the order of release: an event moves its path to the end.
  const held = new Map<BytePath, Held<Claim>>()
  let timer: NodeJS.Timeout | undefined
  let releasing: Promise<void> | undefined

  return {
    touch(path, sign) {
      const one = hold(path)
      if (one.sign !== 'renamed') one.sign = sign
      const now = performance.now()
      if (now + settleMs > one.since + LONGEST_MS) return
      one.last = now
      held.delete(path)
      held.set(path, one)
    },
    claim(path, claim) {
      hold(path).claim = claim
    },
    find: (path) => held.get(path),
    drop: (path) => held.delete(path),
    isEmpty: () => held.size === 0 && releasing === undefined,
    async flush() {
      clearTimeout(timer)
      await releasing
      await release(Number.POSITIVE_INFINITY)
    },
  }

  function hold(path: BytePath): Held<Claim> {
    const known = held.get(path)
    if (known !== undefined) return known
    const now = performance.now()
    const one: Held<Claim> = {path, sign: 'none', since: now, last: now}
    held.set(path, one)
    if (held.size === 1 && releasing === undefined) wait()
    return one
  }

  function wait(): void {
    const [first] = held.values()
    if (first === undefined) return
    clearTimeout(timer)
    const restMs = Math.max(1, Math.ceil(first.last + settleMs - performance.now()))
    timer = setTimeout(() => {
      releasing = release(performance.now() - settleMs).finally(() => {
        releasing = undefined
        wait()
      })
    }, restMs).unref()
  }

  /** Releases the paths whose last event was before a time. */
  async function release(until: number): Promise<void> {
    for (;;) {
      const batch: Unsettled<Claim>[] = []
      for (const one of held.values()) {
        if (one.last > until || batch.length === BATCH_SIZE) break
        batch.push(one)
      }
      if (batch.length === 0) return
      for (const {path} of batch) held.delete(path)
      await settle(batch)
    }
  }
}
