/**
 * A clock in milliseconds since 1970 that never goes back. It ignores a system clock that is set back, and follows one
 * that is set forward or was suspended.
 *
 * @param from - The last time that was recorded.
 */
export function createMonotonicClock(from: number = Number.NEGATIVE_INFINITY): () => number {
  /** The offset to the time since the process started. */
  let ahead = from - performance.now()
  return () => {
    const passed = performance.now()
    ahead = Math.max(ahead, Date.now() - passed)
    return Math.floor(ahead + passed)
  }
}
