import type {LineItem} from '../../../src/replay/run-item.ts'

/** The lines of a run, with only the fields that a list needs. */
export type RecordTable = Omit<ReturnType<typeof createRecordTable>, 'add'>

/** A line in a list. */
export interface RecordRow {
  line: number
  at: number
  size: number
  kind: string
  isOdd: boolean
}

/** Creates an empty table and a function that adds lines to it. */
export function createRecordTable() {
  // Columns of numbers take a tenth of the memory of objects.
  const times: number[] = []
  const sizes: number[] = []
  const kinds: number[] = []
  const odd = new Set<number>()
  const words: string[] = []
  const places = new Map<string, number>()
  let malformedCount = 0
  let unknownCount = 0
  let size = 0
  /** The last lines of a long run may arrive first. */
  let firstLine = 1

  return {
    get count() {
      return times.length
    },
    get malformedCount() {
      return malformedCount
    },
    get unknownCount() {
      return unknownCount
    },
    /** The total size in bytes. */
    get size() {
      return size
    },
    at: rowAt,
    /** A line by its number. */
    find: (line: number) => rowAt(line - firstLine),
    add({line, at, size: length, kind, events}: LineItem): void {
      for (const {type} of events) {
        if (type === 'malformed') malformedCount++
        else if (type === 'unknown') unknownCount++
        else continue
        odd.add(times.length)
      }
      if (times.length === 0) firstLine = line
      times.push(at)
      sizes.push(length)
      kinds.push(placeOf(kind))
      size += length
    },
  }

  /** A line by its index, from 0. */
  function rowAt(index: number): RecordRow | undefined {
    const at = times[index]
    if (at === undefined) return undefined
    return {
      line: firstLine + index,
      at,
      size: sizes[index] ?? 0,
      kind: words[kinds[index] ?? 0] ?? '',
      isOdd: odd.has(index),
    }
  }

  function placeOf(kind: string): number {
    const known = places.get(kind)
    if (known !== undefined) return known
    places.set(kind, words.length)
    words.push(kind)
    return words.length - 1
  }
}
