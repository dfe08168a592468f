import {
  createFacts,
  type Scanner,
  type TranscriptFacts,
  type TranscriptFormat,
} from '../core/events/transcript.ts'
import {parseObject} from '../core/wire/json.ts'
import {reasonOf} from '../recording/describe-errno.ts'
import {readOnce} from './archive/readable.ts'
import {decompressZstd, readCompleteFile} from './read-file.ts'
import {isSameUntil, readLines, type LineFilter} from './read-lines.ts'
import {openTranscriptSource} from './source.ts'
import {pathOf, type Transcript} from './transcripts.ts'

/** The facts of a transcript, and how much of it was read for them. */
export interface Scan {
  facts: TranscriptFacts
  /** Where the next line of a growing file starts. */
  offset: number
  /** The end of the part that was read of a growing file. */
  ending: string
  /** Why it could not be read completely. */
  problem?: string | undefined
}

/** Reads the facts of a transcript, or of the part of it that was added since an earlier scan. Never throws. */
export function scanTranscript(transcript: Transcript, before?: Scan): Scan {
  const scan = before ?? createScan()
  try {
    return readOnce(transcript, (readable) => read(readable, scan))
  } catch (error) {
    return {...scan, problem: reasonOf(error)}
  }
}

/** The scan of a transcript before it is read. */
export function createScan(): Scan {
  return {facts: createFacts(), offset: 0, ending: ''}
}

function read(transcript: Transcript, before: Scan): Scan {
  const {format, file} = transcript
  const source = openTranscriptSource(transcript)
  try {
    if (file.storage === 'lines' && file.compression === undefined) {
      const scan = isSameUntil(pathOf(transcript), before) ? before : createScan()
      return scanLines(transcript, format.createScanner(scan.facts, source), scan)
    }
    // It has been rewritten, so it is read from its start.
    const scan = createScan()
    const scanner = format.createScanner(scan.facts, source)
    if (file.storage === 'lines') readCompressed(transcript, scanner)
    else for (const record of format.readRecords?.(source) ?? []) scanner.read(record)
    return scan
  } finally {
    source.close()
  }
}

function scanLines(transcript: Transcript, scanner: Scanner, {facts, offset, ending}: Scan): Scan {
  const end = readLines(pathOf(transcript), {
    from: offset,
    filter: createFilter(transcript, facts),
    onLine(line) {
      if (scanner.readLine?.(line.toString('latin1')) === true) return true
      const record = parseObject(line.toString('utf8'))
      if (record === undefined) return false
      scanner.read(record)
      return true
    },
  })
  return {facts, offset: end.offset, ending: end.ending || ending}
}

/** How much is read to find the first prompt. */
const MAX_HEAD_BYTES = 8 * 1024 * 1024
/** Agents repeat titles near the end. */
const TAIL_BYTES = 8 * 1024
const MAX_TAIL_LINE_BYTES = 1024

/** The first lines until the start and the first prompt are known, then those with a marker. */
function createFilter({format, file}: Transcript, facts: TranscriptFacts): LineFilter | undefined {
  const marker = markerOf(format)
  if (marker === undefined) return undefined
  // A sub-agent has no prompt of the user.
  const hasHead = () =>
    facts.startedAt !== undefined && (facts.prompt !== undefined || file.subAgentId !== undefined)
  return {
    marker,
    wantsAll: (offset) => offset < MAX_HEAD_BYTES && !hasHead(),
    tailBytes: TAIL_BYTES,
    maxTailLineBytes: MAX_TAIL_LINE_BYTES,
  }
}

/** The markers as bytes: searching for a text would encode it each time. */
const encoded = new WeakMap<TranscriptFormat, Buffer>()

function markerOf(format: TranscriptFormat): Buffer | undefined {
  if (format.marker === undefined) return undefined
  const known = encoded.get(format) ?? Buffer.from(format.marker)
  encoded.set(format, known)
  return known
}

function readCompressed(transcript: Transcript, scanner: Scanner): void {
  for (const line of decompressZstd(readCompleteFile(pathOf(transcript)))
    .toString('utf8')
    .split('\n')) {
    const record = parseObject(line)
    if (record !== undefined) scanner.read(record)
  }
}
