import {statSync} from 'node:fs'
import {join} from 'node:path'
import {isRecord, parseText, type JsonObject} from '../../core/wire/json.ts'
import {stampOf} from '../completeness.ts'
import {parseFileChange, type RecordedChange} from '../file-change.ts'
import {recordingAt} from '../recording.ts'
import {readRunRecord} from '../run-record-file.ts'
import type {RunRecord} from '../run-record.ts'
import {parseTimedChunk, type TimedChunk} from '../timing.ts'
import {openPooledFile, type ByteSource} from './byte-source.ts'
import {createByteCursor, createLineCursor, type LineCursor} from './cursor.ts'

/** Reads a recording in the order in which its chunks arrived, as far as it is written, and continues when it grows. */
export interface RecordingWalk {
  /** The latest record of the run. */
  readonly record: RunRecord
  /** Whether the end of the run has been reported. */
  readonly isOver: boolean
  /**
   * Reads what is new, for a few milliseconds at most.
   *
   * @param isFull - Whether to stop for now.
   * @returns Whether there may be more.
   */
  advance(isFull: () => boolean): boolean
  /** Reads the record of the run again with the next advance. */
  refreshRecord(): void
  /** Closes the files; the next advance opens them again. */
  closeFiles(): void
}

/** Receives the content of a recording. */
export interface RecordingVisitor {
  /** The recorded time of everything that follows. */
  setClock(at: number): void
  /** The agent wrote to stdout or stderr. */
  onActivity(): void
  /** Bytes of stdout, valid until anything else is read. */
  onOutput(bytes: Buffer): void
  /** All output that arrived together has been passed to `onOutput`. */
  onChunkEnd(): void
  /** An answer to a permission request. */
  onAnswer(answer: JsonObject): void
  onFile(change: RecordedChange): void
  /** The run has ended, and all of it has been read. */
  onEnd(result: NonNullable<RunRecord['result']>): void
}

/** Other runs and clients of the thread wait meanwhile. */
const MAX_ADVANCE_MS = 5

/** Starts at the beginning of a recording. */
export function walkRecording(
  dir: string,
  begun: RunRecord,
  visitor: RecordingVisitor,
  open: (path: string) => ByteSource = openPooledFile,
): RecordingWalk {
  const files = recordingAt(dir)
  const times = createLineCursor(open(files.timing))
  // Most runs have neither answers nor file changes.
  let answers: LineCursor | undefined
  let changes: LineCursor | undefined
  const output = createByteCursor(open(files.stdout))
  let clock = begun.startedAt
  let record = begun
  let recordStamp = ''
  let isOver = false
  let mayHaveChanged = true
  /** An unfinished pass over the new part of the files. */
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
      const until = performance.now() + MAX_ADVANCE_MS
      turn++
      reading ??= readNew()
      let isMore = true
      while (isMore && !isFull() && performance.now() < until) {
        isMore = reading.next().done !== true
      }
      if (!isMore) reading = undefined
      // A refresh that was requested during the pass is requested only once.
      return isMore || (mayHaveChanged && !isOver)
    },
    refreshRecord() {
      mayHaveChanged = true
    },
    closeFiles() {
      for (const file of [times, answers, changes, output]) file?.close()
    },
  }

  /** Reads everything new, and pauses wherever reading may be interrupted. */
  function* readNew(): Generator<void> {
    if (isOver) return
    // The record first: when it has the result of the run, the other files are complete.
    if (mayHaveChanged) readRecord()
    const {result} = record
    for (;;) {
      const readIn = turn
      const found = times.read()
      if (found.length === 0) break
      for (const line of found) {
        const chunk = parseTimedChunk(line)
        if (chunk !== undefined) take(chunk)
        if (chunk?.kind === 'out') while (readOutput(chunk.end)) yield
        yield
      }
      // Reading again would find nothing: no time has passed.
      if (times.isAtEnd && turn === readIn) break
    }
    if (result === undefined) return
    const {sizes, endedAt = result.startedAt + result.durationMs} = record
    // Output without a recorded time gets that of the end, unless something was recorded even later.
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
    const stamp = stampOf(stats)
    if (stamp === recordStamp) return
    const read = readRunRecord(dir)
    // A record with another marker belongs to a later run with the same folder.
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
        return visitor.onActivity()
      case 'answer':
        answers ??= createLineCursor(open(files.answers))
        for (const line of answers.readTo(end)) {
          const answer = parseText(line)
          visitor.onAnswer(isRecord(answer) ? answer : {})
        }
        return
      case 'file':
        changes ??= createLineCursor(open(files.files))
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

  /** Reads some of the output; false when all of it before an end has been read. */
  function readOutput(end: number): boolean {
    const read = output.read(end)
    if (read === undefined) {
      visitor.onChunkEnd()
      return false
    }
    visitor.onOutput(read)
    return true
  }
}
