// The thread that shows single runs: whoever looks at one gets all of it, which takes longer than sockets should wait.

import {createReadStream, existsSync} from 'node:fs'
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../../agents/find-agent.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import {createLineDecoder} from '../../core/wire/lines.ts'
import {sizeOf} from '../../recording/completeness.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {createArrivalTimes} from '../../recording/read/arrival-times.ts'
import {readTiming} from '../../recording/timing.ts'
import {describeStart, openItemReader, type ItemReader} from '../../replay/item-reader.ts'
import {createLineIndex, type LineIndex} from '../../recording/read/line-index.ts'
import {openWindow, splitWindows} from '../../replay/line-window.ts'
import type {RunItem, RunItemsMessage} from '../../replay/run-item.ts'
import {showEvents, showRecord} from '../../replay/show-events.ts'
import {SLIM} from '../../replay/slim-event.ts'
import {toPlainError} from '../threads.ts'
import type {FromViews, ToViews, ViewData} from './view-protocol.ts'

/** One look at one run. */
interface Look {
  clientId: number
  runId: string
  dir: string
  mayAnswer: boolean
  reader: ItemReader
  /** What was read and not given yet, encoded. */
  items: string[]
  length: number
  isMore: boolean
  /** Whether all that there was has been given, and said to be all. */
  isCaughtUp: boolean
  /** The record of a run whose end is to be sent first. */
  previewOf: RunRecord | undefined
}

/** So much goes into one message, in characters: a screen is filled soon, and then all the rest. */
const FIRST_LENGTH = 64 * 1024
const MESSAGE_LENGTH = 512 * 1024
/** How many messages may be on their way to a client, of all its views: the next is built while it receives one. */
const MAX_UNDERWAY = 4
/** What is new is looked for so often. */
const LOOK_AGAIN_MS = 100
/** The most that is given of lines in full at once, and the most that is read for it. */
const MOST_RECORDS_LENGTH = 4 * 1024 * 1024
const MAX_READ_BYTES = 32 * 1024 * 1024

const MOST_FOUND = 1000
/** Of a run that printed more than this the end is shown first. */
const LONG_RUN = 4 * 1024 * 1024
const PREVIEW_LINES = 400
/** So many runs are looked at again and again. */
const MOST_INDEXES = 16

const {dataDir} = workerData as ViewData
const encoder = new TextEncoder()
const looks = new Map<number, Look>()
/** How many messages are on their way to each client. */
const underway = new Map<number, number>()
/** Questions that a client still waits for. */
const asked = new Set<number>()
const indexes = new Map<string, LineIndex>()
let isBusy = false

setInterval(lookAgain, LOOK_AGAIN_MS)

parentPort?.on('message', (message: ToViews) => {
  switch (message.type) {
    case 'received':
      countUnderway(message.clientId, -1)
      return work()
    case 'leave':
      return void underway.delete(message.clientId)
    case 'close':
      asked.delete(message.id)
      return close(message.id)
    case 'open':
      return tryTo(message.id, () => open(message))
    case 'records':
      asked.add(message.id)
      return tryTo(message.id, () => giveRecords(message))
    case 'find':
      asked.add(message.id)
      return tryTo(message.id, () => findLines(message))
    default:
      message satisfies never
  }
})

function tryTo(id: number, act: () => void): void {
  try {
    act()
  } catch (error) {
    fail(id, error)
  }
}

/** Reports that a view or an answer cannot be had; without an error because there is no such run. */
function fail(id: number, error?: unknown): void {
  close(id)
  asked.delete(id)
  tell({type: 'failed', id, error: error === undefined ? undefined : toPlainError(error)})
}

function answer(id: number, json: string): void {
  if (asked.delete(id)) tell({type: 'answer', id, json})
}

function countUnderway(clientId: number, change: number): void {
  underway.set(clientId, Math.max(0, (underway.get(clientId) ?? 0) + change))
}

