// The view thread: sends all items of a run, which would block the thread of the sockets for too long.

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

/** An open view of a run. */
interface View {
  clientId: number
  runId: string
  dir: string
  mayAnswer: boolean
  reader: ItemReader
  /** Encoded items that were read and not sent yet. */
  items: string[]
  length: number
  isMore: boolean
  /** Whether a message has reported that the client has all items so far. */
  isCaughtUp: boolean
  /** Set until the preview of a long run has been sent. */
  previewRecord: RunRecord | undefined
}

/** Lengths of messages in characters: the first ones are short, to fill the screen soon. */
const FIRST_MESSAGE_LENGTH = 64 * 1024
const MAX_MESSAGE_LENGTH = 512 * 1024
/** Limit of messages in flight to a client, for all its views: the next is built while it receives one. */
const MAX_IN_FLIGHT = 4
const POLL_INTERVAL_MS = 100
/** Limits of one request for full records: characters returned, and bytes read. */
const MAX_RECORDS_LENGTH = 4 * 1024 * 1024
const MAX_READ_BYTES = 32 * 1024 * 1024

const MAX_FOUND_LINES = 1000
/** From this size on, a preview of the end is sent first. */
const LONG_RUN_BYTES = 4 * 1024 * 1024
const PREVIEW_LINES = 400
/** Line indexes kept for the runs used last. */
const MAX_INDEXES = 16

const {dataDir} = workerData as ViewData
const encoder = new TextEncoder()
const views = new Map<number, View>()
/** Number of messages in flight, by client. */
const inFlight = new Map<number, number>()
/** Requests that are neither answered nor cancelled. */
const pendingRequests = new Set<number>()
const indexes = new Map<string, LineIndex>()
let isScheduled = false

setInterval(poll, POLL_INTERVAL_MS)

parentPort?.on('message', (message: ToViews) => {
  switch (message.type) {
    case 'received':
      countInFlight(message.clientId, -1)
      return scheduleStep()
    case 'leave':
      return void inFlight.delete(message.clientId)
    case 'close':
      pendingRequests.delete(message.id)
      return close(message.id)
    case 'open':
      return runOrFail(message.id, () => open(message))
    case 'records':
      pendingRequests.add(message.id)
      return runOrFail(message.id, () => sendRecords(message))
    case 'find':
      pendingRequests.add(message.id)
      return runOrFail(message.id, () => findLines(message))
    default:
      message satisfies never
  }
})

function runOrFail(id: number, act: () => void): void {
  try {
    act()
  } catch (error) {
    fail(id, error)
  }
}

/** Reports that a view or a request failed; no error means that there is no such run. */
function fail(id: number, error?: unknown): void {
  close(id)
  pendingRequests.delete(id)
  post({type: 'failed', id, error: error === undefined ? undefined : toPlainError(error)})
}

function answer(id: number, json: string): void {
  if (pendingRequests.delete(id)) post({type: 'answer', id, json})
}

function countInFlight(clientId: number, change: number): void {
  inFlight.set(clientId, Math.max(0, (inFlight.get(clientId) ?? 0) + change))
}

function open({id, clientId, runId, since, mayAnswer}: ToViews & {type: 'open'}): void {
  const found = findRecording(runId)
  if (found === null) return fail(id)
  const {dir, record, agent} = found
  const reader = openItemReader(dir, record, {agent, since, mayAnswer})
  views.set(id, {
    clientId,
    runId,
    dir,
    mayAnswer,
    reader,
    items: [],
    length: 0,
    isMore: true,
    isCaughtUp: false,
    previewRecord: since === 0 ? record : undefined,
  })
  scheduleStep()
}

function close(id: number): void {
  views.get(id)?.reader.closeFiles()
  views.delete(id)
}

/** Marks the views of live runs: there may be new output. */
function poll(): void {
  for (const [id, view] of views) {
    if (view.reader.isOver) continue
    // The record is replaced atomically, so it is missing only after the run was removed.
    if (!existsSync(join(view.dir, 'run.json'))) {
      fail(id)
      continue
    }
    view.reader.refreshRecord()
    view.isMore = true
  }
  scheduleStep()
}

/** Schedules the next read for all views, in turns. */
function scheduleStep(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(step)
}

function step(): void {
  let hasMore = false
  /** Number of views being read, by client: their buffered items count as a message. */
  const reading = new Map<number, number>()
  for (const [id, view] of Array.from(views)) {
    const {clientId} = view
    const count = reading.get(clientId) ?? 0
    if ((inFlight.get(clientId) ?? 0) + count >= MAX_IN_FLIGHT) continue
    runOrFail(id, () => {
      if (!readMore(id, view)) return
      hasMore = true
      reading.set(clientId, count + 1)
    })
  }
  isScheduled = false
  if (hasMore) scheduleStep()
}

