/** A part of a stream: bytes, or text that the caller has decoded. */
export type Chunk = string | Uint8Array

/** Turns chunks of a stream into items, for callers with a reading loop of their own. */
export interface Decoder<T> {
  /** Adds a chunk and returns the items that it completes, in order. */
  push(chunk: Chunk): T[]
  /** Ends the stream and returns the remaining items. The decoder can be used again. */
  end(): T[]
}

/** Limits for splitting a stream into lines. */
export interface LineOptions {
  /**
   * Maximum length of a line in bytes, without its newline. A longer line is reported with its size and not kept in memory.
   *
   * @defaultValue 64 MiB
   */
  maxLineBytes?: number | undefined
}

/** Why the text of a line is not exact. */
export type LineFlaw =
  /** The line is not valid UTF-8: its text contains U+FFFD, `bytes` are the original. */
  | {type: 'invalid-utf8'; bytes: Uint8Array}
  /** The line was over the limit and was dropped; `size` is its length in bytes, without the newline. */
  | {type: 'line-too-long'; size: number}

/**
 * Turns one line into an item. `raw` is its exact text with its newline, so that the stream is all of them joined.
 */
export type LineReader<T> = (raw: string, flaw?: LineFlaw) => T

const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024
/** The longest string of V8, minus a newline. */
const MAX_STRING_LENGTH = 0x1fffffe8 - 1
const NEWLINE = 0x0a

const utf8 = new TextDecoder('utf-8', {ignoreBOM: true})
const strictUtf8 = new TextDecoder('utf-8', {fatal: true})
const encoder = new TextEncoder()

/**
 * Splits a stream into lines at byte 0x0A only, for any chunking, and passes each to `read`. A last line without a newline
 * is a line too. Takes linear time.
 *
 * @example
 * ```ts
 * const lines = createLineDecoder((raw) => raw)
 * lines.push('one\ntw') // ['one\n']
 * lines.push('o') // []
 * lines.end() // ['two']
 * ```
 */
export function createLineDecoder<T>(read: LineReader<T>, options: LineOptions = {}): Decoder<T> {
  const maxLineBytes = checkLimit(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES)
  const bytes = createHeldBytes()
  const text = createHeldText()
  /** Length of the incomplete line so far; over the limit its content is dropped. */
  let size = 0

  return {
    push(chunk) {
      if (typeof chunk === 'string') return pushText(chunk)
      if (!isBytes(chunk)) throw new TypeError(notAChunk(chunk))
      if (chunk.length === 0) return []
      if (!text.isEmpty()) convertHeldText()
      return pushBytes(chunk)
    },
    end() {
      return size === 0 ? [] : [takeLine()]
    },
  }

  function pushBytes(chunk: Uint8Array): T[] {
    const items: T[] = []
    let start = 0
    let end = chunk.indexOf(NEWLINE)
    while (end !== -1) {
      items.push(endLineOfBytes(chunk, start, end))
      start = end + 1
      end = chunk.indexOf(NEWLINE, start)
    }
    if (start < chunk.length) holdBytes(chunk.subarray(start), chunk.length - start)
    return items
  }

  function endLineOfBytes(chunk: Uint8Array, start: number, end: number): T {
    const length = end - start
    if (size === 0 && length <= maxLineBytes) return readBytes(chunk, start, end + 1)
    holdBytes(chunk.subarray(start, end + 1), length)
    return takeLine()
  }

  function holdBytes(part: Uint8Array, length: number): void {
    size += length
    if (size > maxLineBytes) bytes.clear()
    else bytes.append(part)
  }

  function readBytes(chunk: Uint8Array, start: number, end: number): T {
    const raw = decodeUtf8(chunk, start, end)
    if (raw.includes('\uFFFD') && !isValidUtf8(chunk.subarray(start, end))) {
      return read(raw, {type: 'invalid-utf8', bytes: new Uint8Array(chunk.subarray(start, end))})
    }
    return read(raw)
  }

  function pushText(chunk: string): T[] {
    const items: T[] = []
    let start = 0
    let end = chunk.indexOf('\n')
    while (end !== -1) {
      holdText(chunk.slice(start, end + 1), 1)
      items.push(takeLine())
      start = end + 1
      end = chunk.indexOf('\n', start)
    }
    if (start < chunk.length) holdText(chunk.slice(start), 0)
    return items
  }

  function holdText(part: string, newlines: 0 | 1): void {
    // There are never more characters than bytes: counting characters is enough up to the limit.
    const length = part.length - newlines
    if (size + length <= maxLineBytes) {
      size += length
      text.append(part)
      return
    }
    if (size <= maxLineBytes) {
      size = bytes.size() + byteLength(text.take())
      bytes.clear()
    }
    size += byteLength(part) - newlines
  }

  /** Converts held text to bytes, so that bytes can follow it. */
  function convertHeldText(): void {
    const held = encoder.encode(text.take())
    size = bytes.size()
    holdBytes(held, held.length)
  }

  /** Resets the state before it calls `read`, which may throw. */
  function takeLine(): T {
    if (size <= maxLineBytes && bytes.size() === 0) return takeText()
    if (!text.isEmpty()) bytes.append(encoder.encode(text.take()))
    const line = bytes.view()
    const length = Math.max(size, line.at(-1) === NEWLINE ? line.length - 1 : line.length)
    bytes.clear()
    size = 0
    if (length > maxLineBytes) return read('', {type: 'line-too-long', size: length})
    return readBytes(line, 0, line.length)
  }

  function takeText(): T {
    const raw = text.take()
    const length = size * 3 > maxLineBytes ? byteLength(raw) - (raw.endsWith('\n') ? 1 : 0) : size
    size = 0
    return length > maxLineBytes ? read('', {type: 'line-too-long', size: length}) : read(raw)
  }
}

