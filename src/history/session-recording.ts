import {createHash} from 'node:crypto'
import {appendFileSync, rmSync} from 'node:fs'
import {createLineDecoder} from '../core/wire/lines.ts'
import {measureRecording} from '../recording/completeness.ts'
import type {ProcessId} from '../recording/process-id.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {makeFolder} from '../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import {readChunks} from '../recording/read/cursor.ts'
import {recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {writeAtomic} from '../recording/write-atomic.ts'
import {toReadable} from './archive/readable.ts'
import {titleOf} from './entries.ts'
import {orderAsCopied} from './order-as-copied.ts'
import {numberLine, readNumber, transcriptListOf, type ListedTranscript} from './session-adapter.ts'
import {openSessionReader, type SessionRecord} from './session-reader.ts'
import type {Session} from './sessions.ts'
import {keyOf} from './transcripts.ts'

/**
 * A copy of a session in the form of a recording, for everything that shows runs: the records of all transcripts in the
 * order of their times. It is made when a user opens the session, and can be removed at any time.
 */
export interface SessionRecording extends RecordedRun {
  /** Whether the transcripts no longer begin as the copy does, which must be made again then. */
  readonly isChanged: boolean
  /** Copies the new records, for some milliseconds at most; returns whether there may be more. */
  update(): boolean
  /** Copies the rest, also records without a newline, and records the end of the session. */
  finish(): void
  /** Reads the transcripts of new sub-agents too. */
  refresh(session: Session): void
  close(): void
}

const MAX_UPDATE_MS = 20
const BLOCK_LENGTH = 256 * 1024

/**
 * Starts the copy of a session in a folder.
 *
 * @param continues - Whether to continue an earlier copy, with the records in the same order; otherwise it is replaced.
 */
export function openSessionRecording(
  dir: string,
  session: Session,
  continues = false,
): SessionRecording {
  if (!continues) rmSync(dir, {recursive: true, force: true})
  makeFolder(dir)
  const files = recordingAt(dir)
  const earlier = continues ? orderAsCopied(dir, session) : undefined
  const transcripts = earlier ?? session.transcripts.map(({transcript}) => transcript)
  const reader = openSessionReader(transcripts)
  const numbers = new Map(transcripts.map((transcript, number) => [keyOf(transcript), number]))
  const record = toRunRecord(session)
  let size = 0
  let clock = session.startedAt
  let isChanged = continues && earlier === undefined
  let check = earlier === undefined ? undefined : checkCopied()
  if (!isChanged) {
    writeList()
    writeRunRecord(dir, record)
  }

  return {
    dir,
    record,
    get isChanged() {
      return isChanged
    },
    update() {
      const until = performance.now() + MAX_UPDATE_MS
      for (;;) {
        const isMore = check === undefined ? copyBlock() : checkBlock()
        if (!isMore || performance.now() >= until) return isMore
      }
    },
    finish() {
      while (check !== undefined) checkBlock()
      while (copyBlock());
      write(reader.end())
      const endedAt = Math.max(clock, session.endedAt)
      writeRunRecord(dir, {...record, endedAt, sizes: measureRecording(dir)})
    },
    refresh(next) {
      const before = numbers.size
      for (const {transcript} of next.transcripts) {
        if (numbers.has(keyOf(transcript))) continue
        numbers.set(keyOf(transcript), numbers.size)
        transcripts.push(transcript)
        reader.add(transcript)
      }
      if (numbers.size > before) writeList()
    },
    close: reader.close,
  }

  function writeList(): void {
    const listed = transcripts
      .map(toReadable)
      .map(({root, path, file, sessionId}): ListedTranscript => ({root, path, file, sessionId}))
    writeAtomic(transcriptListOf(dir), Buffer.from(JSON.stringify(listed)))
  }

  /** Compares a part of the earlier copy; returns whether there may be more to read. */
  function checkBlock(): boolean {
    if (check?.next().done === true) check = undefined
    return !isChanged
  }

  /** Reads the records that are in the earlier copy. */
  function* checkCopied(): Generator<undefined> {
    const lines: string[] = []
    const decoder = createLineDecoder((line) => lines.push(line))
    for (const chunk of readChunks(files.stdout)) {
      decoder.push(chunk)
      isChanged = !lines.splice(0).every(skipCopied)
      if (isChanged) return
      yield
    }
    isChanged = decoder.end().length > 0
  }

  function skipCopied(line: string): boolean {
    const key = keyOfNumber(readNumber(line))
    const next = key === undefined ? undefined : reader.nextOf(key)
    if (next === undefined || toLine(next) !== line) return false
    size += Buffer.byteLength(line)
    clock = Math.max(clock, next.at)
    return true
  }

  function keyOfNumber(number: number): string | undefined {
    const transcript = transcripts[number]
    return transcript === undefined ? undefined : keyOf(transcript)
  }

  function copyBlock(): boolean {
    const records: SessionRecord[] = []
    let length = 0
    while (length < BLOCK_LENGTH) {
      const next = reader.next()
      if (next === undefined) break
      records.push(next)
      length += next.raw.length
    }
    write(records)
    return length >= BLOCK_LENGTH
  }

  function write(records: readonly SessionRecord[]): void {
    if (records.length === 0) return
    const lines = records.map(toLine)
    const text = lines.join('')
    const bytes = Buffer.from(text)
    const isAscii = bytes.length === text.length
    let times = ''
    for (const [index, line] of lines.entries()) {
      size += isAscii ? line.length : Buffer.byteLength(line)
      clock = Math.max(clock, records[index]?.at ?? clock)
      times += `[${clock},"out",${size}]\n`
    }
    appendFileSync(files.stdout, bytes, {mode: PRIVATE_FILE_MODE})
    appendFileSync(files.timing, times, {mode: PRIVATE_FILE_MODE})
  }

  function toLine({raw, value, key}: SessionRecord): string {
    const number = numbers.get(key) ?? 0
    const line = raw.endsWith('\n') ? raw : `${raw}\n`
    if (number === 0 || value === undefined) return line
    return numberLine(line, number)
  }
}

function toRunRecord(session: Session): RunRecord {
  const {id, agent, cwd = '', agentVersion, startedAt, transcripts} = session
  const [main] = transcripts
  const {dev = 0, ino = 0} = main?.transcript.stats ?? {}
  return {
    version: 1,
    runId: id,
    argv: [agent],
    ranArgv: [agent],
    cwd,
    agent,
    agentVersion,
    prompt: titleOf(session) || undefined,
    startedAt,
    // The same copy after a restart, another one when the file was replaced.
    marker: createHash('sha256').update(`${id} ${dev} ${ino}`).digest('hex').slice(0, 16),
    supervisor: NO_PROCESS,
    isTranscript: true,
  }
}

/** A process that never existed: nothing supervises a session. */
const NO_PROCESS: ProcessId = {pid: 2 ** 31 - 1}
