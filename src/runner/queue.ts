/** Bounded async queue: the producer waits only when the consumer falls behind. */
export interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void
  /** Resolves when the queue has capacity. */
  drain(): Promise<void>
  end(): void
}

/** More pending items than this cause backpressure. */
const MAX_PENDING = 4096

/**
 * Creates a queue. Before the first reader starts, it keeps the newest items and drops the oldest. From then on
 * the readers share all items and cause backpressure. After the last reader stops, items are dropped.
 */
export function createQueue<T>(): Queue<T> {
  const items: T[] = []
  let hasEnded = false
  let readerCount = 0
  let hasBeenRead = false
  let isAbandoned = false
  let wakeReaders = () => {}
  let wakeWriter = () => {}

  return {
    push(item) {
      if (isAbandoned) return
      items.push(item)
      if (!hasBeenRead && items.length > MAX_PENDING) items.shift()
      wakeReaders()
    },
    async drain() {
      while (items.length > MAX_PENDING) {
        await new Promise<void>((resolve) => (wakeWriter = resolve))
      }
    },
    end() {
      hasEnded = true
      wakeReaders()
    },
    async *[Symbol.asyncIterator]() {
      hasBeenRead = true
      readerCount++
      try {
        for (;;) {
          while (items.length > 0) {
            const item = items.shift() as T
            if (items.length === MAX_PENDING) wakeWriter()
            yield item
          }
          if (hasEnded) return
          await waitForItem()
        }
      } finally {
        readerCount--
        if (readerCount === 0) abandon()
      }
    },
  }

  function waitForItem(): Promise<void> {
    return new Promise((resolve) => {
      const wakeOthers = wakeReaders
      wakeReaders = () => {
        wakeReaders = () => {}
        wakeOthers()
        resolve()
      }
    })
  }

  function abandon(): void {
    isAbandoned = true
    items.length = 0
    wakeWriter()
  }
}
