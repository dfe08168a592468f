import {closeSync, readSync} from 'node:fs'
import {createLineDecoder} from '../../core/wire/lines.ts'
import {tryOpen} from './try-open.ts'

/** A file that may not be there yet, or anything else that has bytes. */
export interface ByteSource {
  /**
   * Reads from a position on.
   *
   * @returns How many bytes there were, up to as many as there is room for.
   */
  read(into: Buffer, position: number): number
  /** Closes it; it is opened again when it is needed. */
  rest(): void
}

/** Reads a file that grows, from where it left off. */
export interface ByteReader {
  /** The next bytes, up to an end; `undefined` when there are none. They are good until anything else is read. */
  read(end: number): Buffer | undefined
  readonly isAtEnd: boolean
  rest(): void
}

/** Reads whole lines of a file that grows. */
export interface TextReader {
  /** The next lines; none when there are none. */
  read(): string[]
  /** Whether nothing was left when it was last read: whoever writes more says so. */
  readonly isAtEnd: boolean
  /** All lines up to an end. */
  readTo(end: number): string[]
  rest(): void
}

const CHUNK_SIZE = 64 * 1024

/** What is read is dealt with before anything else is, so that one place is enough for all files. */
const chunk = Buffer.allocUnsafe(CHUNK_SIZE)
/** Whose bytes are there. */
let holder: ByteSource | undefined

/** Makes a reader of bytes. More is read than is asked for, so that small pieces cost little. */
export function createByteReader(source: ByteSource): ByteReader {
  let position = 0
  /** From where to where the bytes that are there go. */
  let start = 0
  let end = 0
  let isShort = false

  return {
    get isAtEnd() {
      return isShort && position === end
    },
    read(wanted) {
      if (wanted <= position) return undefined
      if (holder !== source || position < start || position >= end) {
        if (!fill()) return undefined
      }
      const from = position
      position = Math.min(end, wanted)
      return chunk.subarray(from - start, position - start)
    },
    rest: source.rest,
  }

  function fill(): boolean {
    // Nobody's, should it fail.
    holder = undefined
    end = position + source.read(chunk, position)
    start = position
    holder = source
    isShort = end - start < CHUNK_SIZE
    return end > start
  }
}

/** How many files a thread keeps open; there may be many live runs, and few descriptors. */
const MAX_OPEN_FILES = 64
/** Closes each file that is open, the one that was not read for longest first. */
const openFiles = new Set<() => void>()

/** The bytes of a file. */
export function openFile(path: string): ByteSource {
  let file: number | undefined
  return {
    read(into, position) {
      file ??= tryOpen(path)
      if (file === undefined) return 0
      openFiles.delete(rest)
      openFiles.add(rest)
      for (const closeOldest of openFiles) {
        if (openFiles.size <= MAX_OPEN_FILES) break
        closeOldest()
      }
      return readSync(file, into, 0, into.length, position)
    },
    rest,
  }

  function rest(): void {
    openFiles.delete(rest)
    if (file !== undefined) closeSync(file)
    file = undefined
  }
}

/** Makes a reader of lines. */
export function createTextReader(source: ByteSource): TextReader {
  const bytes = createByteReader(source)
  const lines = createLineDecoder((line) => line)
  return {
    read() {
      for (;;) {
        const read = bytes.read(Number.POSITIVE_INFINITY)
        if (read === undefined) return []
        const found = lines.push(read)
        if (found.length > 0) return found.map((line) => line.trimEnd())
      }
    },
    readTo(end) {
      const found: string[] = []
      for (let read = bytes.read(end); read !== undefined; read = bytes.read(end)) {
        found.push(...lines.push(read))
      }
      return found
    },
    get isAtEnd() {
      return bytes.isAtEnd
    },
    rest: bytes.rest,
  }
}
