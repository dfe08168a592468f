import type {Adapter} from '../core/events/adapter.ts'
import {createEventParser} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createLineDecoder, type LineFlaw, type LineOptions} from '../core/wire/lines.ts'
import {createLineMasker} from '../secrets/line-masker.ts'
import {readBytes} from '../recording/read/byte-source.ts'
import type {LineIndex} from '../recording/read/line-index.ts'
import {toTextEvent} from './show-events.ts'
import type {LineRange} from './run-item.ts'

/** Selects the lines of a recording to read. */
export interface WindowOptions extends LineOptions {
  path: string
  index: LineIndex
  agent: Adapter | null
  /** The wanted lines, in order and without overlaps. */
  ranges: readonly LineRange[]
  /** Returns when a line arrived. */
  timeOf?: ((line: number) => number) | undefined
  /** Whether the run has ended, so that nothing follows the last line. */
  isOver: boolean
  take(line: MaskedLine): void
}

/** A line and its events, with secrets masked. */
interface MaskedLine {
  line: number
  raw: string
  kind: string
  events: AgentEvent[]
}

/** Reads a window of lines in steps. */
interface LineWindow {
  /** Reads the next chunk; returns its size, 0 at the end. */
  advance(): number
}

/** The events of a line may depend on earlier lines, so these are parsed as well. */
const WARM_UP_LINES = 2000
const WARM_UP_BYTES = 4 * 1024 * 1024
/** A secret that starts in the last line is recognized by the lines after it. */
const LOOK_AHEAD_LINES = 64
const LOOK_AHEAD_BYTES = 256 * 1024
const CHUNK_SIZE = 64 * 1024

/** Groups sorted ranges into windows: ranges share a window when the lines between them would be read anyway. */
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
 * Reads lines of a recording. Their events equal those of a complete read, unless they depend on a line more than
 * {@link WARM_UP_LINES} before them.
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
  // Without arrival times no durations are derived.
  const now = () => timeOf?.(line) ?? Number.NaN
  const parser = agent === null ? null : createEventParser(agent, {now})
  const masker = createLineMasker({hasRaw: true})
  const lines = createLineDecoder(
    (raw: string, flaw?: LineFlaw) => {
      line++
      if (line > last && lastShown >= last) return
      const at = line
      const events = parser?.parse(raw, flaw) ?? [toTextEvent(raw, line, now())]
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
      // The file may have been truncated.
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