function open({id, clientId, runId, since, mayAnswer}: ToViews & {type: 'open'}): void {
  const found = find(runId)
  if (found === null) return fail(id)
  const {dir, record, agent} = found
  const reader = openItemReader(dir, record, {agent, since, mayAnswer})
  looks.set(id, {
    clientId,
    runId,
    dir,
    mayAnswer,
    reader,
    items: [],
    length: 0,
    isMore: true,
    isCaughtUp: false,
    previewOf: since === 0 ? record : undefined,
  })
  work()
}

function close(id: number): void {
  looks.get(id)?.reader.closeFiles()
  looks.delete(id)
}

/** Runs that go on may have more. */
function lookAgain(): void {
  for (const [id, look] of looks) {
    if (look.reader.isOver) continue
    // A record is replaced, never missing: the run was removed.
    if (!existsSync(join(look.dir, 'run.json'))) {
      fail(id)
      continue
    }
    look.reader.refreshRecord()
    look.isMore = true
  }
  work()
}

/** Reads on for all who wait, each in its turn. */
function work(): void {
  if (isBusy) return
  isBusy = true
  setImmediate(step)
}

function step(): void {
  let isLeft = false
  /** How many views of each client are being read: what they hold counts as well. */
  const reading = new Map<number, number>()
  for (const [id, look] of Array.from(looks)) {
    const {clientId} = look
    const count = reading.get(clientId) ?? 0
    if ((underway.get(clientId) ?? 0) + count >= MAX_UNDERWAY) continue
    tryTo(id, () => {
      if (!readOn(id, look)) return
      isLeft = true
      reading.set(clientId, count + 1)
    })
  }
  isBusy = false
  if (isLeft) work()
}

/** Reads some more and gives it when it is enough, or all; true when there may be more at once. */
function readOn(id: number, look: Look): boolean {
  const {reader} = look
  if (look.previewOf !== undefined) {
    sendPreview(id, look, look.previewOf)
    look.previewOf = undefined
    return true
  }
  const wasEmpty = look.items.length === 0 && !look.isMore
  if (wasEmpty && look.isCaughtUp) return false
  const {items, isMore} = reader.advance()
  look.isMore = isMore
  for (const item of items) keep(look, item)
  const enough = reader.bytesRead > MESSAGE_LENGTH ? MESSAGE_LENGTH : FIRST_LENGTH
  if (isMore && look.length < enough) return true
  if (look.items.length > 0 || !look.isCaughtUp) give(id, look)
  return isMore
}

function keep(look: Look, item: RunItem): void {
  const json = JSON.stringify(item)
  look.items.push(json)
  look.length += json.length
}

function give(id: number, look: Look): void {
  const {runId, reader, items, isMore} = look
  const bytes = {read: reader.bytesRead, total: sizeOf(recordingAt(look.dir).stdout)}
  const head = JSON.stringify({type: 'run_items', runId, isCaughtUp: !isMore, bytes})
  const message = encoder.encode(`${head.slice(0, -1)},"items":[${items.join(',')}]}`)
  look.items = []
  look.length = 0
  look.isCaughtUp = !isMore
  const isLast = reader.isOver && !isMore
  sendItems(id, look, message, isLast)
  if (isLast) close(id)
  else if (!isMore) reader.closeFiles()
}

function sendItems(id: number, look: Look, message: Uint8Array, isLast: boolean): void {
  const {clientId} = look
  countUnderway(clientId, 1)
  // The other views of the client come next.
  if (looks.delete(id)) looks.set(id, look)
  tell({type: 'items', id, clientId, message, isLast}, [message.buffer])
}

/** Lines in full, each with what is needed of those before it to know what it means. */
function giveRecords({id, runId, ranges, mayAnswer}: ToViews & {type: 'records'}): void {
  const found = find(runId)
  if (found === null) return fail(id)
  const {dir, agent, record} = found
  const index = indexOf(runId, dir)
  const records: string[] = []
  let length = 0
  let bytesRead = 0
  const windows = splitWindows(ranges).map((wanted) =>
    openWindow({
      path: recordingAt(dir).stdout,
      index,
      agent,
      ranges: wanted,
      maxLineBytes: record.limits?.maxLineBytes,
      isOver: record.result !== undefined,
      take({line, raw, events}) {
        if (length > MOST_RECORDS_LENGTH) return
        const json = JSON.stringify(showRecord(line, raw, events, mayAnswer))
        length += json.length
        records.push(json)
      },
    }),
  )
  const goOn = () => {
    if (!asked.has(id)) return
    const [window] = windows
    if (window === undefined || length > MOST_RECORDS_LENGTH || bytesRead > MAX_READ_BYTES) {
      return answer(id, `{"records":[${records.join(',')}]}`)
    }
    const size = window.advance()
    bytesRead += size
    if (size === 0) windows.shift()
    // Others are served between two reads.
    setImmediate(() => tryTo(id, goOn))
  }
  goOn()
}

