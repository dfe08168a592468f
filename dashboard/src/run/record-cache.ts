import type {FullRecord, SlimEvent} from '../../../src/replay/run-item.ts'
import type {TextEntry, ToolEntry, TurnEntry} from '../model/entry.ts'
import {createStore} from '../ui/create-store.ts'
import type {LineRange, RunSource} from './run-source.ts'

const MAX_KEPT = 500
const MAX_AT_ONCE = 400
/** Requests within this time are batched. */
const BATCH_DELAY_MS = 40
/** Failed requests are retried after a pause: the hub may be down. */
const RETRY_DELAY_MS = 2000

/** A cache of complete records: fetched on request, evicted when unused. */
export type RecordCache = ReturnType<typeof createRecordCache>

export function createRecordCache({readRecords}: Pick<RunSource, 'readRecords'>) {
  const kept = new Map<number, FullRecord>()
  /** Changes whenever records were loaded. */
  const version = createStore(0)
  const wanted = new Set<number>()
  const asked = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    version,
    /** A record, if it is loaded. */
    get(line: number): FullRecord | undefined {
      const record = kept.get(line)
      if (record === undefined) return undefined
      // Least recently used records are evicted first.
      kept.delete(line)
      kept.set(line, record)
      return record
    },
    /** Requests records, which are fetched in batches. */
    request(lines: Iterable<number>): void {
      for (const line of lines) {
        if (line > 0 && !kept.has(line) && !asked.has(line)) wanted.add(line)
      }
      if (wanted.size > 0) timer ??= setTimeout(ask, BATCH_DELAY_MS)
    },
  }

  function ask(): void {
    timer = undefined
    const lines = [...wanted].toSorted((one, other) => one - other).slice(0, MAX_AT_ONCE)
    for (const line of lines) {
      wanted.delete(line)
      asked.add(line)
    }
    if (wanted.size > 0) timer = setTimeout(ask, BATCH_DELAY_MS)
    const take = (records: readonly FullRecord[]) => {
      for (const record of records) kept.set(record.line, record)
      const missing = lines.filter((line) => !kept.has(line))
      dropOldest()
      forget(lines.filter((line) => !missing.includes(line)))
      if (missing.length > 0) setTimeout(() => forget(missing), RETRY_DELAY_MS)
    }
    readRecords(toRanges(lines)).then(take, () => setTimeout(() => forget(lines), RETRY_DELAY_MS))
  }

  function dropOldest(): void {
    for (const line of kept.keys()) {
      if (kept.size <= MAX_KEPT) return
      kept.delete(line)
    }
  }

  function forget(lines: readonly number[]): void {
    for (const line of lines) asked.delete(line)
    version.set(version.get() + 1)
  }
}

/** Merges consecutive lines to ranges. */
function toRanges(lines: readonly number[]): LineRange[] {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

/** The complete content of an entry, as far as its records are loaded. */
export interface Body {
  text?: string | undefined
  input?: unknown
  output?: string | undefined
  error?: string | undefined
  /** Whether all of its records are loaded. */
  isComplete: boolean
}

/** Limits the lines of one text. */
const MAX_LINES = 400

/** An entry whose content may be cut. */
export type LongEntry = TextEntry | ToolEntry | TurnEntry

export function linesOf(entry: LongEntry): number[] {
  if (entry.type !== 'text') {
    return entry.line === entry.lastLine ? [entry.line] : [entry.line, entry.lastLine]
  }
  const count = Math.min(entry.lastLine - entry.line + 1, MAX_LINES)
  return Array.from({length: count}, (_, index) => entry.line + index)
}

/** Reads the complete content of an entry from its records. */
export function readBody(entry: LongEntry, get: RecordCache['get']): Body {
  const records = linesOf(entry).map(get)
  const events = records.flatMap((record) => record?.events ?? [])
  const isComplete = records.every((record) => record !== undefined)
  switch (entry.type) {
    case 'text':
      return {text: joinText(entry, events), isComplete}
    case 'tool': {
      const body: Body = {isComplete}
      for (const event of events) {
        if (!('toolId' in event) || event.toolId !== entry.toolId) continue
        if (event.type === 'tool-start') body.input = event.input
        if (event.type === 'tool-end') {
          body.output = event.output
          body.error = event.error
        }
      }
      return body
    }
    case 'turn':
      return {text: events.find((event) => event.type === 'turn-end')?.text, isComplete}
    default:
      return entry satisfies never
  }
}

function joinText(
  {isThinking, parentId, messageId}: TextEntry,
  events: readonly SlimEvent[],
): string {
  let text = ''
  for (const event of events) {
    if (!isText(event) || event.type.startsWith('thinking') !== isThinking) continue
    if (event.parentToolId !== parentId) continue
    if (messageId !== undefined && event.messageId !== messageId) continue
    text += event.text
  }
  return text
}

function isText(event: SlimEvent): event is Extract<SlimEvent, {messageId?: unknown}> {
  return 'text' in event && /^(?:text|thinking)/.test(event.type)
}
