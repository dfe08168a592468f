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
 * Makes a queue. Before anybody reads, it keeps the newest items and drops the oldest, so that nobody has to read;
 * whoever reads gets all from then on, and whoever gives waits for them. Several who read share the items; when the last
 * of them has left, nobody gets any more.
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
    // Who is never done with all of them must not keep those that are done.
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
