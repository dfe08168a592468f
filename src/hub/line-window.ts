import {closeSync, openSync, readSync} from 'node:fs'
import {
  createEventParser,
  createLineDecoder,
  type Adapter,
  type AgentEvent,
  type LineFlaw,
} from '../core/index.ts'
import type {LineIndex} from './line-index.ts'
import {toPrinted} from './show-events.ts'

/** Some lines of a recording, without those long before them. */
export interface WindowOptions {
  path: string
  index: LineIndex
  agent: Adapter | null
  /** The first and the last line. */
  from: number
  to: number
  /** When a line came. */
  timeOf?: ((line: number) => number) | undefined
  take(line: SeenLine): void
}

/** A line, and what it means. */
interface SeenLine {
  line: number
  raw: string
  kind: string
  events: AgentEvent[]
}

/** What a line means may depend on lines before it, of which so many are read too. */
const WARM_UP_LINES = 2000
const WARM_UP_BYTES = 4 * 1024 * 1024

/**
 * Reads some lines of a recording. What they mean is what all of it would tell, but for what depends on something longer
 * ago than {@link WARM_UP_LINES}.
 */
export function readWindow({path, index, agent, from, to, timeOf, take}: WindowOptions): void {
  const last = Math.min(to, index.count)
  if (from > last) return
  let line = firstToRead(index, from) - 1
  const start = index.startOf(line + 1)
  const bytes = readBytes(path, start, index.startOf(last + 1) - start)
  // Without a time, nothing is derived from one.
  const now = () => timeOf?.(line) ?? Number.NaN
  const parser = agent === null ? null : createEventParser(agent, {now})
  const lines = createLineDecoder((raw: string, flaw?: LineFlaw) => {
    line++
    const events = parser?.parse(raw, flaw) ?? [toPrinted(raw, line, now())]
    if (line >= from) take({line, raw, kind: parser?.kind ?? 'text', events})
  })
  lines.push(bytes)
  lines.end()
}

function firstToRead(index: LineIndex, from: number): number {
  let first = Math.max(1, from - WARM_UP_LINES)
  while (first < from && index.startOf(from) - index.startOf(first) > WARM_UP_BYTES) {
    first += Math.ceil((from - first) / 2)
  }
  return first
}

function readBytes(path: string, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  const file = openSync(path, 'r')
  try {
    let read = 0
    while (read < length) {
      const size = readSync(file, bytes, read, length - read, start + read)
      if (size === 0) break
      read += size
    }
    return bytes.subarray(0, read)
  } finally {
    closeSync(file)
  }
}
