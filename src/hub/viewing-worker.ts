// The thread that shows single runs: whoever looks at one gets all of it, which takes longer than sockets should wait.

import {createReadStream, existsSync} from 'node:fs'
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../agents/index.ts'
import {createLineDecoder, type Adapter} from '../core/index.ts'
import {readRunRecord, readTiming, recordingAt, sizeOf, type RunRecord} from '../recording/index.ts'
import {describeStart, openItemReader, type ItemReader} from './item-reader.ts'
import {createLineIndex, type LineIndex} from './line-index.ts'
import {readWindow} from './line-window.ts'
import type {RunItem, RunItemsMessage} from './protocol.ts'
import {showEvents, showRecord} from './show-events.ts'
import {SLIM} from './slim-event.ts'
import {toPlainError} from './threads.ts'
import type {FromViewing, ToViewing, ViewingData} from './viewing-protocol.ts'

/** One look at one run. */
interface Look {
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
  /** How many more messages there is room for. */
  room: number
}

/** So much goes into one message, in characters: a screen is filled soon, and then all the rest. */
const FIRST_LENGTH = 64 * 1024
const MESSAGE_LENGTH = 512 * 1024
/** So many messages may be on their way: whoever takes them does not wait for the next to be made. */
const MOST_UNDERWAY = 8
/** What is new is looked for so often. */
const LOOK_AGAIN_MS = 100
/** The most that is given of lines in full at once. */
const MOST_RECORDS_LENGTH = 4 * 1024 * 1024

const MOST_FOUND = 1000
/** Of a run that printed more than this the end is shown first. */
const LONG_RUN = 4 * 1024 * 1024
const PREVIEW_LINES = 400
/** So many runs are looked at again and again. */
const MOST_INDEXES = 16

const {dataDir} = workerData as ViewingData
const encoder = new TextEncoder()
const looks = new Map<number, Look>()
const indexes = new Map<string, LineIndex>()
let isBusy = false

setInterval(lookAgain, LOOK_AGAIN_MS)

parentPort?.on('message', (message: ToViewing) => {
  const {id} = message
  try {
    hear(message)
  } catch (error) {
    close(id)
    tell({type: 'failed', id, error: toPlainError(error)})
  }
})

function hear(message: ToViewing): void {
  const {id} = message
  switch (message.type) {
    case 'open':
      return open(message)
    case 'more': {
      const look = looks.get(id)
      if (look !== undefined) look.room++
      return work()
    }
    case 'close':
      return close(id)
    case 'records':
      return giveRecords(message)
    case 'find':
      return findLines(message)
    default:
      message satisfies never
  }
}

function open({id, runId, since, mayAnswer}: ToViewing & {type: 'open'}): void {
  const found = find(runId)
  if (found === null) return tell({type: 'failed', id})
  const {dir, record, agent} = found
  const reader = openItemReader(dir, record, {agent, since, mayAnswer})
  const look: Look = {
    runId,
    dir,
    mayAnswer,
    reader,
    items: [],
    length: 0,
    isMore: true,
    isCaughtUp: false,
    room: MOST_UNDERWAY,
  }
  looks.set(id, look)
  if (since === 0) preview(id, look, record, agent)
  work()
}

function close(id: number): void {
  looks.get(id)?.reader.rest()
  looks.delete(id)
}

