import {closeSync, readSync} from 'node:fs'
import {tryOpen} from './try-open.ts'

/** Where the lines of a file begin. The file may grow. */
export interface LineIndex {
  /** How many lines there are, the last of which may lack its end. */
  readonly count: number
  /** Where a line begins, counted from 1; for one more than there are, where the last one ends. */
  startOf(line: number): number
  /** Looks at what is new in the file. */
  extend(): void
}

const CHUNK_SIZE = 1024 * 1024
const NEWLINE = 0x0a

/** Makes an index of a file; it knows nothing until it is extended. */
export function createLineIndex(path: string): LineIndex {
  /** Where each line begins, and at last where one would that is not there yet. */
  let starts = new Float64Array(1024)
  let known = 1
  let scanned = 0

  return {
    get count() {
      return scanned > (starts[known - 1] ?? 0) ? known : known - 1
    },
    startOf: (line) => (line <= known ? (starts[line - 1] ?? 0) : scanned),
    extend() {
      const file = tryOpen(path)
      if (file === undefined) return
      const chunk = Buffer.allocUnsafe(CHUNK_SIZE)
      try {
        for (;;) {
          const size = readSync(file, chunk, 0, CHUNK_SIZE, scanned)
          if (size === 0) return
          const bytes = chunk.subarray(0, size)
          for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
            push(scanned + at + 1)
          }
          scanned += size
        }
      } finally {
        closeSync(file)
      }
    },
  }

  function push(start: number): void {
    if (known === starts.length) {
      const more = new Float64Array(starts.length * 2)
      more.set(starts)
      starts = more
    }
    starts[known++] = start
  }
}
