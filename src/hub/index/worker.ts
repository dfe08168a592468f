// The thread of the index: it does what it is told, one after the other, and derives what is searched when it is told nothing.

import {setPriority} from 'node:os'
import {parentPort, workerData} from 'node:worker_threads'
import {toPlainError} from '../threads.ts'
import type {Change} from './batch.ts'
import {isDamage, openDatabase, type Database} from './database.ts'
import {makeIndexFile} from './files.ts'
import {createIndex, type MessageIndex} from './message-index.ts'
import {OPENING, type FromThread, type Question, type ToThread} from './protocol.ts'

/** After something was written more is likely to come, and most of the time belongs to it. */
const QUIET_MS = 300
const REST_MS = 150
/** When so many runs are written to in a second, those who watch need the machine more than those who search. */
const MANY_CHANGES = 300
const LONG_REST_MS = 1500

/** With less, a busy machine would leave the index so far behind that reading waits for it, and with it those who watch. */
const A_LITTLE_LOWER = 5

yieldToOthers()
const database = openFile(String(workerData))
/** Undefined when it is damaged. */
let index: MessageIndex | undefined
/** Who wants to know when everything can be found. */
let seekers: number[] = []
let writtenAt = -Infinity
/** How many changes came in the last second, or so. */
let heat = 0
let timer: NodeJS.Timeout | undefined

try {
  index = createIndex(database)
  tell({type: 'answer', id: OPENING, value: undefined})
  deriveSoon()
} catch (error) {
  if (!isDamage(error)) throw toPlainError(error)
  onDamage(error)
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'write':
      countChanges(message.changes.length)
      tell({type: 'written', error: write(message.changes)})
      deriveSoon()
      break
    case 'read':
      tell(read(message.id, message.question))
      break
    case 'settle':
      tell({type: 'answer', id: message.id, value: undefined})
      break
    case 'seek':
      seekers.push(message.id)
      clearTimeout(timer)
      timer = undefined
      deriveSoon()
      break
    case 'leave':
      leave()
      break
    default:
      message satisfies never
  }
})

/** Those who watch are served first. On Linux this is for this thread alone; elsewhere it would be for all. */
function yieldToOthers(): void {
  try {
    if (process.platform === 'linux') setPriority(A_LITTLE_LOWER)
  } catch {
    // Then they share.
  }
}

function openFile(path: string): Database {
  makeIndexFile(path)
  return openDatabase(path)
}

/** What is given to a damaged index is void; whoever gave it is told of the damage. */
function write(changes: readonly Change[]): Error | undefined {
  try {
    index?.write(changes)
  } catch (error) {
    if (!isDamage(error)) return toPlainError(error)
    onDamage(error)
  }
  return undefined
}

function read(id: number, {method, args}: Question): FromThread {
  if (index === undefined) return {type: 'refusal', id, error: damaged()}
  try {
    // The compiler does not see that the arguments are those of the method.
    const ask = index.reads[method] as (...values: unknown[]) => unknown
    return {type: 'answer', id, value: ask(...args)}
  } catch (error) {
    if (isDamage(error)) onDamage(error)
    return {type: 'refusal', id, error: toPlainError(error)}
  }
}

/** Whatever comes meanwhile is done first. */
function deriveSoon(): void {
  if (timer !== undefined) return
  const isBusy = seekers.length === 0 && performance.now() - writtenAt < QUIET_MS
  const restMs = heat > MANY_CHANGES ? LONG_REST_MS : REST_MS
  timer = setTimeout(derive, isBusy ? restMs : 0)
}

function countChanges(count: number): void {
  const now = performance.now()
  heat = heat * Math.exp((writtenAt - now) / 1000) + count
  writtenAt = now
}

function derive(): void {
  timer = undefined
  if (index === undefined) return refuseSeekers(damaged())
  try {
    if (index.deriver.advance()) return deriveSoon()
  } catch (error) {
    // It is tried again when something else is written.
    if (isDamage(error)) onDamage(error)
    else refuseSeekers(toPlainError(error))
  }
  for (const id of seekers) tell({type: 'answer', id, value: undefined})
  seekers = []
}

function refuseSeekers(error: Error): void {
  for (const id of seekers) tell({type: 'refusal', id, error})
  seekers = []
}

function onDamage(error: unknown): void {
  index = undefined
  tell({type: 'damage', reason: `the index is damaged: ${toPlainError(error).message}.`})
  refuseSeekers(damaged())
}

function damaged(): Error {
  return new Error('the index is damaged')
}

function leave(): void {
  clearTimeout(timer)
  refuseSeekers(new Error('the index was closed before everything could be found'))
  try {
    // What is in the log goes to the file, and the log with it.
    if (index !== undefined) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  } catch {
    // The log is read when the index is opened again.
  }
  parentPort?.close()
}

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(message)
}
