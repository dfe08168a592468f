// The thread that reads recordings, so that the socket thread does not: it posts changes to that thread.

import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../../agents/find-agent.ts'
import {openIndexer, type Indexer} from './indexer.ts'
import type {
  FromIndexer,
  IndexChange,
  IndexerData,
  SinkRequest,
  ToIndexer,
} from './indexer-protocol.ts'
import type {MessageSink} from './message-sink.ts'
import {warmUp} from './warm-up.ts'
import {toPlainError} from '../threads.ts'

/** After this many real messages a warm-up is pointless. */
const ENOUGH = 500
/** How many messages may be in flight before reading waits. */
const MAX_IN_FLIGHT = 5000

const {dataDir, stateIntervalMs} = workerData as IndexerData
const questions = new Map<number, {resolve(value: never): void; reject(error: Error): void}>()
let lastId = 0
let changes: IndexChange[] = []
let messageCount = 0
let underway = 0
let isFull = false
let lastFilling = 0
let readCount = 0

const sink: MessageSink = {
  append(batch) {
    messageCount += batch.messages.length
    readCount += batch.messages.length
    underway += batch.messages.length
    give({type: 'pass', batch})
  },
  putRun: (entry, news) => give({type: 'put', entry, news}),
  removeRun: (runId, news) => give({type: 'remove', runId, news}),
  get isFull() {
    return isFull || underway > MAX_IN_FLIGHT
  },
  whenDrained: () => ask({method: 'whenDrained', args: []}),
  whenWritten: () => ask({method: 'whenWritten', args: []}),
  clear: () => ask({method: 'clear', args: []}),
  listStamps: () => ask({method: 'listStamps', args: []}),
  listRuns: (query) => ask({method: 'listRuns', args: [query]}),
}

let indexer: Indexer | undefined
let isLeaving = false

parentPort?.on('message', (message: ToIndexer) => {
  switch (message.type) {
    case 'begin':
      indexer = open()
      postProgress(indexer)
      // The list of runs has priority.
      indexer.listed.then(warmUpWhenIdle, warmUpWhenIdle)
      break
    case 'wake':
      for (const [runId, hasRecord] of message.runs) indexer?.wake(runId, hasRecord)
      break
    case 'rebuild':
      if (indexer === undefined) break
      lastFilling++
      postProgressOf('cleared', lastFilling, indexer.rebuild())
      postProgress(indexer)
      break
    case 'taken':
      underway -= message.messageCount
      isFull = message.isFull
      break
    case 'answer':
      questions.get(message.id)?.resolve(message.value as never)
      questions.delete(message.id)
      break
    case 'refusal':
      questions.get(message.id)?.reject(message.error)
      questions.delete(message.id)
      break
    case 'close':
      isLeaving = true
      void leave()
      break
    default:
      message satisfies never
  }
})

function warmUpWhenIdle(): void {
  // Runs that start have little to read at first.
  const mayContinue = () => !isLeaving && readCount < ENOUGH && count().waiting === 0
  warmUp({dataDir, findAgent, mayContinue}).catch(reportError)
}

function open(): Indexer {
  return openIndexer({
    dataDir,
    sink,
    findAgent,
    stateIntervalMs,
    adopt: async (runId) => flushAndPost({type: 'adopt', runId}),
    refresh: async (runId) => flushAndPost({type: 'refresh', runId}),
    onError: reportError,
  })
}

function reportError(error: unknown): void {
  flushAndPost({type: 'error', error: toPlainError(error)})
}

function postProgress({listed, caughtUp}: Indexer): void {
  postProgressOf('listed', lastFilling, listed)
  postProgressOf('caught-up', lastFilling, caughtUp)
}

function postProgressOf(
  type: 'cleared' | 'listed' | 'caught-up',
  filling: number,
  promise: Promise<void>,
): void {
  promise.then(
    () => flushAndPost({type, filling, counts: count()}),
    (error: unknown) => flushAndPost({type, filling, counts: count(), error: toPlainError(error)}),
  )
}

/** Changes of one turn of the event loop are posted together. */
function give(change: IndexChange): void {
  if (changes.length === 0) setImmediate(flush)
  changes.push(change)
}

function flush(): void {
  if (changes.length === 0) return
  const message: FromIndexer = {type: 'give', changes: changes, messageCount, counts: count()}
  changes = []
  messageCount = 0
  post(message)
}

function ask<T>(question: SinkRequest): Promise<T> {
  const id = ++lastId
  return new Promise<T>((resolve, reject) => {
    questions.set(id, {resolve, reject})
    flushAndPost({type: 'ask', id, question})
  })
}

function count() {
  return {live: indexer?.liveCount ?? 0, waiting: indexer?.waitingCount ?? 0}
}

async function leave(): Promise<void> {
  await indexer?.close()
  flushAndPost({type: 'closed'})
  parentPort?.close()
}

/** Posts after everything that was read before. */
function flushAndPost(message: FromIndexer): void {
  flush()
  post(message)
}

function post(message: FromIndexer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
  parentPort?.postMessage(message)
}
