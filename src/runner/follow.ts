import {watch, type FSWatcher} from 'node:fs'
import {open, type FileHandle} from 'node:fs/promises'
import {setTimeout} from 'node:timers/promises'

/** Reads a file that others write, as it grows. */
export interface Follower extends AsyncIterable<Uint8Array> {
  /** Says that no more is to come: what is there is read, and that is all. */
  finish(): void
}

const CHUNK_SIZE = 64 * 1024

/** Not every file system tells of changes, so a look now and then is due anyway. */
const LOOK_AGAIN_MS = 100

/** Who writes this much in one go needs the machine more than we do: the file keeps it for us. */
const MUCH = 512 * 1024
/** Who writes nothing for so long has paused. */
const PAUSE_MS = 20
/** Nobody writes for so long without being looked at. */
const LONGEST_REST_MS = 1000

/** Follows a file from a position on. A piece is read when it is asked for, so that a slow reader holds no memory. */
export function followFile(path: string): Follower {
  let isFinished = false
  let hasNews = true
  let wake: (() => void) | undefined
  let watcher: FSWatcher | undefined

  return {
    finish() {
      isFinished = true
      notify()
    },
    async *[Symbol.asyncIterator]() {
      const file = await open(path).catch(() => undefined)
      // A recording that was cut short in its first moments may lack it.
      if (file === undefined) return
      watcher = tryWatch(path, notify)
      const timer = setInterval(notify, LOOK_AGAIN_MS)
      let position = 0
      let end = 0
      try {
        for (;;) {
          // Asked before reading, so that what is written in between is seen the next time.
          const isLast = isFinished
          hasNews = false
          if (position >= end && !isLast) end = await giveWay(file, position)
          const chunk = Buffer.allocUnsafe(CHUNK_SIZE)
          const {bytesRead, buffer} = await file.read(chunk, 0, CHUNK_SIZE, position)
          if (bytesRead > 0) {
            position += bytesRead
            yield buffer.subarray(0, bytesRead)
          } else if ((await file.stat()).size < position) {
            // Written anew, as by `echo > /dev/stderr` in a script: what comes now is at its start.
            position = 0
            end = 0
          } else if (isLast) return
          else await news()
        }
      } finally {
        clearInterval(timer)
        watcher?.close()
        await file.close()
      }
    },
  }

  /** Waits while much is being written; gives how far there is something to read. */
  async function giveWay(file: FileHandle, position: number): Promise<number> {
    let {size} = await file.stat()
    if (size - position < MUCH) return size
    // Each write would wake us, which takes the writer longer than the write.
    watcher?.close()
    for (let waited = 0; waited < LONGEST_REST_MS; waited += PAUSE_MS) {
      await setTimeout(PAUSE_MS)
      const now = await file.stat()
      if (now.size === size) break
      ;({size} = now)
    }
    watcher = tryWatch(path, notify)
    return size
  }

  function notify(): void {
    hasNews = true
    wake?.()
  }

  function news(): Promise<void> {
    if (hasNews) return Promise.resolve()
    return new Promise((resolve) => {
      wake = resolve
    })
  }
}

function tryWatch(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, onChange).on('error', () => {})
  } catch {
    // Too many are watched already; looking now and then must do.
    return undefined
  }
}
