/**
 * A clock that never goes back, in milliseconds since 1970. When that of the machine is put back, it goes on from where it
 * was; when that is put forward, or the machine has slept, it follows.
 *
 * @param from - A time that has been told already.
 */
export function createMonotonicClock(from: number = Number.NEGATIVE_INFINITY): () => number {
  /** By how much it is ahead of the time since the process began. */
  let ahead = from - performance.now()
  return () => {
    const passed = performance.now()
    ahead = Math.max(ahead, Date.now() - passed)
    return Math.floor(ahead + passed)
  }
}
