import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs'
// Not by the list of agents, which loads all of them: Claude Code waits for its hooks.
import {isConversationRow} from '../agents/claude/transcript-rows.ts'
import {isRecord, type JsonObject} from '../core/wire/json.ts'
import {sizeOf} from '../recording/completeness.ts'

/** Rows of a transcript that were written since the last time. */
export interface NewRows {
  rows: JsonObject[]
  /** The rows as they are in the file, each with its newline. */
  text: string
  /** Where the next row begins. */
  offset: number
}

/** The most that is read at once, and the longest row. The rest is read the next time. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/**
 * Reads the rows of the conversation that a transcript has from an offset on. The file belongs to the agent: it is only
 * read, and may be missing, growing or shorter than before.
 */
export function readNewRows(path: string, offset: number): NewRows {
  const bytes = readFrom(path, offset)
  if (bytes === undefined) return {rows: [], text: '', offset: Math.min(offset, sizeOf(path))}
  const end = bytes.lastIndexOf(NEWLINE) + 1
  if (end === 0) {
    // The end of a row that is too long is no JSON, and is skipped like any other damage.
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

/** The bytes from an offset on; `undefined` when there are none or the file cannot be read. */
function readFrom(path: string, offset: number): Buffer | undefined {
  let file: number
  try {
    // Opening a pipe must not wait for its writer.
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

/** Most bytes of a transcript are requests, which repeat the conversation and begin with their type. */
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
