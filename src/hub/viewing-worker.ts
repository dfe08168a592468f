// The thread that shows single runs: whoever looks at one gets all of it, which takes longer than sockets should wait.

import {createReadStream} from 'node:fs'
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../agents/index.ts'
import {createLineDecoder} from '../core/index.ts'
import {readRunRecord, recordingAt, sizeOf, type RunRecord} from '../recording/index.ts'
import {openItemReader, type ItemReader} from './item-reader.ts'
import type {FullRecord, RunItem} from './protocol.ts'
import {toPlainError} from './threads.ts'
import type {FromViewing, ToViewing, ViewingData} from './viewing-protocol.ts'

/** One look at one run. */
interface Look {
  runId: string
  dir: string
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

const {dataDir} = workerData as ViewingData
const encoder = new TextEncoder()
const looks = new Map<number, Look>()
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
  looks.set(id, {
    runId,
    dir,
    reader,
    items: [],
    length: 0,
    isMore: true,
    isCaughtUp: false,
    room: MOST_UNDERWAY,
  })
  work()
}

function close(id: number): void {
  looks.get(id)?.reader.rest()
  looks.delete(id)
}

/** Runs that go on may have more. */
function lookAgain(): void {
  for (const look of looks.values()) {
    if (look.reader.isOver) continue
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

/** Lines in full. What they mean depends on all before them, so those are read too. */
function giveRecords(message: ToViewing & {type: 'records'}): void {
  const {id, runId, ranges, mayAnswer} = message
  const to = Math.max(...ranges.map(([, last]) => last))
  const has = (line: number) => ranges.some(([first, last]) => line >= first && line <= last)
  const found = find(runId)
  if (found === null) return tell({type: 'failed', id})
  const {dir, record, agent} = found
  const records: string[] = []
  let length = 0
  let lastLine = 0
  const take = (full: FullRecord) => {
    lastLine = full.line
    if (length > MOST_RECORDS_LENGTH) return
    const json = JSON.stringify(full)
    length += json.length
    records.push(json)
  }
  const reader = openItemReader(dir, record, {agent, mayAnswer, wanted: {has, take}})
  const goOn = () => {
    try {
      const {isMore} = reader.advance()
      if (isMore && lastLine < to && length <= MOST_RECORDS_LENGTH) return setImmediate(goOn)
      reader.rest()
      return tell({type: 'answer', id, json: `{"records":[${records.join(',')}]}`})
    } catch (error) {
      return tell({type: 'failed', id, error: toPlainError(error)})
    }
  }
  goOn()
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
