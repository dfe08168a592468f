import {performance} from 'node:perf_hooks'
import type {BytePath} from './byte-path.ts'

/** What the disk says of a path: its name came or went, or it was written to, or nothing. */
export type Sign = 'renamed' | 'written' | 'none'

/** What is known of a path that is not yet at rest. */
export interface Unsettled<Claim> {
  path: BytePath
  sign: Sign
  /** What somebody says of it. */
  claim?: Claim | undefined
}

/** Holds paths back until nothing happens to them any more. */
export interface Settling<Claim> {
  /** Something happened on disk. */
  touch(path: BytePath, sign: Sign): void
  /** Somebody says that something happened. */
  claim(path: BytePath, claim: Claim): void
  find(path: BytePath): Unsettled<Claim> | undefined
  drop(path: BytePath): void
  /** Whether nothing is held back, nor just being let go. */
  isEmpty(): boolean
  /** Lets all go that is held back now. */
  flush(): Promise<void>
}

interface Held<Claim> extends Unsettled<Claim> {
  /** When it was touched first. */
  since: number
  /** When it was touched last, as far as that counts. */
  last: number
}

/** Who is written to all the time is let go after this long. */
const LONGEST_MS = 1000
/** So many are looked at together, which leaves the threads for files to others. */
const BATCH_SIZE = 8

/** Makes a place for paths to come to rest in. */
export function createSettling<Claim>(
  settleMs: number,
  settle: (batch: Unsettled<Claim>[]) => Promise<void>,
): Settling<Claim> {
  // In the order in which they come to rest: who is touched goes to the end.
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

  /** Lets go what was last touched before a time. */
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
