import {statSync} from 'node:fs'
import {parseObject, type JsonObject} from '../core/wire/json.ts'
import {createLineDecoder, type LineFlaw} from '../core/wire/lines.ts'
import {openPooledFile} from '../recording/read/byte-source.ts'
import {createByteCursor} from '../recording/read/cursor.ts'
import {toReadable} from './archive/readable.ts'
import {decompressZstd, readCompleteFile} from './read-file.ts'
import {openTranscriptSource, type OpenSource} from './source.ts'
import {keyOf, pathOf, stampOf, type Transcript} from './transcripts.ts'

/** A record of a session. */
export interface SessionRecord {
  /** Its text, with the newline if it has one. */
  raw: string
  flaw?: LineFlaw | undefined
  /** `undefined` if the text is not a JSON object. */
  value: JsonObject | undefined
  /** The time of the record; if it has none, that of the record before it. */
  at: number
  source: OpenSource
  /** Identifies the transcript. */
  key: string
}

/** Reads the records of a session as far as they are written, and continues when files have grown. */
export interface SessionReader {
  /** The next record of any transcript, by time; `undefined` if there is none now. */
  next(): SessionRecord | undefined
  /** The next record of one transcript. */
  nextOf(key: string): SessionRecord | undefined
  /** The last records: those without a newline. */
  end(): SessionRecord[]
  /** Reads another transcript too, such as that of a new sub-agent. */
  add(transcript: Transcript): void
  close(): void
}

/** A queue of the records of one transcript. */
interface RecordQueue {
  key: string
  source: OpenSource
  records: SessionRecord[]
  /** Adds new records; returns whether there were any. */
  fill(): boolean
  end(): void
  close(): void
}

/** Opens the transcripts of a session. */
export function openSessionReader(transcripts: readonly Transcript[]): SessionReader {
  const queues = transcripts.map(openQueue)
  return {
    next() {
      let first: RecordQueue | undefined
      for (const queue of queues) {
        if (queue.records.length === 0 && !queue.fill()) continue
        if (first === undefined || timeOf(queue) < timeOf(first)) first = queue
      }
      return first?.records.shift()
    },
    nextOf(key) {
      const queue = queues.find((known) => known.key === key)
      if (queue?.records.length === 0) queue.fill()
      return queue?.records.shift()
    },
    end() {
      for (const queue of queues) queue.end()
      return queues.flatMap(({records}) => records.splice(0))
    },
    add(transcript) {
      queues.push(openQueue(transcript))
    },
    close() {
      for (const queue of queues) queue.close()
    },
  }
}

function timeOf({records}: RecordQueue): number {
  return records[0]?.at ?? Infinity
}

function openQueue(given: Transcript): RecordQueue {
  const transcript = toReadable(given)
  const {format, file} = transcript
  const source = openTranscriptSource(transcript)
  const records: SessionRecord[] = []
  const key = keyOf(given)
  let at = 0
  const add = (raw: string, value: JsonObject | undefined, flaw?: LineFlaw) => {
    at = Math.max(at, (value === undefined ? undefined : format.timeOf(value)) ?? at)
    records.push({raw, flaw, value, at, source, key})
  }
  const addLine = (raw: string, flaw?: LineFlaw) =>
    add(raw, flaw === undefined ? parseObject(raw) : undefined, flaw)
  if (file.storage === 'lines' && file.compression === undefined) return openLines()
  /** The texts of the records so far: those of a document or a database can change. */
  const known: string[] = []
  let knownStamp = ''
  return {key, source, records, fill: readAll, end() {}, close: source.close}

  function openLines(): RecordQueue {
    const bytes = createByteCursor(openPooledFile(pathOf(transcript)))
    const lines = createLineDecoder(addLine)
    return {
      key,
      source,
      records,
      fill() {
        while (records.length === 0) {
          const chunk = bytes.read()
          if (chunk === undefined) return false
          lines.push(chunk)
        }
        return true
      },
      end: () => void lines.end(),
      close() {
        bytes.close()
        source.close()
      },
    }
  }

  function readAll(): boolean {
    const stamp = stampOfFiles(pathOf(transcript))
    if (stamp === knownStamp) return false
    knownStamp = stamp
    if (file.storage === 'lines') {
      if (known.length > 0) return false
      known.push('')
      const lines = createLineDecoder(addLine)
      lines.push(decompressZstd(readCompleteFile(pathOf(transcript))))
      lines.end()
    } else {
      let index = 0
      for (const value of format.readRecords?.(source) ?? []) {
        const raw = `${JSON.stringify(value)}\n`
        if (known[index] !== raw) add(raw, value)
        known[index++] = raw
      }
    }
    return records.length > 0
  }
}

/** Differs when a document or a database, or its log, was written. */
function stampOfFiles(path: string): string {
  return [path, `${path}-wal`]
    .map((name) => {
      const stats = statSync(name, {throwIfNoEntry: false})
      return stats === undefined ? '' : stampOf(stats)
    })
    .join(' ')
}
