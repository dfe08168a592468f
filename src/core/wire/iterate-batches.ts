/**
 * Gives out batches item by item. A generator with a `yield` for each item would do the same, but
 * costs a tenth of decoding a line; `npm run bench` shows it.
 */
export function iterateBatches<T>(
  batches: AsyncGenerator<T[], void, undefined>,
  signal?: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  let batch: T[] = []
  let given = 0
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  const items: AsyncGenerator<T, void, undefined> = {
    next() {
      const isReady = waiting === 0 && given < batch.length && signal?.aborted !== true
      return isReady ? Promise.resolve(give()) : inTurn(refill)
    },
    return: () => inTurn(() => stop(() => batches.return())),
    throw: (error) => inTurn(() => stop(() => batches.throw(error))),
    [Symbol.asyncIterator]: () => items,
  }
  return items

  function give(): IteratorResult<T, void> {
    return {done: false, value: batch[given++] as T}
  }

  /** Whoever asks again before being answered is answered after that, as by any generator. */
  function inTurn(answer: () => Promise<IteratorResult<T, void>>) {
    waiting++
    const answered = turn.then(answer).finally(() => waiting--)
    turn = answered.catch(() => {})
    return answered
  }

  async function refill(): Promise<IteratorResult<T, void>> {
    if (signal?.aborted === true) drop()
    while (given === batch.length) {
      drop()
      const next = await batches.next()
      if (next.done === true) return next
      batch = next.value
    }
    return give()
  }

  async function stop(end: () => Promise<unknown>): Promise<IteratorResult<T, void>> {
    drop()
    await end()
    return {done: true, value: undefined}
  }

  function drop(): void {
    batch = []
    given = 0
  }
}
