import type {FSWatcher} from 'node:fs'
import {setImmediate, setTimeout as delay} from 'node:timers/promises'
import {openFile} from './byte-source.ts'
import {tryWatch} from './try-watch.ts'

/** Reads a file as it grows, from its start. A missing file is an empty one that may appear later. */
export interface Follower extends AsyncIterable<Uint8Array> {
  /** The writer is gone: the iteration ends after the rest of the file. */
  finish(): void
  /** Ends the iteration without reading the rest. */
  close(): void
}

const CHUNK_SIZE = 64 * 1024
const POLL_INTERVAL_MS = 100

/** Reading is deferred while the writer adds this much at once: the data stays in the file. */
const BURST_BYTES = 512 * 1024
/** A file that does not grow for this long is not being written. */
const PAUSE_MS = 20
const MAX_BURST_WAIT_MS = 1000

/**
 * Follows a file. The next chunk is read when it is asked for, so that a slow consumer holds no memory.
 *
 * @param onTruncated - Called when the file has become shorter, before it is read from its start again.
 */
export function followFile(path: string, onTruncated?: () => void): Follower {
  const source = openFile(path)
  let isFinished = false
  let isClosed = false
  let hasNews = true
  let wake = () => {}
  let watcher: FSWatcher | undefined

  return {
    finish() {
      isFinished = true
      notify()
    },
    close() {
      isClosed = true
      notify()
    },
    async *[Symbol.asyncIterator]() {
      let position = 0
      /** How far there are bytes to read. */
      let end = 0
      try {
        for (;;) {
          if (isClosed) return
          // Checked before the read, so that the last read sees everything written before `finish`.
          const isLast = isFinished
          hasNews = false
          watcher ??= tryWatch(path, notify)
          if (position >= end) end = isLast ? source.size : await waitForPause(position)
          if (position < end) {
            const chunk = Buffer.allocUnsafe(Math.min(CHUNK_SIZE, end - position))
            const size = source.read(chunk, position)
            position += size
            // It was truncated in between.
            if (size === 0) end = 0
            else yield chunk.subarray(0, size)
            // Reading does not wait, so timers and sockets get their turn here.
            await setImmediate()
          } else if (position > end) {
            // `echo > /dev/stderr` in a script truncates the file that stderr is redirected to.
            position = 0
            end = 0
            onTruncated?.()
          } else if (isLast) return
          else await waitForChange()
        }
      } finally {
        watcher?.close()
        source.close()
      }
    },
  }

  /** Waits while a lot is being written; returns the size of the file. */
  async function waitForPause(position: number): Promise<number> {
    let {size} = source
    if (size - position < BURST_BYTES) return size
    // Each write would wake us, which takes the writer longer than the write.
    watcher?.close()
    watcher = undefined
    for (let waited = 0; waited < MAX_BURST_WAIT_MS; waited += PAUSE_MS) {
      await delay(PAUSE_MS)
      const now = source.size
      if (now === size) break
      size = now
    }
    return size
  }

  function notify(): void {
    hasNews = true
    wake()
  }

  /** Waits for a change of the file. Not every file system reports changes, so it also polls. */
  function waitForChange(): Promise<void> {
    if (hasNews) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
