import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs'
// Not through the list of agents, which loads all of them: Claude Code waits for its hooks.
import {isConversationRow} from '../agents/claude/transcript-rows.ts'
import {isRecord, type JsonObject} from '../core/wire/json.ts'
import {sizeOf} from '../recording/completeness.ts'

/** Rows that were added to a transcript. */
export interface NewRows {
  rows: JsonObject[]
  /** The rows as in the file, each with its newline. */
  text: string
  /** Where the next row starts. */
  offset: number
}

/** Maximum size of one read, and of a row; the next call reads the rest. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/**
 * Reads the conversation rows of a transcript from an offset. The agent owns the file: it may be missing, growing
 * or truncated.
 */
export function readNewRows(path: string, offset: number): NewRows {
  const bytes = readFrom(path, offset)
  if (bytes === undefined) return {rows: [], text: '', offset: Math.min(offset, sizeOf(path))}
  const end = bytes.lastIndexOf(NEWLINE) + 1
  if (end === 0) {
    // The rest of an oversized row is not valid JSON and is skipped like other damage.
    const isTooLong = bytes.length >= MAX_READ_BYTES
    return {rows: [], text: '', offset: isTooLong ? offset + bytes.length : offset}
  }
  const found = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .flatMap((line) => parseRow(line) ?? [])
  return {
    rows: found.map(({row}) => row),
    text: found.map(({line}) => `${line}\n`).join(''),
    offset: offset + end,
  }
}

const NEWLINE = 0x0a

/** The bytes from an offset; `undefined` when there are none or the file cannot be read. */
function readFrom(path: string, offset: number): Buffer | undefined {
  let file: number
  try {
    // Do not block on a pipe.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size <= offset) return undefined
    const bytes = Buffer.allocUnsafe(Math.min(stats.size - offset, MAX_READ_BYTES))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset))
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}

/** Most of a transcript are request rows, which repeat the conversation; their type comes first. */
const SKIPPED = /^\{"type":"(?!user"|assistant"|system")/

function parseRow(line: string): {row: JsonObject; line: string} | undefined {
  if (line === '' || SKIPPED.test(line)) return undefined
  try {
    const row: unknown = JSON.parse(line)
    return isRecord(row) && isConversationRow(row) ? {row, line} : undefined
  } catch {
    return undefined
  }
}
