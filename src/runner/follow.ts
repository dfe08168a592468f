import {watch, type FSWatcher} from 'node:fs'
import {open} from 'node:fs/promises'
import {setTimeout} from 'node:timers/promises'

/** Reads a file that others write, as it grows. */
export interface Follower extends AsyncIterable<Uint8Array> {
  /** Says that no more is to come: what is there is read, and that is all. */
  finish(): void
}

const CHUNK_SIZE = 64 * 1024

/** Not every file system tells of changes, so a look now and then is due anyway. */
const LOOK_AGAIN_MS = 100

/** Much that came at once, and since when it is being read. */
interface Rush {
  bytes: number
  since: number
}

/** Who writes this much in one go needs the machine more than we do: the file keeps it for us. */
const MUCH = 512 * 1024
/** So many times as long as we work, we rest then. */
const REST = 4
const LONGEST_REST_MS = 200

/** Follows a file from a position on. A piece is read when it is asked for, so that a slow reader holds no memory. */
export function followFile(path: string): Follower {
  let isFinished = false
  let hasNews = true
  let wake: (() => void) | undefined

  return {
    finish() {
      isFinished = true
      notify()
    },
    async *[Symbol.asyncIterator]() {
      const file = await open(path).catch(() => undefined)
      // A recording that was cut short in its first moments may lack it.
      if (file === undefined) return
      const watcher = tryWatch(path, notify)
      const timer = setInterval(notify, LOOK_AGAIN_MS)
      let rush: Rush | undefined
      try {
        for (;;) {
          // Asked before reading, so that what is written in between is seen the next time.
          const isLast = isFinished
          hasNews = false
          const {bytesRead, buffer} = await file.read(Buffer.allocUnsafe(CHUNK_SIZE))
          if (bytesRead > 0) {
            yield buffer.subarray(0, bytesRead)
            if (bytesRead < CHUNK_SIZE) rush = undefined
            else rush = await breathe(rush ?? {bytes: 0, since: performance.now()})
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

  /** Rests after much was read, until the one who writes is done. */
  async function breathe({bytes, since}: Rush): Promise<Rush> {
    const read = bytes + CHUNK_SIZE
    if (read < MUCH || isFinished) return {bytes: read, since}
    await setTimeout(Math.min((performance.now() - since) * REST, LONGEST_REST_MS))
    return {bytes: 0, since: performance.now()}
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
