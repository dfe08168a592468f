import {Worker} from 'node:worker_threads'
import {afterEach, expect, test, vi} from 'vitest'
import type {FromIndexer, IndexChange} from './indexer-protocol.ts'
import {startIndexer} from './indexer-thread.ts'
import {nullSink, type MessageSink} from './message-sink.ts'

const workers: Worker[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
})

/** A thread that sends messages after a start message, and reports the type of each message that it receives. */
function createThread(messages: FromIndexer[]): Worker {
  const code = `
    const {parentPort, workerData} = require('node:worker_threads')
    parentPort.on('message', ({type, id}) => {
      parentPort.postMessage({type: 'error', error: new Error([type, id].join(' ').trim())})
      if (type === 'begin') for (const message of workerData.messages) parentPort.postMessage(message)
      if (type === 'close') parentPort.postMessage({type: 'closed'})
    })
  `
  const worker = new Worker(code, {eval: true, workerData: {messages}})
  workers.push(worker)
  return worker
}

function toChange(runId: string): IndexChange {
  const batch = {runId, workOrderId: runId, marker: '', messages: [], publishedSeq: 0, isOld: false}
  return {type: 'pass', batch}
}

/** Collects errors: those of the indexer, and the messages that threads received. */
function collectErrors() {
  const errors: string[] = []
  return {errors, onError: (error: unknown) => void errors.push((error as Error).message)}
}

test('isolates an error in the messages of one run', async () => {
  const taken: string[] = []
  const sink: MessageSink = {
    ...nullSink,
    append({runId}) {
      if (runId === 'bad') throw new Error('no place for it')
      taken.push(runId)
    },
  }
  const {errors, onError} = collectErrors()
  const changes = ['one', 'bad', 'two'].map(toChange)
  const counts = {live: 3, waiting: 0}
  const createReader = () =>
    createThread([{type: 'give', changes: changes, messageCount: 7, counts}])
  const indexer = startIndexer({sink, onError, createReader})
  await vi.waitFor(() => expect(errors).toContain('taken'), {timeout: 10_000, interval: 10})
  expect(taken).toEqual(['one', 'two'])
  expect(errors).toContain('no place for it')
  expect(indexer.liveCount).toBe(3)
  await indexer.close()
})

test('sends an answer to the thread that asked, not to its successor', async () => {
  const answers: ((stamps: never[]) => void)[] = []
  const listStamps = () => new Promise<never[]>((done) => answers.push(done))
  const {errors, onError} = collectErrors()
  const ask: FromIndexer = {type: 'ask', id: 1, question: {method: 'listStamps', args: []}}
  const indexer = startIndexer({
    sink: {...nullSink, listStamps},
    onError,
    createReader: () => createThread([ask]),
  })
  await vi.waitFor(() => expect(answers).toHaveLength(1), {timeout: 10_000, interval: 10})
  // A thread that ends within a second has no successor.
  const later = performance.now() + 1001
  vi.spyOn(performance, 'now').mockReturnValue(later)
  await workers[0]?.terminate()
  await vi.waitFor(() => expect(answers).toHaveLength(2), {timeout: 10_000, interval: 10})
  answers[0]?.([])
  // The successor would receive the answer before it is woken up.
  indexer.wake('a')
  await vi.waitFor(() => expect(errors).toContain('wake'), {timeout: 10_000, interval: 10})
  expect(errors.filter((word) => word.startsWith('answer'))).toEqual([])
  answers[1]?.([])
  await vi.waitFor(() => expect(errors).toContain('answer 1'), {timeout: 10_000, interval: 10})
  await indexer.close()
})
