import {createLineDecoder} from '../../core/wire/lines.ts'
import {openFile, type ByteSource} from './byte-source.ts'

/** Reads a source forward, from where it stopped the last time. */
export interface ByteCursor {
  /** The next bytes before an end; `undefined` when there are none. They are valid until the thread reads again. */
  read(end?: number): Buffer | undefined
  /** Whether the last read reached the end of the source and all of it has been returned. */
  readonly isAtEnd: boolean
  close(): void
}

/** Reads a source forward, by complete lines. */
export interface LineCursor {
  /** The next complete lines, trimmed at their ends; empty at the end of the source. */
  read(): string[]
  /** All complete lines before an offset, not trimmed. */
  readTo(end: number): string[]
  readonly isAtEnd: boolean
  close(): void
}

const CHUNK_SIZE = 64 * 1024

/** A chunk is processed before the next one is read, so all cursors of a thread share one buffer. */
const buffer = Buffer.allocUnsafe(CHUNK_SIZE)
/** The source whose bytes are in the buffer. */
let buffered: ByteSource | undefined

/** Creates a cursor. It reads ahead, so that small parts cost little. */
export function createByteCursor(source: ByteSource, position = 0): ByteCursor {
  /** The range of the source that is in the buffer. */
  let start = 0
  let end = 0
  let isShort = false

  return {
    get isAtEnd() {
      return isShort && position === end
    },
    read(wanted = Number.POSITIVE_INFINITY) {
      if (wanted <= position) return undefined
      if (buffered !== source || position < start || position >= end) {
        if (!fill()) return undefined
      }
      const from = position
      position = Math.min(end, wanted)
      return buffer.subarray(from - start, position - start)
    },
    close: source.close,
  }

  function fill(): boolean {
    // A failed read leaves the buffer undefined.
    buffered = undefined
    end = position + source.read(buffer, position)
    start = position
    buffered = source
    isShort = end - start < CHUNK_SIZE
    return end > start
  }
}

export function createLineCursor(source: ByteSource): LineCursor {
  const bytes = createByteCursor(source)
  const lines = createLineDecoder((line) => line)
  return {
    read() {
      for (;;) {
        const chunk = bytes.read()
        if (chunk === undefined) return []
        const found = lines.push(chunk)
        if (found.length > 0) return found.map((line) => line.trimEnd())
      }
    },
    readTo(end) {
      const found: string[] = []
      for (let chunk = bytes.read(end); chunk !== undefined; chunk = bytes.read(end)) {
        found.push(...lines.push(chunk))
      }
      return found
    },
    get isAtEnd() {
      return bytes.isAtEnd
    },
    close: bytes.close,
  }
}

/** Reads a file from a position to its end. A chunk is valid until the thread reads again. */
export function* readChunks(path: string, position = 0): Generator<Buffer> {
  const cursor = createByteCursor(openFile(path), position)
  try {
    for (let chunk = cursor.read(); chunk !== undefined; chunk = cursor.read()) yield chunk
  } finally {
    cursor.close()
  }
}
