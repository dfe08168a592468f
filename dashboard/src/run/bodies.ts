import type {FullRecord, SlimEvent} from '../../../src/replay/run-item.ts'
import type {Entry} from '../model/entry.ts'
import type {LineRange, RunSource} from './run-source.ts'

/** The lines that are seen in full: fetched when they are wanted, dropped when they were not seen for long. */
export interface Bodies {
  /** A line, if it is here. */
  get(line: number): FullRecord | undefined
  /** Wants lines, which come soon and all at once. */
  want(lines: Iterable<number>): void
  /** Another number whenever some came. */
  getVersion(): number
  subscribe(listener: () => void): () => void
}

const MOST_KEPT = 500
const MOST_AT_ONCE = 400
/** What is wanted within this time is asked for at once. */
const TOGETHER_MS = 40
/** What did not come is wanted again, but not at once: the hub may be away. */
const PAUSE_MS = 2000

/** Makes a store of lines. */
export function createBodies({readRecords}: Pick<RunSource, 'readRecords'>): Bodies {
  const kept = new Map<number, FullRecord>()
  const listeners = new Set<() => void>()
  const wanted = new Set<number>()
  const asked = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let version = 0

  return {
    get(line) {
      const record = kept.get(line)
      if (record === undefined) return undefined
      // What was seen last is dropped last.
      kept.delete(line)
      kept.set(line, record)
      return record
    },
    want(lines) {
      for (const line of lines) {
        if (line > 0 && !kept.has(line) && !asked.has(line)) wanted.add(line)
      }
      if (wanted.size > 0) timer ??= setTimeout(ask, TOGETHER_MS)
    },
    getVersion: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  function ask(): void {
    timer = undefined
    const lines = [...wanted].toSorted((one, other) => one - other).slice(0, MOST_AT_ONCE)
    for (const line of lines) {
      wanted.delete(line)
      asked.add(line)
    }
    if (wanted.size > 0) timer = setTimeout(ask, TOGETHER_MS)
    const take = (records: readonly FullRecord[]) => {
      for (const record of records) kept.set(record.line, record)
      const missing = lines.filter((line) => !kept.has(line))
      dropOldest()
      forget(lines.filter((line) => !missing.includes(line)))
      if (missing.length > 0) setTimeout(() => forget(missing), PAUSE_MS)
    }
    readRecords(toRanges(lines)).then(take, () => setTimeout(() => forget(lines), PAUSE_MS))
  }

  function dropOldest(): void {
    for (const line of kept.keys()) {
      if (kept.size <= MOST_KEPT) return
      kept.delete(line)
    }
  }

  function forget(lines: readonly number[]): void {
    for (const line of lines) asked.delete(line)
    version++
    for (const listener of listeners) listener()
  }
}

/** Lines that follow each other, as one. */
function toRanges(lines: readonly number[]): LineRange[] {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

/** What an entry is in full, as far as its lines are here. */
export interface Body {
  text?: string | undefined
  input?: unknown
  output?: string | undefined
  error?: string | undefined
  raw?: string | undefined
  /** Whether all of its lines are here. */
  isWhole: boolean
}

/** No text is made of more lines than this. */
const MOST_LINES = 400

/** The lines that an entry is made of. */
export function linesOf(entry: Entry): number[] {
  if (entry.type !== 'speech') {
    return entry.line === entry.lastLine ? [entry.line] : [entry.line, entry.lastLine]
  }
  const count = Math.min(entry.lastLine - entry.line + 1, MOST_LINES)
  return Array.from({length: count}, (_, index) => entry.line + index)
}

/** Reads an entry in full out of its lines. */
export function readBody(entry: Entry, get: Bodies['get']): Body {
  const records = linesOf(entry).map(get)
  const events = records.flatMap((record) => record?.events ?? [])
  const isWhole = records.every((record) => record !== undefined)
  switch (entry.type) {
    case 'speech':
      return {text: joinSpeech(entry, events), isWhole}
    case 'tool': {
      const body: Body = {isWhole}
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
    case 'turn': {
      const end = events.find((event) => event.type === 'turn-end')
      return {text: end?.type === 'turn-end' ? end.text : undefined, isWhole}
    }
    case 'request': {
      const asked = events.find((event) => event.type === 'permission-request')
      return {input: asked?.type === 'permission-request' ? asked.input : undefined, isWhole}
    }
    default:
      return {raw: records[0]?.raw, isWhole}
  }
}

function joinSpeech(
  {isThinking, parentId, messageId}: Entry & {type: 'speech'},
  events: readonly SlimEvent[],
): string {
  let text = ''
  for (const event of events) {
    if (!isSpeech(event) || event.type.startsWith('thinking') !== isThinking) continue
    if (event.parentToolId !== parentId) continue
    if (messageId !== undefined && event.messageId !== messageId) continue
    text += event.text
  }
  return text
}

function isSpeech(event: SlimEvent): event is Extract<SlimEvent, {messageId?: unknown}> {
  return 'text' in event && /^(?:text|thinking)/.test(event.type)
}
