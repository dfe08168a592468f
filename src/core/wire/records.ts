import {
  byteLength,
  createLineDecoder,
  filterItems,
  type Decoder,
  type LineFlaw,
  type LineOptions,
} from './lines.ts'

/** Why a line could not be parsed: it is not JSON, or it was over the limit and was dropped. */
export type MalformedReason = 'invalid-json' | 'line-too-long'

/** One line of a JSONL stream, parsed or not. */
export type LineRecord = JsonRecord | BlankRecord | MalformedRecord

/** The fields of every record. */
interface RecordBase {
  /**
   * The exact text of the line with its newline: joined, the texts of all records are the stream. Empty for a line over the
   * limit.
   */
  raw: string
  /** The original bytes, when they are not valid UTF-8. */
  bytes?: Uint8Array
}

/** A line that is JSON. */
interface JsonRecord extends RecordBase {
  type: 'json'
  value: unknown
}

/** A line of white space. */
interface BlankRecord extends RecordBase {
  type: 'blank'
}

/** A line that cannot be parsed. */
interface MalformedRecord extends RecordBase {
  type: 'malformed'
  reason: MalformedReason
  /** Length of the line in bytes, without its newline. */
  size: number
  /** Where in `raw` the JSON parser stopped, in characters; absent when the engine does not report it. */
  position?: number
}

/** How to read records. */
export interface RecordOptions extends LineOptions {
  /**
   * Whether to omit blank lines. The `raw` texts of the records are then not the complete stream.
   *
   * @defaultValue false
   */
  skipBlank?: boolean | undefined
}

const OPENING_BRACE = 0x7b
const BYTE_ORDER_MARK = 0xfeff

/** Parses one line. Never throws: a malformed line is a record too. */
export function parseRecord(raw: string, flaw?: LineFlaw): LineRecord {
  if (flaw === undefined) return parseText(raw)
  if (flaw.type === 'line-too-long')
    return {type: 'malformed', raw, reason: flaw.type, size: flaw.size}
  const {bytes} = flaw
  const record = parseText(raw)
  return record.type === 'malformed'
    ? {...record, size: withoutNewline(raw, bytes.length), bytes}
    : {...record, bytes}
}

/** Splits a stream into records, for callers with a reading loop of their own. */
export function createRecordDecoder(options: RecordOptions = {}): Decoder<LineRecord> {
  const decoder = createLineDecoder(parseRecord, options)
  if (options.skipBlank !== true) return decoder
  return filterItems(decoder, ({type}) => type !== 'blank')
}

function parseText(raw: string): LineRecord {
  const first = raw.charCodeAt(0)
  if (first !== OPENING_BRACE && raw.trim() === '') return {type: 'blank', raw}
  // A file saved by some Windows tools begins with a byte order mark, which is not valid JSON.
  const skipped = first === BYTE_ORDER_MARK ? 1 : 0
  try {
    return {type: 'json', raw, value: JSON.parse(skipped === 0 ? raw : raw.slice(skipped))}
  } catch (error) {
    const size = withoutNewline(raw, byteLength(raw))
    const record: MalformedRecord = {type: 'malformed', raw, reason: 'invalid-json', size}
    const position = readPosition(error)
    return position === undefined ? record : {...record, position: position + skipped}
  }
}

/** V8 reports the position of most errors, but only in their message, which may also contain text of the line. */
function readPosition(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, digits] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? []
  return digits === undefined ? undefined : Number(digits)
}

function withoutNewline(raw: string, size: number): number {
  return raw.endsWith('\n') ? size - 1 : size
}
