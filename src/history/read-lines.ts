import {closeSync, fstatSync} from 'node:fs'
import {openForReading, readAt} from './read-file.ts'

/** How to read the lines of a file. */
export interface LineReading {
  /** Where to start: the start of a line. */
  from: number
  /** Which lines to read; without it, every line. */
  filter?: LineFilter | undefined
  /** Returns whether the line was complete; only the answer for the last line of the file, without a newline, matters. */
  onLine(line: Buffer): boolean
}

/** The lines of a file to read. Searching is much faster than looking at each line. */
export interface LineFilter {
  /** The text that a line must contain. */
  marker: Buffer
  /** Whether every line is wanted at this position. */
  wantsAll(offset: number): boolean
  /** The size of the end of the file in which short lines are wanted too. */
  tailBytes: number
  maxTailLineBytes: number
}

const CHUNK_BYTES = 512 * 1024
/** A longer line is not read. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 0x0a

/** One buffer for all files: thousands are read one after the other. */
let shared: Buffer | undefined

/** How far a file was read. */
export interface LinesRead {
  /** Where the next line starts. */
  offset: number
  /** The end of the last line, to detect that the file was written again. */
  ending: string
}

/**
 * Reads the lines of a file that may be growing, and never more of it than one chunk or one line at once. Buffers are
 * valid until `onLine` returns.
 *
 * @throws Error if the file cannot be read.
 */
export function readLines(path: string, {from, filter, onLine}: LineReading): LinesRead {
  const file = openForReading(path)
  // A nested call needs a buffer of its own.
  let buffer = shared ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  shared = undefined
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('not a regular file')
    const readBlock = createBlockReader(stats.size, filter, onLine)
    /** The position in the file of the first byte of the buffer. */
    let start = from
    let length = 0
    let ending = ''
    let isSkipping = false
    // Lines that are added meanwhile are read the next time.
    while (start + length < stats.size) {
      const size = readAt(file, buffer.subarray(length), start + length)
      if (size === 0) break
      const searchFrom = length
      length += size
      const end = buffer.subarray(searchFrom, length).lastIndexOf(NEWLINE) + 1 + searchFrom
      if (end === searchFrom) {
        if (length < buffer.length) continue
        if (isSkipping || length >= MAX_LINE_BYTES) {
          // The rest of the line is skipped.
          isSkipping = true
          start += length
          length = 0
          if (buffer.length > CHUNK_BYTES) buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
        } else buffer = Buffer.concat([buffer], Math.min(buffer.length * 4, MAX_LINE_BYTES))
        continue
      }
      let first = 0
      if (isSkipping) {
        first = buffer.indexOf(NEWLINE, searchFrom) + 1
        isSkipping = false
      }
      readBlock(buffer.subarray(first, end), start + first)
      ending = toEnding(buffer.subarray(0, end))
      buffer.copyWithin(0, end, length)
      start += end
      length -= end
    }
    // The last line may be complete although it has no newline.
    const last = buffer.subarray(0, length)
    if (length === 0 || isSkipping || !onLine(last)) return {offset: start, ending}
    return {offset: start + length, ending: toEnding(last)}
  } finally {
    closeSync(file)
    if (buffer.length === CHUNK_BYTES) shared = buffer
  }
}

const ENDING_BYTES = 32

function toEnding(bytes: Buffer): string {
  return bytes.toString('latin1', Math.max(0, bytes.length - ENDING_BYTES))
}

/** Whether a file still contains what was read of it last. */
export function isSameUntil(path: string, {offset, ending}: LinesRead): boolean {
  if (ending === '') return true
  const file = openForReading(path)
  try {
    const bytes = Buffer.alloc(ending.length)
    const size = readAt(file, bytes, offset - ending.length)
    return bytes.toString('latin1', 0, size) === ending
  } finally {
    closeSync(file)
  }
}

const EVERY_LINE: LineFilter = {
  marker: Buffer.alloc(0),
  wantsAll: () => true,
  tailBytes: 0,
  maxTailLineBytes: 0,
}

/** Creates the function that reads complete lines. */
function createBlockReader(
  fileSize: number,
  filter: LineFilter | undefined,
  onLine: LineReading['onLine'],
): (block: Buffer, offset: number) => void {
  const {marker, wantsAll, tailBytes, maxTailLineBytes} = filter ?? EVERY_LINE
  const tailStart = fileSize - tailBytes
  return (block, offset) => {
    const rest = block.subarray(readEach(block, (at) => wantsAll(offset + at)))
    if (rest.length === 0) return
    const tailAt = findLineStart(rest, tailStart - (offset + block.length - rest.length))
    readMarked(rest.subarray(0, tailAt))
    readTail(rest.subarray(tailAt))
  }

  /** Reads lines as long as they are wanted; returns where it stopped. */
  function readEach(block: Buffer, isWanted: (at: number) => boolean): number {
    let at = 0
    while (at < block.length && isWanted(at)) {
      const end = block.indexOf(NEWLINE, at)
      onLine(block.subarray(at, end))
      at = end + 1
    }
    return at
  }

  function readMarked(block: Buffer): void {
    let found = block.indexOf(marker)
    while (found !== -1) {
      const end = block.indexOf(NEWLINE, found)
      onLine(block.subarray(block.lastIndexOf(NEWLINE, found) + 1, end))
      found = block.indexOf(marker, end)
    }
  }

  function readTail(block: Buffer): void {
    for (let at = 0; at < block.length;) {
      const end = block.indexOf(NEWLINE, at)
      const line = block.subarray(at, end)
      if (line.length <= maxTailLineBytes || line.includes(marker)) onLine(line)
      at = end + 1
    }
  }
}

/** Where the first line starts that starts at a position or after it. */
function findLineStart(block: Buffer, position: number): number {
  if (position <= 0) return 0
  return position >= block.length ? block.length : block.indexOf(NEWLINE, position - 1) + 1
}
