import {closeSync, openSync, readSync} from 'node:fs'
import type {Adapter} from '../core/events/adapter.ts'
import {createEventParser} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createLineDecoder, type LineFlaw, type LineOptions} from '../core/wire/lines.ts'
import {createLineMasker} from '../secrets/line-masker.ts'
import type {LineIndex} from '../recording/read/line-index.ts'
import {toPrinted} from './show-events.ts'
import type {LineRange} from './run-item.ts'

/** Some lines of a recording, without those long before them. */
export interface WindowOptions extends LineOptions {
  path: string
  index: LineIndex
  agent: Adapter | null
  /** The first and the last of the lines that are wanted, in order and without overlaps. */
  ranges: readonly LineRange[]
  /** When a line came. */
  timeOf?: ((line: number) => number) | undefined
  /** Whether nothing will follow the last line of the file: the run is over. */
  isOver: boolean
  take(line: SeenLine): void
}

/** A line, and what it means, without secrets that span lines. */
interface SeenLine {
  line: number
  raw: string
  kind: string
  events: AgentEvent[]
}

/** Reads a window bit by bit. */
interface LineWindow {
  /** Reads some more; returns how many bytes that was, 0 at the end. */
  advance(): number
}

/** What a line means may depend on lines before it, of which so many are read too. */
const WARM_UP_LINES = 2000
const WARM_UP_BYTES = 4 * 1024 * 1024
/** A secret that begins in the last line is known by lines after it. */
const LOOK_AHEAD_LINES = 64
const LOOK_AHEAD_BYTES = 256 * 1024
const CHUNK_SIZE = 64 * 1024

/** Splits ranges, in order, into windows: ranges share one when the lines between them would be read anyway. */
export function splitWindows(ranges: readonly LineRange[]): LineRange[][] {
  const windows: LineRange[][] = []
  for (const range of ranges) {
    const last = windows.at(-1)
    const isNear = range[0] - (last?.at(-1)?.[1] ?? -Infinity) <= WARM_UP_LINES
    if (last !== undefined && isNear) last.push(range)
    else windows.push([range])
  }
  return windows
}

/**
 * Reads some lines of a recording. What they mean is what all of it would tell, but for what depends on something longer
 * ago than {@link WARM_UP_LINES}.
 */
export function openWindow(options: WindowOptions): LineWindow {
  const {path, index, agent, ranges, timeOf, isOver, take, maxLineBytes} = options
  const from = ranges[0]?.[0] ?? Infinity
  const last = Math.min(ranges.at(-1)?.[1] ?? 0, index.count)
  if (from > last) return {advance: () => 0}
  let line = firstToRead(index, from) - 1
  let position = index.startOf(line + 1)
  const lastRead = lastToRead(index, last)
  const end = index.startOf(lastRead + 1)
  let rangeAt = 0
  let lastShown = 0
  // Without a time, nothing is derived from one.
  const now = () => timeOf?.(line) ?? Number.NaN
  const parser = agent === null ? null : createEventParser(agent, {now})
  const masker = createLineMasker({hasRaw: true})
  const lines = createLineDecoder(
    (raw: string, flaw?: LineFlaw) => {
      line++
      if (line > last && lastShown >= last) return
      const at = line
      const events = parser?.parse(raw, flaw) ?? [toPrinted(raw, line, now())]
      const kind = parser?.kind ?? 'text'
      masker.push(raw, events, (shown) => {
        lastShown = at
        while (at > (ranges[rangeAt]?.[1] ?? Infinity)) rangeAt++
        if (at >= (ranges[rangeAt]?.[0] ?? Infinity)) take({line: at, kind, ...shown})
      })
    },
    {maxLineBytes},
  )
  return {
    advance() {
      if (position >= end) return 0
      const bytes = readBytes(path, position, Math.min(CHUNK_SIZE, end - position))
      position += bytes.length
      lines.push(bytes)
      // The file may be shorter than it was.
      if (bytes.length === 0) position = end
      if (position >= end) {
        lines.end()
        masker.flush(!isOver || lastRead < index.count)
      }
      return bytes.length
    },
  }
}

function firstToRead(index: LineIndex, from: number): number {
  let first = Math.max(1, from - WARM_UP_LINES)
  while (first < from && index.startOf(from) - index.startOf(first) > WARM_UP_BYTES) {
    first += Math.ceil((from - first) / 2)
  }
  return first
}

function lastToRead(index: LineIndex, last: number): number {
  let end = Math.min(last + LOOK_AHEAD_LINES, index.count)
  while (end > last && index.startOf(end + 1) - index.startOf(last + 1) > LOOK_AHEAD_BYTES) {
    end = last + Math.floor((end - last) / 2)
  }
  return end
}

function readBytes(path: string, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  const file = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, start))
  } finally {
    closeSync(file)
  }
}