/** Runs that go on may have more. */
function lookAgain(): void {
  for (const [id, look] of looks) {
    if (look.reader.isOver) continue
    // A record is replaced, never missing: the run was removed.
    if (!existsSync(join(look.dir, 'run.json'))) {
      close(id)
      tell({type: 'failed', id})
      continue
    }
    look.reader.lookAgain()
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
  for (const [id, look] of looks) {
    try {
      if (look.room > 0 && readOn(id, look)) isLeft = true
    } catch (error) {
      close(id)
      tell({type: 'failed', id, error: toPlainError(error)})
    }
  }
  isBusy = false
  if (isLeft) work()
}

/** Reads some more and gives it when it is enough, or all; true when there may be more at once. */
function readOn(id: number, look: Look): boolean {
  const {reader} = look
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
  look.room--
  const isLast = reader.isOver && !isMore
  tell({type: 'items', id, message, isLast}, [message.buffer])
  if (isLast) close(id)
  else if (!isMore) reader.rest()
}

/** Lines in full, each with what is needed of those before it to know what it means. */
function giveRecords({id, runId, ranges, mayAnswer}: ToViewing & {type: 'records'}): void {
  const found = find(runId)
  if (found === null) return tell({type: 'failed', id})
  const {dir, agent} = found
  const index = indexOf(runId, dir)
  const records: string[] = []
  let length = 0
  const waiting = [...ranges]
  const goOn = () => {
    try {
      const range = waiting.shift()
      if (range === undefined || length > MOST_RECORDS_LENGTH) {
        return tell({type: 'answer', id, json: `{"records":[${records.join(',')}]}`})
      }
      const [from, to] = range
      readWindow({
        path: recordingAt(dir).stdout,
        index,
        agent,
        from,
        to,
        take({line, raw, events}) {
          if (length > MOST_RECORDS_LENGTH) return
          const json = JSON.stringify(showRecord(line, raw, events, mayAnswer))
          length += json.length
          records.push(json)
        },
      })
      return setImmediate(goOn)
    } catch (error) {
      return tell({type: 'failed', id, error: toPlainError(error)})
    }
  }
  goOn()
}

/** The end of a long run, ahead of all the rest: whoever looks does not wait for what is long past. */
function preview(id: number, look: Look, record: RunRecord, agent: Adapter | null): void {
  const {dir, runId, mayAnswer} = look
  const {stdout, timing} = recordingAt(dir)
  if (sizeOf(stdout) < LONG_RUN) return
  const index = indexOf(runId, dir)
  const from = Math.max(1, index.count - PREVIEW_LINES)
  const timeOf = createTimes(timing, index, record)
  const items: RunItem[] = [describeStart(record, 1)]
  readWindow({
    path: stdout,
    index,
    agent,
    from,
    to: index.count,
    timeOf,
    take({line, kind, events}) {
      const offset = index.startOf(line)
      const size = index.startOf(line + 1) - offset
      const shown = showEvents(events, SLIM, mayAnswer)
      const n = items.length + 1
      items.push({type: 'line', n, at: timeOf(line), line, offset, size, kind, events: shown})
    },
  })
  const message = {
    type: 'run_items',
    runId,
    isCaughtUp: false,
    bytes: {read: 0, total: index.startOf(index.count + 1)},
    preview: {from, of: index.count},
    items,
  } satisfies RunItemsMessage
  look.room--
  tell({type: 'items', id, message: encoder.encode(JSON.stringify(message)), isLast: false})
}

/** When lines came, by the pieces that they were in. */
function createTimes(path: string, index: LineIndex, {startedAt}: RunRecord) {
  const pieces = readTiming(path).filter(({kind}) => kind === 'out')
  return (line: number): number => {
    const end = index.startOf(line + 1)
    let low = 0
    let high = pieces.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pieces[middle]?.end ?? 0) < end) low = middle + 1
      else high = middle
    }
    return (pieces[low] ?? pieces.at(-1))?.at ?? startedAt
  }
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
function findLines({id, runId, text}: ToViewing & {type: 'find'}): void {
  const found = find(runId)
  if (found === null) return tell({type: 'failed', id})
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
  source.on('data', (chunk) => decoder.push(chunk))
  source.on('error', (error) => tell({type: 'failed', id, error: toPlainError(error)}))
  source.on('end', () => {
    decoder.end()
    tell({type: 'answer', id, json: JSON.stringify({lines, total})})
  })
}

function find(runId: string) {
  const dir = join(dataDir, 'runs', runId)
  const record: RunRecord | null = readRunRecord(dir)
  if (record === null) return null
  return {dir, record, agent: record.agent === null ? null : findAgent(record.agent)}
}

function tell(message: FromViewing, transfer: ArrayBufferLike[] = []): void {
  parentPort?.postMessage(message, transfer as ArrayBuffer[])
}
