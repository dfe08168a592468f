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
  let items: T[] = []
  let first = 0
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
      if (!hasBeenRead && items.length - first > MAX_PENDING) first++
      if (!hasBeenRead && first > MAX_PENDING) compact()
      wakeReaders()
    },
    async drain() {
      while (isFull()) {
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
          while (first < items.length) yield take()
          compact()
          wakeWriter()
          if (hasEnded) return
          await waitForItem()
        }
      } finally {
        readerCount--
        if (readerCount === 0) abandon()
      }
    },
  }

  function isFull(): boolean {
    return hasBeenRead && !isAbandoned && items.length - first > MAX_PENDING
  }

  function take(): T {
    const item = items[first++] as T
    // A reader that never catches up must not keep consumed items in memory.
    if (first > MAX_PENDING) {
      compact()
      wakeWriter()
    }
    return item
  }

  function compact(): void {
    items = items.slice(first)
    first = 0
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
    items = []
    first = 0
    wakeWriter()
  }
}
