/** The progress of reading transcripts for the first time, on a terminal. */
export interface ReadingProgress {
  show(progress: {done: number; of: number}): void
  clear(): void
}

/** Few transcripts are read before anyone could read the line. */
const MIN_FILES = 50

/** Shows `Reading session files: 1,414 of 2,318` on stderr, if it is a terminal. */
export function describeReading(): ReadingProgress {
  let isShown = false
  return {
    show({done, of}) {
      if (!process.stderr.isTTY || of < MIN_FILES) return
      isShown = true
      const count = (value: number) => value.toLocaleString('en')
      process.stderr.write(`\r\u001B[KReading session files: ${count(done)} of ${count(of)}`)
    },
    clear() {
      if (isShown) process.stderr.write('\r\u001B[K')
    },
  }
}
