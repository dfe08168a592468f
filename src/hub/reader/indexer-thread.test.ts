import {Worker} from 'node:worker_threads'
import {afterEach, expect, test, vi} from 'vitest'
import type {FromIntake, Gift} from './indexer-protocol.ts'
import {startIntake} from './indexer-thread.ts'
import {deafOutlet, type Outlet} from './message-sink.ts'

const workers: Worker[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
})

/** A thread that sends messages after a start message, and reports the type of each message that it receives. */
function createThread(says: FromIntake[]): Worker {
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

function giftOf(runId: string): Gift {
  const batch = {runId, workOrderId: runId, marker: '', messages: [], toldSeq: 0, isOld: false}
  return {type: 'pass', batch}
}

/** Gathers what comes by way of errors: what went wrong here, and what the threads heard. */
function createEar() {
  const heard: string[] = []
  return {heard, onError: (error: unknown) => void heard.push((error as Error).message)}
}

test('an error in the messages of one run affects no other run', async () => {
  const taken: string[] = []
  const outlet: Outlet = {
    ...deafOutlet,
    pass({runId}) {
      if (runId === 'bad') throw new Error('no place for it')
      taken.push(runId)
    },
  }
  const {heard, onError} = createEar()
  const gifts = ['one', 'bad', 'two'].map(giftOf)
  const counts = {live: 3, waiting: 0}
  const createReader = () => createThread([{type: 'give', gifts, messageCount: 7, counts}])
  const intake = startIntake({outlet, onError, createReader})
  await vi.waitFor(() => expect(heard).toContain('taken'), {timeout: 10_000, interval: 10})
  expect(taken).toEqual(['one', 'two'])
  expect(heard).toContain('no place for it')
  expect(intake.liveCount).toBe(3)
  await intake.close()
})

test('an answer goes to the thread that asked, not to its successor', async () => {
  const answers: ((stamps: never[]) => void)[] = []
  const listStamps = () => new Promise<never[]>((done) => answers.push(done))
  const {heard, onError} = createEar()
  const ask: FromIntake = {type: 'ask', id: 1, question: {method: 'listStamps', args: []}}
  const intake = startIntake({
    outlet: {...deafOutlet, listStamps},
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
  intake.wake('a')
  await vi.waitFor(() => expect(heard).toContain('wake'), {timeout: 10_000, interval: 10})
  expect(heard.filter((word) => word.startsWith('answer'))).toEqual([])
  answers[1]?.([])
  await vi.waitFor(() => expect(heard).toContain('answer 1'), {timeout: 10_000, interval: 10})
  await intake.close()
})
