import {statSync} from 'node:fs'
import {join} from 'node:path'
import {isRecord} from '../core/wire/json.ts'
import {parseFileChange, type RecordedChange} from '../recording/file-change.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {parseTimedChunk, type TimedChunk} from '../recording/timing.ts'
import {
  createByteReader,
  createTextReader,
  openFile,
  type ByteSource,
} from '../recording/read/growing-file.ts'

/** Goes through a recording in the order in which things happened, as far as it is written, and goes on when there is more. */
export interface RecordingWalk {
  /** The latest record of the run. */
  readonly record: RunRecord
  /** Whether the end has been told. */
  readonly isOver: boolean
  /**
   * Reads what is new, for some milliseconds at most.
   *
   * @param isFull - Whether to leave off for now.
   * @returns Whether there may be more.
   */
  advance(isFull: () => boolean): boolean
  /** Looks at the record of the run with the next advance, for it may have changed. */
  lookAgain(): void
  /** Closes its files, which are opened again when they are needed. */
  rest(): void
}

/** Gets what is found on the way. */
export interface RecordingVisitor {
  /** It is now this time, by the clock of whoever watched the run. */
  setClock(at: number): void
  /** The agent wrote something, to stdout or stderr. */
  onSign(): void
  /** Bytes of stdout, good until anything else is read. */
  onOutput(bytes: Buffer): void
  /** All that was printed at one time has been given. */
  onPiece(): void
  /** A line about an answer to a request. */
  onAnswer(answer: Record<string, unknown>): void
  /** A file is another now. */
  onFile(change: RecordedChange): void
  /** The run is over, and all of it has been given. */
  onEnd(result: NonNullable<RunRecord['result']>): void
}

/** Others want to be served too. */
const LONGEST_TURN_MS = 5

/** Begins at the beginning of a recording. */
export function walkRecording(
  dir: string,
  begun: RunRecord,
  visitor: RecordingVisitor,
  open: (path: string) => ByteSource = openFile,
): RecordingWalk {
  const files = recordingAt(dir)
  const times = createTextReader(open(files.timing))
  const answers = createTextReader(open(files.answers))
  const changes = createTextReader(open(files.files))
  const output = createByteReader(open(files.stdout))
  let clock = begun.startedAt
  let record = begun
  let recordStamp = ''
  let isOver = false
  let mayHaveChanged = true
  /** Where reading was left off in the middle. */
  let reading: Generator<void> | undefined
  let turn = 0

  return {
    get record() {
      return record
    },
    get isOver() {
      return isOver
    },
    advance(isFull) {
      const until = performance.now() + LONGEST_TURN_MS
      turn++
      reading ??= readOn()
      let isMore = true
      while (isMore && !isFull() && performance.now() < until) {
        isMore = reading.next().done !== true
      }
      if (!isMore) reading = undefined
      // Whoever said in the middle of it that the record is another says it once.
      return isMore || (mayHaveChanged && !isOver)
    },
    lookAgain() {
      mayHaveChanged = true
    },
    rest() {
      for (const file of [times, answers, changes, output]) file.rest()
    },
  }

  /** Reads all that is new, and pauses where it could be left off. */
  function* readOn(): Generator<void> {
    if (isOver) return
    // The record first: when it says that the run is over, all else is written.
    if (mayHaveChanged) readRecord()
    const {result} = record
    for (;;) {
      const readIn = turn
      const found = times.read()
      if (found.length === 0) break
      for (const line of found) {
        const piece = parseTimedChunk(line)
        if (piece !== undefined) take(piece)
        if (piece?.kind === 'out') while (readOutput(piece.end)) yield
        yield
      }
      // Within one turn nothing can have come since.
      if (times.isAtEnd && turn === readIn) break
    }
    if (result === undefined) return
    const {sizes, endedAt = result.startedAt + result.durationMs} = record
    // What nobody saw come has the time of the end; what was seen later was seen later.
    setClock(Math.max(clock, endedAt))
    while (readOutput(sizes?.stdout ?? Number.POSITIVE_INFINITY)) yield
    isOver = true
    visitor.onEnd(result)
  }

  function readRecord(): void {
    mayHaveChanged = false
    const path = join(dir, 'run.json')
    const stats = statSync(path, {throwIfNoEntry: false})
    if (stats === undefined) return
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (stamp === recordStamp) return
    const read = readRunRecord(dir)
    // One with another marker is of another run, which took the place of this one.
    if (read === null || read.marker !== begun.marker) return
    record = read
    recordStamp = stamp
  }

  function setClock(at: number): void {
    clock = at
    visitor.setClock(at)
  }

  function take({at, kind, end}: TimedChunk): void {
    setClock(at)
    switch (kind) {
      case 'out':
      case 'err':
        return visitor.onSign()
      case 'answer':
        for (const line of answers.readTo(end)) visitor.onAnswer(parseObject(line))
        return
      case 'file':
        for (const line of changes.readTo(end)) {
          const change = parseFileChange(line)
          if (change !== undefined) visitor.onFile(change)
        }
        return
      case 'in':
        return
      default:
        kind satisfies never
    }
  }

  /** Reads some of the output; false when all of it up to an end has been read. */
  function readOutput(end: number): boolean {
    const read = output.read(end)
    if (read === undefined) {
      visitor.onPiece()
      return false
    }
    visitor.onOutput(read)
    return true
  }
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
