import type {AgentEvent} from '../core/events/events.ts'
import {createLineDecoder, type LineOptions} from '../core/wire/lines.ts'
import {readBytes} from '../recording/read/byte-source.ts'
import {createLineMasker} from '../secrets/line-masker.ts'
import {maskSecrets} from '../secrets/mask-secrets.ts'
import type {ReadItem} from './run-reader.ts'
import type {FullRecord, LineItem, LineRange, SlimEvent} from './run-item.ts'
import {showRecord} from './show-events.ts'
import {FULL, slimEvent} from './slim-event.ts'

/** A line of a recording, with its complete events. */
export type CompleteLine = Pick<LineItem, 'at' | 'line' | 'offset' | 'size' | 'events'>

/** Lines around a requested one that are read as well: a secret may start before it or be recognized after it. */
export const CONTEXT = {before: 128, after: 64} as const
const MAX_BYTES_BEFORE = 1024 * 1024
const MAX_BYTES_AFTER = 256 * 1024

/** The complete events of a line as JSON; `undefined` if its item has all of them. */
export function encodeCompleteEvents({item, events}: ReadItem): string | undefined {
  if (item.type !== 'line' || !item.events.some(({isCut}) => isCut === true)) return undefined
  return JSON.stringify(events.map((event) => slimEvent(event, FULL, maskSecrets)))
}

/** Selects lines of a recording. */
export interface FullRecordsOptions extends LineOptions {
  /** The file that contains the lines. */
  path: string
  /** The agent of the run; `null` if it is unknown. */
  agent: string | null
  /** The first and the last line to read. */
  range: LineRange
  /**
   * Whether a line of the range is requested.
   *
   * @defaultValue Every line is.
   */
  isRequested?: ((line: number) => boolean) | undefined
  /** The lines of the range and those around it, without a gap. */
  lines: readonly CompleteLine[]
  /** Whether nothing follows the last of the lines. */
  isEnd: boolean
  mayAnswer: boolean
}

/** Reads lines in full, with secrets masked. */
export function readFullRecords(options: FullRecordsOptions): FullRecord[] {
  const {path, agent, range, isRequested = () => true, isEnd, mayAnswer, maxLineBytes} = options
  const [from, to] = range
  const lines = cutContext(options.lines, range)
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return []
  const records: FullRecord[] = []
  const masker = createLineMasker({hasRaw: true})
  let next = 0
  const decoder = createLineDecoder(
    (raw: string) => {
      const stored = lines[next++]
      if (stored === undefined) return
      const {line, at} = stored
      const events = stored.events.map((event) => toAgentEvent(event, line, at, agent ?? ''))
      masker.push(raw, events, (shown) => {
        if (line < from || line > to || !isRequested(line)) return
        records.push(showRecord(line, shown.raw, events, mayAnswer))
      })
    },
    {maxLineBytes},
  )
  decoder.push(readBytes(path, first.offset, last.offset + last.size - first.offset))
  decoder.end()
  masker.flush(!isEnd || lines.length < options.lines.length)
  return records
}

/** Leaves out lines of the context that are too far away in bytes. */
function cutContext(lines: readonly CompleteLine[], [from, to]: LineRange): CompleteLine[] {
  const start = lines.find(({line}) => line >= from)?.offset ?? 0
  const last = lines.findLast(({line}) => line <= to)
  const end = last === undefined ? 0 : last.offset + last.size
  return lines.filter(({line, offset, size}) => {
    if (line < from) return start - offset <= MAX_BYTES_BEFORE
    return line <= to || offset + size - end <= MAX_BYTES_AFTER
  })
}

/** Adds the fields that items leave out. */
function toAgentEvent(event: SlimEvent, line: number, at: number, agent: string): AgentEvent {
  return {...event, line, at, agent} as AgentEvent
}