/** Sends the end of a long run ahead of all the rest. */
function sendPreview(id: number, look: Look, record: RunRecord): void {
  const {dir, runId, mayAnswer} = look
  const {stdout, timing} = recordingAt(dir)
  if (sizeOf(stdout) < LONG_RUN) return
  const index = indexOf(runId, dir)
  const from = Math.max(1, index.count - PREVIEW_LINES)
  const arrivals = createArrivalTimes(readTiming(timing), 'out')
  /** A line has arrived when its last byte has. */
  const timeOf = (line: number) => {
    const chunk = arrivals.chunkAt(index.startOf(line + 1) - 1) ?? arrivals.last
    return chunk?.at ?? record.startedAt
  }
  const agent = agentOf(record)
  const items: RunItem[] = [describeStart(record, agent, 1)]
  const window = openWindow({
    path: stdout,
    index,
    agent,
    ranges: [[from, index.count]],
    timeOf,
    maxLineBytes: record.limits?.maxLineBytes,
    isOver: record.result !== undefined,
    take({line, kind, events}) {
      const offset = index.startOf(line)
      const size = index.startOf(line + 1) - offset
      const shown = showEvents(events, SLIM, mayAnswer)
      const n = items.length + 1
      items.push({type: 'line', n, at: timeOf(line), line, offset, size, kind, events: shown})
    },
  })
  while (window.advance() > 0);
  const message = {
    type: 'run_items',
    runId,
    isCaughtUp: false,
    bytes: {read: 0, total: index.startOf(index.count + 1)},
    preview: {from, of: index.count},
    items,
  } satisfies RunItemsMessage
  sendItems(id, look, encoder.encode(JSON.stringify(message)), false)
}

/** Where the lines of a run are, as far as they are written. */
function indexOf(runId: string, dir: string): LineIndex {
  const index = indexes.get(runId) ?? createLineIndex(recordingAt(dir).stdout)
  indexes.delete(runId)
  indexes.set(runId, index)
  for (const oldest of indexes.keys()) {
    if (indexes.size <= MOST_INDEXES) break
    indexes.delete(oldest)
  }
  index.extend()
  return index
}

/** Looks for a text in the lines as the agent wrote them, whatever its letters' case. */
function findLines({id, runId, text}: ToViews & {type: 'find'}): void {
  const found = find(runId)
  if (found === null) return fail(id)
  const wanted = text.toLowerCase()
  const lines: number[] = []
  let line = 0
  let total = 0
  const decoder = createLineDecoder((raw) => {
    line++
    if (!raw.toLowerCase().includes(wanted)) return
    total++
    if (lines.length < MOST_FOUND) lines.push(line)
  })
  const source = createReadStream(recordingAt(found.dir).stdout)
  source.on('data', (chunk) => {
    if (asked.has(id)) decoder.push(chunk)
    else source.destroy()
  })
  source.on('error', (error) => fail(id, error))
  source.on('end', () => {
    decoder.end()
    answer(id, JSON.stringify({lines, total}))
  })
}

function find(runId: string) {
  const dir = join(dataDir, 'runs', runId)
  const record: RunRecord | null = readRunRecord(dir)
  if (record === null) return null
  return {dir, record, agent: agentOf(record)}
}

function agentOf({agent}: RunRecord): Adapter | null {
  return agent === null ? null : findAgent(agent)
}

function tell(message: FromViews, transfer: ArrayBufferLike[] = []): void {
  parentPort?.postMessage(message, transfer as ArrayBuffer[])
}
