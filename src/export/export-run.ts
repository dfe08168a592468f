import {setImmediate} from 'node:timers/promises'
import {findAgent} from '../agents/find-agent.ts'
import {findSessionAdapter} from '../history/session-adapter.ts'
import {maskSecrets} from '../secrets/mask-secrets.ts'
import type {LineItem} from '../replay/run-item.ts'
import {openRunReader, type ReadItem, type RunReader} from '../replay/run-reader.ts'
import {showRecord} from '../replay/show-events.ts'
import {formatTitle} from '../replay/summarize-record.ts'
import {sizeOf} from '../recording/completeness.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {supervisionOf} from '../recording/supervision.ts'
import {chooseLines, type LineSize} from './choose-lines.ts'
import type {ExportedRun} from './exported-run.ts'
import {createPageParts, formatItemBlock, formatRecordBlock} from './page-parts.ts'

/** Options of an export. */
export interface ExportOptions {
  /** The version of Vitrine. */
  version: string
  /** Whether all lines are included in full. */
  isFull: boolean
  /** Writes a chunk of the page; the next one is created after it resolves. */
  write(text: string): Promise<void>
  /** Receives the progress from 0 to 1 and the number of lines read. */
  onProgress(share: number, lineCount: number): void
}

/** Characters of JSON per block: large enough to compress well, small enough to hold in memory. */
const BLOCK_LENGTH = 1024 * 1024
/** Characters of JSON of full records in a page, unless all are wanted. */
const MAX_FULL_LENGTH = 20 * 1024 * 1024

/** Writes a run as one page that needs no hub and no network, with known kinds of secrets masked. */
export async function exportRun(run: RecordedRun, options: ExportOptions): Promise<ExportedRun> {
  const {version, isFull, write} = options
  const {record} = run
  const exportedAt = Date.now()
  const parts = createPageParts(maskSecrets(formatTitle(record)))
  await write(parts.head)
  const {lines, isOver} = await writeItems(run, options)
  const wanted = chooseLines(lines, isFull ? Number.POSITIVE_INFINITY : MAX_FULL_LENGTH)
  const full = await writeRecords(run, wanted, options)
  const exported: ExportedRun = {
    version,
    exportedAt,
    runId: record.runId,
    workOrderId: maskSecrets(record.workOrder?.id ?? record.runId),
    state:
      isOver || record.isTranscript === true
        ? 'over'
        : supervisionOf(record) === 'unknown'
          ? 'lost'
          : 'running',
    isStuck: !isOver && record.live?.isStuck === true,
    records: {count: lines.length, full},
  }
  await write(parts.tail(exported))
  options.onProgress(1, lines.length)
  return exported
}

/** Writes all items and returns the sizes of all lines. */
async function writeItems(
  run: RecordedRun,
  {write, onProgress}: ExportOptions,
): Promise<{lines: LineSize[]; isOver: boolean}> {
  const reader = openReader(run)
  const total = sizeOf(recordingAt(run.dir).stdout)
  const lines: LineSize[] = []
  let pending: string[] = []
  let length = 0
  for (let isMore = true; isMore;) {
    const read = reader.advance()
    ;({isMore} = read)
    for (const {item} of isMore ? read.items : [...read.items, ...reader.settle()]) {
      if (item.type === 'line') lines.push(toLineSize(item))
      const json = JSON.stringify(item)
      pending.push(json)
      length += json.length
    }
    if (length < BLOCK_LENGTH && isMore) continue
    await write(formatItemBlock(pending))
    pending = []
    length = 0
    onProgress(getProgress(reader, total) / 2, lines.length)
    await setImmediate()
  }
  reader.closeFiles()
  return {lines, isOver: reader.isOver}
}

/** Writes the wanted lines in full and returns their number. */
async function writeRecords(
  run: RecordedRun,
  wanted: ReadonlySet<number>,
  {write, onProgress}: ExportOptions,
): Promise<number> {
  const last = [...wanted].reduce((one, other) => Math.max(one, other), 0)
  const total = sizeOf(recordingAt(run.dir).stdout)
  let pending: string[] = []
  let length = 0
  let from = 0
  let to = 0
  let count = 0
  const take = ({item, line, raw, events}: ReadItem) => {
    if (item.type !== 'line' || !wanted.has(line)) return
    const json = JSON.stringify(showRecord(line, raw, events, true))
    if (pending.length === 0) from = line
    to = line
    pending.push(json)
    length += json.length
    count++
  }
  const reader = openReader(run, true)
  for (let isMore = last > 0; isMore;) {
    const read = reader.advance()
    for (const item of read.items) take(item)
    isMore = read.isMore && to < last
    if (!isMore) for (const item of reader.settle()) take(item)
    if (pending.length === 0 || (length < BLOCK_LENGTH && isMore)) continue
    await write(formatRecordBlock(pending, from, to))
    pending = []
    length = 0
    onProgress(0.5 + getProgress(reader, total) / 2, to)
    await setImmediate()
  }
  reader.closeFiles()
  return count
}

function openReader({dir, record}: RecordedRun, hasRaw = false): RunReader {
  const agent =
    record.isTranscript === true
      ? findSessionAdapter(record.agent, dir)
      : findAgent(record.agent ?? '')
  return openRunReader(dir, record, {agent, hasRaw})
}

function toLineSize({line, size, events}: LineItem): LineSize {
  return {line, size, isCut: events.some(({isCut}) => isCut === true)}
}

function getProgress({bytesRead}: RunReader, total: number): number {
  return total === 0 ? 1 : Math.min(1, bytesRead / total)
}
