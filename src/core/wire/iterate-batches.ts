/**
 * Iterates over batches item by item. A generator with a `yield` for each item would cost a tenth of decoding a line;
 * `npm run bench` shows it.
 */
export function iterateBatches<T>(
  batches: AsyncGenerator<T[], void, undefined>,
  signal?: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  let batch: T[] = []
  let index = 0
  let pending = 0
  let lastCall: Promise<unknown> = Promise.resolve()

  const items: AsyncGenerator<T, void, undefined> = {
    next() {
      const isReady = pending === 0 && index < batch.length && signal?.aborted !== true
      return isReady ? Promise.resolve(takeItem()) : enqueue(refill)
    },
    return: () => enqueue(() => stop(() => batches.return())),
    throw: (error) => enqueue(() => stop(() => batches.throw(error))),
    [Symbol.asyncIterator]: () => items,
  }
  return items

  function takeItem(): IteratorResult<T, void> {
    return {done: false, value: batch[index++] as T}
  }

  /** Concurrent calls of `next` are answered in order, as by any generator. */
  function enqueue(answer: () => Promise<IteratorResult<T, void>>) {
    pending++
    const answering = lastCall.then(answer).finally(() => pending--)
    lastCall = answering.catch(() => {})
    return answering
  }

  async function refill(): Promise<IteratorResult<T, void>> {
    if (signal?.aborted === true) clearBatch()
    while (index === batch.length) {
      clearBatch()
      const next = await batches.next()
      if (next.done === true) return next
      batch = next.value
    }
    return takeItem()
  }

  async function stop(end: () => Promise<unknown>): Promise<IteratorResult<T, void>> {
    clearBatch()
    await end()
    return {done: true, value: undefined}
  }

  function clearBatch(): void {
    batch = []
    index = 0
  }
}
