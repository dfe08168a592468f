// The thread that reads recordings, so that the one with the sockets does not: it gives what it reads to that one.

import {parentPort, workerData} from 'node:worker_threads'
import {findAgent} from '../../agents/find-agent.ts'
import {openIntake, type Intake} from './indexer.ts'
import type {FromIntake, Gift, IntakeData, Question, ToIntake} from './indexer-protocol.ts'
import type {Outlet} from './message-sink.ts'
import {rehearse} from './warm-up.ts'
import {toPlainError} from '../threads.ts'

/** After so many messages there is nothing to rehearse for any more. */
const ENOUGH = 500
/** So many messages may be on their way before reading waits. */
const MOST_UNDERWAY = 5000

const {dataDir, stateIntervalMs} = workerData as IntakeData
const questions = new Map<number, {resolve(value: never): void; reject(error: Error): void}>()
let lastId = 0
let gifts: Gift[] = []
let messageCount = 0
let underway = 0
let isFull = false
let lastFilling = 0
let readCount = 0

const outlet: Outlet = {
  pass(batch) {
    messageCount += batch.messages.length
    readCount += batch.messages.length
    underway += batch.messages.length
    give({type: 'pass', batch})
  },
  put: (entry, news) => give({type: 'put', entry, news}),
  remove: (runId, news) => give({type: 'remove', runId, news}),
  get isFull() {
    return isFull || underway > MOST_UNDERWAY
  },
  room: () => ask({method: 'room', args: []}),
  settled: () => ask({method: 'settled', args: []}),
  clear: () => ask({method: 'clear', args: []}),
  listStamps: () => ask({method: 'listStamps', args: []}),
  listRuns: (query) => ask({method: 'listRuns', args: [query]}),
}

let intake: Intake | undefined
let isLeaving = false

parentPort?.on('message', (message: ToIntake) => {
  switch (message.type) {
    case 'begin':
      intake = open()
      tellFilling(intake)
      // Whoever waits for the list comes first.
      intake.listed.then(practise, practise)
      break
    case 'wake':
      for (const [runId, hasRecord] of message.runs) intake?.wake(runId, hasRecord)
      break
    case 'rebuild':
      if (intake === undefined) break
      lastFilling++
      tellSettled('cleared', lastFilling, intake.rebuild())
      tellFilling(intake)
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

function practise(): void {
  // Those that begin have little to read at first.
  const mayGoOn = () => !isLeaving && readCount < ENOUGH && count().waiting === 0
  rehearse({dataDir, findAgent, mayGoOn}).catch(complain)
}

function open(): Intake {
  return openIntake({
    dataDir,
    outlet,
    findAgent,
    stateIntervalMs,
    adopt: async (runId) => tell({type: 'adopt', runId}),
    refresh: async (runId) => tell({type: 'refresh', runId}),
    onError: complain,
  })
}

function complain(error: unknown): void {
  tell({type: 'error', error: toPlainError(error)})
}

function tellFilling({listed, caughtUp}: Intake): void {
  tellSettled('listed', lastFilling, listed)
  tellSettled('caught-up', lastFilling, caughtUp)
}

function tellSettled(
  type: 'cleared' | 'listed' | 'caught-up',
  filling: number,
  promise: Promise<void>,
): void {
  promise.then(
    () => tell({type, filling, counts: count()}),
    (error: unknown) => tell({type, filling, counts: count(), error: toPlainError(error)}),
  )
}

/** What is given within one turn goes together. */
function give(gift: Gift): void {
  if (gifts.length === 0) setImmediate(flush)
  gifts.push(gift)
}

function flush(): void {
  if (gifts.length === 0) return
  const message: FromIntake = {type: 'give', gifts, messageCount, counts: count()}
  gifts = []
  messageCount = 0
  post(message)
}

function ask<T>(question: Question): Promise<T> {
  const id = ++lastId
  return new Promise<T>((resolve, reject) => {
    questions.set(id, {resolve, reject})
    tell({type: 'ask', id, question})
  })
}

function count() {
  return {live: intake?.liveCount ?? 0, waiting: intake?.waitingCount ?? 0}
}

async function leave(): Promise<void> {
  await intake?.close()
  tell({type: 'closed'})
  parentPort?.close()
}

/** Whoever hears it has been given all that was read before. */
function tell(message: FromIntake): void {
  flush()
  post(message)
}

function post(message: FromIntake): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(message)
}