/** Reads more items, and sends them when there are enough or no more; returns whether more can be read now. */
function readMore(id: number, view: View): boolean {
  const {reader} = view
  if (view.previewRecord !== undefined) {
    sendPreview(id, view, view.previewRecord)
    view.previewRecord = undefined
    return true
  }
  const wasEmpty = view.items.length === 0 && !view.isMore
  if (wasEmpty && view.isCaughtUp) return false
  const {items, isMore} = reader.advance()
  view.isMore = isMore
  for (const item of items) buffer(view, item)
  const enough = reader.bytesRead > MAX_MESSAGE_LENGTH ? MAX_MESSAGE_LENGTH : FIRST_MESSAGE_LENGTH
  if (isMore && view.length < enough) return true
  if (view.items.length > 0 || !view.isCaughtUp) sendBuffered(id, view)
  return isMore
}

function buffer(view: View, item: RunItem): void {
  const json = JSON.stringify(item)
  view.items.push(json)
  view.length += json.length
}

function sendBuffered(id: number, view: View): void {
  const {runId, reader, items, isMore} = view
  const bytes = {read: reader.bytesRead, total: sizeOf(recordingAt(view.dir).stdout)}
  const head = JSON.stringify({type: 'run_items', runId, isCaughtUp: !isMore, bytes})
  const message = encoder.encode(`${head.slice(0, -1)},"items":[${items.join(',')}]}`)
  view.items = []
  view.length = 0
  view.isCaughtUp = !isMore
  const isLast = reader.isOver && !isMore
  sendItems(id, view, message, isLast)
  if (isLast) close(id)
  else if (!isMore) reader.closeFiles()
}

function sendItems(id: number, view: View, message: Uint8Array, isLast: boolean): void {
  const {clientId} = view
  countInFlight(clientId, 1)
  // Moves the view to the end, so that the other views of the client come next.
  if (views.delete(id)) views.set(id, view)
  post({type: 'items', id, clientId, message, isLast}, [message.buffer])
}

function sendRecords({id, runId, ranges, mayAnswer}: ToViews & {type: 'records'}): void {
  const found = findRecording(runId)
  if (found === null) return fail(id)
  const {dir, agent, record} = found
  const index = openIndex(runId, dir)
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
        if (length > MAX_RECORDS_LENGTH) return
        const json = JSON.stringify(showRecord(line, raw, events, mayAnswer))
        length += json.length
        records.push(json)
      },
    }),
  )
  const readNext = () => {
    if (!pendingRequests.has(id)) return
    const [window] = windows
    if (window === undefined || length > MAX_RECORDS_LENGTH || bytesRead > MAX_READ_BYTES) {
      return answer(id, `{"records":[${records.join(',')}]}`)
    }
    const size = window.advance()
    bytesRead += size
    if (size === 0) windows.shift()
    // Serves others between two reads.
    setImmediate(() => runOrFail(id, readNext))
  }
  readNext()
}

/** Sends the last lines of a long run before all items. */
function sendPreview(id: number, view: View, record: RunRecord): void {
  const {dir, runId, mayAnswer} = view
  const {stdout, timing} = recordingAt(dir)
  if (sizeOf(stdout) < LONG_RUN_BYTES) return
  const index = openIndex(runId, dir)
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
  sendItems(id, view, encoder.encode(JSON.stringify(message)), false)
}

/** Opens the line index of a run and extends it to the current end of the output. */
function openIndex(runId: string, dir: string): LineIndex {
  const index = indexes.get(runId) ?? createLineIndex(recordingAt(dir).stdout)
  indexes.delete(runId)
  indexes.set(runId, index)
  for (const oldest of indexes.keys()) {
    if (indexes.size <= MAX_INDEXES) break
    indexes.delete(oldest)
  }
  index.extend()
  return index
}

/** Searches the printed lines for a text, ignoring case. */
function findLines({id, runId, text}: ToViews & {type: 'find'}): void {
  const found = findRecording(runId)
  if (found === null) return fail(id)
  const wanted = text.toLowerCase()
  const lines: number[] = []
  let line = 0
  let total = 0
  const decoder = createLineDecoder((raw) => {
    line++
    if (!raw.toLowerCase().includes(wanted)) return
    total++
    if (lines.length < MAX_FOUND_LINES) lines.push(line)
  })
  const source = createReadStream(recordingAt(found.dir).stdout)
  source.on('data', (chunk) => {
    if (pendingRequests.has(id)) decoder.push(chunk)
    else source.destroy()
  })
  source.on('error', (error) => fail(id, error))
  source.on('end', () => {
    decoder.end()
    answer(id, JSON.stringify({lines, total}))
  })
}

function findRecording(runId: string) {
  const dir = join(dataDir, 'runs', runId)
  const record: RunRecord | null = readRunRecord(dir)
  if (record === null) return null
  return {dir, record, agent: agentOf(record)}
}

function agentOf({agent}: RunRecord): Adapter | null {
  return agent === null ? null : findAgent(agent)
}

function post(message: FromViews, transfer: ArrayBufferLike[] = []): void {
  parentPort?.postMessage(message, transfer as ArrayBuffer[])
}
