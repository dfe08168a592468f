/** Bounded async queue: the producer waits only when the consumer falls behind. */
export interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void
  /** Resolves when the queue has capacity. */
  room(): Promise<void>
  end(): void
}

/** More pending items than this cause backpressure. */
const MOST_WAITING = 4096

/**
 * Creates a queue. Before the first reader starts, it keeps the newest items and drops the oldest. From then on
 * the readers share all items and cause backpressure. After the last reader stops, items are dropped.
 */
export function createQueue<T>(): Queue<T> {
  let items: T[] = []
  let first = 0
  let isOver = false
  let readers = 0
  let isRead = false
  let isLeft = false
  let wakeReaders = () => {}
  let wakeWriter = () => {}

  return {
    push(item) {
      if (isLeft) return
      items.push(item)
      if (!isRead && items.length - first > MOST_WAITING) first++
      if (!isRead && first > MOST_WAITING) compact()
      wakeReaders()
    },
    async room() {
      while (isFull()) {
        await new Promise<void>((resolve) => (wakeWriter = resolve))
      }
    },
    end() {
      isOver = true
      wakeReaders()
    },
    async *[Symbol.asyncIterator]() {
      isRead = true
      readers++
      try {
        for (;;) {
          while (first < items.length) yield take()
          compact()
          wakeWriter()
          if (isOver) return
          await news()
        }
      } finally {
        readers--
        if (readers === 0) leave()
      }
    },
  }

  function isFull(): boolean {
    return isRead && !isLeft && items.length - first > MOST_WAITING
  }

  function take(): T {
    const item = items[first++] as T
    // A reader that never catches up must not keep consumed items in memory.
    if (first > MOST_WAITING) {
      compact()
      wakeWriter()
    }
    return item
  }

  function compact(): void {
    items = items.slice(first)
    first = 0
  }

  function news(): Promise<void> {
    return new Promise((resolve) => {
      const wakeOthers = wakeReaders
      wakeReaders = () => {
        wakeReaders = () => {}
        wakeOthers()
        resolve()
      }
    })
  }

  function leave(): void {
    isLeft = true
    items = []
    first = 0
    wakeWriter()
  }
}
