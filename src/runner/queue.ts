/** Passes items from one who must not wait long to one who reads at leisure. */
export interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void
  /** Settles when there is room again. */
  room(): Promise<void>
  end(): void
}

/** So many items wait before whoever gives them is asked to pause. */
const MOST_WAITING = 4096

/**
 * Makes a queue for one reader. Before anybody reads, it keeps the newest items and drops the oldest, so that nobody has
 * to read; whoever reads gets all from then on, and whoever gives waits for them.
 */
export function createQueue<T>(): Queue<T> {
  let items: T[] = []
  let first = 0
  let isOver = false
  let isRead = false
  let isLeft = false
  let wakeReader: (() => void) | undefined
  let wakeWriter: (() => void) | undefined

  return {
    push(item) {
      if (isLeft) return
      items.push(item)
      if (!isRead && items.length - first > MOST_WAITING) first++
      if (!isRead && first > MOST_WAITING) compact()
      wakeReader?.()
    },
    async room() {
      if (!isRead || isLeft || items.length - first <= MOST_WAITING) return
      await new Promise<void>((resolve) => (wakeWriter = resolve))
    },
    end() {
      isOver = true
      wakeReader?.()
    },
    async *[Symbol.asyncIterator]() {
      isRead = true
      try {
        for (;;) {
          while (first < items.length) yield items[first++] as T
          compact()
          wakeWriter?.()
          if (isOver) return
          await new Promise<void>((resolve) => (wakeReader = resolve))
        }
      } finally {
        isLeft = true
        wakeWriter?.()
      }
    },
  }

  function compact(): void {
    items = items.slice(first)
    first = 0
  }
}
