/** Runs a task when a slot is free. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>

/** Creates a semaphore: at most `limit` tasks run at a time, in order of arrival. */
export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < limit) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