/** Drops some items of a decoder. */
export function filterItems<T>(decoder: Decoder<T>, isKept: (item: T) => boolean): Decoder<T> {
  return {
    push: (chunk) => decoder.push(chunk).filter(isKept),
    end: () => decoder.end().filter(isKept),
  }
}

/** Bytes of an incomplete line, in a buffer that doubles: tiny chunks take linear time. */
function createHeldBytes() {
  const keep = 4 * 1024 * 1024
  let buffer = new Uint8Array(0)
  let length = 0
  return {
    // A method, as V8 keeps objects with getters in a slower and larger form.
    size: () => length,
    append(part: Uint8Array): void {
      const needed = length + part.length
      if (needed > buffer.length) {
        const grown = new Uint8Array(Math.max(needed, buffer.length * 2, 1024))
        grown.set(buffer.subarray(0, length))
        buffer = grown
      }
      buffer.set(part, length)
      length = needed
    },
    /** The content; valid until the next `append`, also after `clear`. */
    view: (): Uint8Array => buffer.subarray(0, length),
    clear(): void {
      length = 0
      if (buffer.length > keep) buffer = new Uint8Array(0)
    },
  }
}

/** Text of an incomplete line. Parts are joined in blocks: an array of single characters takes eight times their size. */
function createHeldText() {
  const blockSize = 4096
  let blocks: string[] = []
  let parts: string[] = []
  return {
    isEmpty: () => blocks.length + parts.length === 0,
    append(part: string): void {
      parts.push(part)
      if (parts.length < blockSize) return
      blocks.push(parts.join(''))
      parts = []
    },
    take(): string {
      const text = blocks.concat(parts).join('')
      blocks = []
      parts = []
      return text
    },
  }
}

/** The length of a text in UTF-8; half a surrogate pair counts as two, so that a pair split by a chunk adds up. */
export function byteLength(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return length
}

/** A Node `Buffer` can decode a part of itself: creating a view first would take longer than decoding a short line. */
interface SelfDecoding {
  toString(encoding: 'utf8', start: number, end: number): string
}

const {Buffer: NodeBuffer} = globalThis as {Buffer?: {isBuffer(chunk: Uint8Array): boolean}}

function decodeUtf8(chunk: Uint8Array, start: number, end: number): string {
  if (NodeBuffer?.isBuffer(chunk) !== true) return utf8.decode(chunk.subarray(start, end))
  const buffer: SelfDecoding = chunk
  return buffer.toString('utf8', start, end)
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

function isBytes(chunk: unknown): chunk is Uint8Array {
  return ArrayBuffer.isView(chunk) && 'BYTES_PER_ELEMENT' in chunk && chunk.BYTES_PER_ELEMENT === 1
}

function checkLimit(limit: number): number {
  if (limit > 0) return Math.min(limit, MAX_STRING_LENGTH)
  throw new TypeError(`maxLineBytes must be a number above 0, got ${String(limit)}`)
}

function notAChunk(chunk: unknown): string {
  const kind = chunk === null ? 'null' : typeof chunk
  return `expected a chunk of type string or Uint8Array, got ${kind}. Is the stream in object mode?`
}
