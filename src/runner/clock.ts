import {createArrivalTimes} from '../recording/read/arrival-times.ts'
import type {TimedChunk} from '../recording/timing.ts'

/** The clock of a run: the recorded time while recorded output is read, then the current time. */
export interface Clock {
  now(): number
  /** The current time. It never goes back, nor behind a time that was recorded. */
  time(): number
  /** Whether all output with a recorded time has been read. */
  isLive(): boolean
  /** Sets how many bytes of stdout have been read. */
  moveTo(position: number): void
}

export function createClock(chunks: readonly TimedChunk[], startedAt: number): Clock {
  const arrivals = createArrivalTimes(chunks, 'out')
  const time = createMonotonicClock(
    chunks.reduce((latest, {at}) => Math.max(latest, at), startedAt),
  )
  let current = arrivals.chunkAt(0)
  return {
    now: () => current?.at ?? time(),
    time,
    isLive: () => current === undefined,
    moveTo(position) {
      current = arrivals.chunkAt(position - 1)
    },
  }
}

/**
 * A clock in milliseconds since 1970 that never goes back. It ignores a system clock that is set back, and follows one
 * that is set forward or was suspended.
 *
 * @param from - The last time that was recorded.
 */
function createMonotonicClock(from: number = Number.NEGATIVE_INFINITY): () => number {
  /** The offset to the time since the process started. */
  let ahead = from - performance.now()
  return () => {
    const passed = performance.now()
    ahead = Math.max(ahead, Date.now() - passed)
    return Math.floor(ahead + passed)
  }
}
