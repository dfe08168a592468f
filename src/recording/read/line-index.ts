import {readChunks} from './cursor.ts'

/** Where the lines of a file begin. The file may grow. */
export interface LineIndex {
  /** The number of lines; the last one may lack its newline. */
  readonly count: number
  /** Where a line begins, counted from 1; for the line after the last, where the last one ends. */
  startOf(line: number): number
  /** Adds the lines that were written since. */
  extend(): void
}

const NEWLINE = 0x0a

/** Creates an index of a file, which is empty until it is extended. */
export function createLineIndex(path: string): LineIndex {
  /** Where each line begins, and where the next one will. */
  let starts = new Float64Array(1024)
  let known = 1
  let scanned = 0

  return {
    get count() {
      return scanned > (starts[known - 1] ?? 0) ? known : known - 1
    },
    startOf: (line) => (line <= known ? (starts[line - 1] ?? 0) : scanned),
    extend() {
      for (const chunk of readChunks(path, scanned)) {
        for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
          push(scanned + at + 1)
        }
        scanned += chunk.length
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
