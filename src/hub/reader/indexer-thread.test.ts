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
function createThread(says: FromIndexer[]): Worker {
  const code = `
    const {parentPort, workerData} = require('node:worker_threads')
    parentPort.on('message', ({type, id}) => {
      parentPort.postMessage({type: 'error', error: new Error([type, id].join(' ').trim())})
      if (type === 'begin') for (const message of workerData.says) parentPort.postMessage(message)
      if (type === 'close') parentPort.postMessage({type: 'closed'})
    })
  `
  const worker = new Worker(code, {eval: true, workerData: {says}})
  workers.push(worker)
  return worker
}

function giftOf(runId: string): IndexChange {
  const batch = {runId, workOrderId: runId, marker: '', messages: [], publishedSeq: 0, isOld: false}
  return {type: 'pass', batch}
}

/** Gathers what comes by way of errors: what went wrong here, and what the threads heard. */
function createEar() {
  const heard: string[] = []
  return {heard, onError: (error: unknown) => void heard.push((error as Error).message)}
}

test('an error in the messages of one run affects no other run', async () => {
  const taken: string[] = []
  const sink: MessageSink = {
    ...nullSink,
    append({runId}) {
      if (runId === 'bad') throw new Error('no place for it')
      taken.push(runId)
    },
  }
  const {heard, onError} = createEar()
  const changes = ['one', 'bad', 'two'].map(giftOf)
  const counts = {live: 3, waiting: 0}
  const createReader = () =>
    createThread([{type: 'give', changes: changes, messageCount: 7, counts}])
  const indexer = startIndexer({sink, onError, createReader})
  await vi.waitFor(() => expect(heard).toContain('taken'), {timeout: 10_000, interval: 10})
  expect(taken).toEqual(['one', 'two'])
  expect(heard).toContain('no place for it')
  expect(indexer.liveCount).toBe(3)
  await indexer.close()
})

test('an answer goes to the thread that asked, not to its successor', async () => {
  const answers: ((stamps: never[]) => void)[] = []
  const listStamps = () => new Promise<never[]>((done) => answers.push(done))
  const {heard, onError} = createEar()
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
  await vi.waitFor(() => expect(heard).toContain('wake'), {timeout: 10_000, interval: 10})
  expect(heard.filter((word) => word.startsWith('answer'))).toEqual([])
  answers[1]?.([])
  await vi.waitFor(() => expect(heard).toContain('answer 1'), {timeout: 10_000, interval: 10})
  await indexer.close()
})
