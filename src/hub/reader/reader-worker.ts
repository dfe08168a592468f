// The reader thread: reads recordings, fills the index and answers reads of it. The other thread serves the sockets.

import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../../agents/find-agent.ts'
import {isDamage, isDatabaseError} from '../../database/database.ts'
import {openRunIndex, type RunIndex} from '../index/run-index.ts'
import {createArchiveCalls} from './archive-calls.ts'
import {createHistoryReads} from './history-reads.ts'
import {openHistorySearch} from './history-search.ts'
import {openIndexer} from './indexer.ts'
import {createItemPages} from './item-pages.ts'
import type {EncodedMessage, MessageSink, PostedBatch, PostedMessage} from './message-sink.ts'
import type {FromReader, ReaderCall, ReaderCalls, ReaderData, ToReader} from './protocol.ts'

/** How many published messages may be unprocessed before reading waits. */
const MAX_UNPROCESSED = 5000

const data = workerData as ReaderData
const encoder = new TextEncoder()
let batches: PostedBatch[] = []
/** The JSON of all messages in the batches. */
let json: string[] = []
let unprocessed = 0
let drained: (() => void)[] = []

const sink: MessageSink = {
  publish(batch) {
    // Messages of one turn of the event loop are posted together.
    if (batches.length === 0) setImmediate(flush)
    const {messages, removal, ...rest} = batch
    batches.push({...rest, messages: messages.map(toPosted), removal: removal && toPosted(removal)})
  },
  get isFull() {
    return unprocessed > MAX_UNPROCESSED
  },
  whenDrained: () => new Promise((resolve) => drained.push(resolve)),
}

const index = open()
const indexer = openIndexer({
  ...data,
  index,
  sink,
  findAgent,
  onItems: (runId) => pages.onItems(runId),
  adopt: async (runId) => post({type: 'adopt', runId}),
  refresh: async (runId) => post({type: 'refresh', runId}),
  onError: fail,
})
const pages = createItemPages(data.dataDir, index, indexer.isWaiting)
const archive = createArchiveCalls(data.dataDir, indexer.sessions, fail)
const history = openHistorySearch(data.dataDir, indexer.sessions, fail)

/** How long the first list waits for the sessions; later they are published. */
const MAX_LIST_WAIT_MS = 600

const isListed = Promise.all([
  indexer.listed,
  Promise.race([indexer.sessions.listed, setTimeout(MAX_LIST_WAIT_MS, undefined, {ref: false})]),
])
// A rejection is reported to the calls that wait.
isListed.catch(() => {})

const calls: ReaderCalls = {
  ...createHistoryReads(data.dataDir, index, indexer.sessions),
  ...archive.calls,
  historySearch: history.search,
  prepare: (runId) => indexer.prepare(runId),
  listRuns: (query) => isListed.then(() => indexer.listed).then(() => index.listRuns(query)),
  getRun: (runId) => indexer.listed.then(() => index.getRun(runId)),
  stats: (todayFrom = new Date().setHours(0, 0, 0, 0)) =>
    indexer.listed.then(() => index.stats(todayFrom)),
  listMessages: (runId, query) =>
    indexer.prepare(runId).then(() => index.listMessages(runId, query)),
  search: async (query) => index.search(query),
  readItems(query) {
    // The items are sent while it is indexed.
    void indexer.prepare(query.runId)
    return pages.readItems(query)
  },
  waitForItems: pages.waitForItems,
  readRecords: (query) => indexer.prepare(query.runId).then(() => pages.readRecords(query)),
  whenCaughtUp: () => indexer.caughtUp,
  async close() {
    archive.close()
    await history.close()
    await indexer.close()
    flush()
    index.close()
    parentPort?.close()
  },
}

parentPort?.on('message', (message: ToReader) => {
  switch (message.type) {
    case 'call':
      void answer(message)
      break
    case 'wake':
      for (const [runId, hasRecord] of message.runs) indexer.wake(runId, hasRecord)
      break
    case 'processed':
      unprocessed -= message.count
      if (sink.isFull) break
      for (const resolve of drained.splice(0)) resolve()
      break
    default:
      message satisfies never
  }
})

function open(): RunIndex {
  try {
    return openRunIndex(join(data.dataDir, 'index.db'), {onLost: fail})
  } catch (error) {
    if (isDamage(error)) endDamaged(error)
    throw error
  }
}

async function answer({id, method, args}: ReaderCall): Promise<void> {
  try {
    // The compiler cannot relate the arguments to the method.
    const call = calls[method] as (...values: unknown[]) => Promise<unknown>
    const value = await call(...args)
    const bytes = (value as {message?: unknown} | null | undefined)?.message
    const transfer = bytes instanceof Uint8Array ? [bytes.buffer] : []
    post({type: 'result', id, value, counts: count()}, transfer)
  } catch (error) {
    if (isDamage(error)) endDamaged(error)
    const failure = toPlainError(error)
    post({type: 'result', id, value: undefined, error: failure, counts: count()})
  }
}

/** Additions to the index may be lost, so it is compared with the recordings again. */
function fail(error: unknown): void {
  if (isDamage(error)) endDamaged(error)
  flush()
  post({type: 'error', error: toPlainError(error)})
  if (isDatabaseError(error)) indexer.refill()
}

/** A damaged index is removed by the thread that replaces this one: only the end of a thread surely closes it. */
function endDamaged(error: Error): never {
  flush()
  post({type: 'damaged', reason: error.message})
  process.exit()
}

function flush(): void {
  if (batches.length === 0) return
  const bytes = encoder.encode(json.join(''))
  const message = {batches, json: bytes, count: json.length, counts: count()}
  batches = []
  json = []
  post({type: 'publish', ...message}, [bytes.buffer])
}

function toPosted<T extends string>(message: EncodedMessage<T>): PostedMessage<T> {
  json.push(message.json)
  unprocessed++
  return {type: message.type, seq: message.seq, size: Buffer.byteLength(message.json)}
}

function count() {
  return {live: indexer.liveCount, waiting: indexer.waitingCount}
}

/** Errors may have fields that cannot be posted to another thread. */
function toPlainError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error))
}

function post(message: FromReader, transfer: ArrayBufferLike[] = []): void {
  parentPort?.postMessage(message, transfer as ArrayBuffer[])
}
