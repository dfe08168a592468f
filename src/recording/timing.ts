import {closeSync, openSync, readFileSync, writeSync} from 'node:fs'
import {attempt} from './attempt.ts'
import {PRIVATE_FILE_MODE} from './private-mode.ts'
import type {Recording} from './run-record.ts'

/** Which file a chunk belongs to, as the timing file names it. */
export type ChunkKind = 'out' | 'err' | 'in' | 'answer' | 'file'

/** The growing files of a recording, by their names in the timing file. */
export const CHUNK_FILES: Readonly<Record<ChunkKind, Exclude<keyof Recording, 'dir' | 'timing'>>> =
  {
    out: 'stdout',
    err: 'stderr',
    in: 'stdin',
    answer: 'answers',
    file: 'files',
  }

/** When a chunk arrived, and where it ends in its file. */
export interface TimedChunk {
  /** Milliseconds since 1970. */
  at: number
  kind: ChunkKind
  end: number
}

/** Records when chunks arrive. Never throws: a run must not fail because a time is missing. */
export interface TimingLog {
  add(kind: ChunkKind, end: number): void
  flush(): void
  close(): void
}

/** Readers wait for the times, so they are flushed soon, but in batches while many chunks arrive. */
const FLUSH_DELAY_MS = 10
const MIN_FLUSH_INTERVAL_MS = 100

/** Opens the timing file of a recording and appends to it. */
export function openTiming(
  path: string,
  onError: (error: unknown) => void,
  now: () => number = Date.now,
): TimingLog {
  let file: number | undefined
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  let flushedAt = -MIN_FLUSH_INTERVAL_MS
  const tryTo = (action: () => void) => {
    try {
      action()
    } catch (error) {
      onError(error)
    }
  }
  tryTo(() => (file = openSync(path, 'a', PRIVATE_FILE_MODE)))
  return {
    add(kind, end) {
      pending += `[${now()},"${kind}",${end}]\n`
      timer ??= setTimeout(
        flush,
        Math.max(FLUSH_DELAY_MS, flushedAt + MIN_FLUSH_INTERVAL_MS - performance.now()),
      ).unref()
    },
    flush,
    close() {
      flush()
      tryTo(() => file !== undefined && closeSync(file))
      file = undefined
    },
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    flushedAt = performance.now()
    if (pending === '' || file === undefined) return
    const text = pending
    pending = ''
    const to = file
    tryTo(() => writeSync(to, text))
  }
}

/** The timed chunks of a recording, in order of arrival. Truncated and malformed lines are skipped. */
export function readTiming(path: string): TimedChunk[] {
  return readLines(path).flatMap((line) => parseTimedChunk(line) ?? [])
}

/** The lines of a file of a recording; none when it cannot be read. */
export function readLines(path: string): string[] {
  return attempt(() => readFileSync(path, 'utf8').split('\n')) ?? []
}

/** Parses a line of the timing file; `undefined` when it is truncated or malformed. */
export function parseTimedChunk(line: string): TimedChunk | undefined {
  const match = TIMED_CHUNK.exec(line)
  if (match === null) return undefined
  const [, at, kind, end] = match
  return {at: Number(at), kind: kind as ChunkKind, end: Number(end)}
}

const KINDS = Object.keys(CHUNK_FILES).join('|')
const TIMED_CHUNK = new RegExp(`^\\[(\\d{1,15}),"(${KINDS})",([1-9]\\d{0,14})\\]$`)
