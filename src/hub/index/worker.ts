// The index thread: processes requests in order, and makes messages searchable when idle.

import {setPriority} from 'node:os'
import {parentPort, workerData} from 'node:worker_threads'
import {toPlainError} from '../threads.ts'
import type {Change} from './batch.ts'
import {isDamage, openDatabase, type Database} from './database.ts'
import {makeIndexFile} from './files.ts'
import {createIndex, type MessageIndex} from './message-index.ts'
import {OPENING, type FromThread, type Question, type ToThread} from './protocol.ts'

/** After a write more writes are likely, so they get most of the time. */
const QUIET_MS = 300
const PAUSE_MS = 150
/** With this many writes per second, live clients have priority over search. */
const MANY_CHANGES = 300
const LONG_PAUSE_MS = 1500

/** With less, a busy machine would leave the index so far behind that reads, and live clients, wait for it. */
const A_LITTLE_LOWER = 5

yieldToOthers()
const database = openFile(String(workerData))
/** Undefined when it is damaged. */
let index: MessageIndex | undefined
/** Requests to answer when everything is searchable. */
let searchableRequests: number[] = []
let writtenAt = -Infinity
/** How many changes arrived in about the last second. */
let heat = 0
let timer: NodeJS.Timeout | undefined

try {
  index = createIndex(database)
  post({type: 'answer', id: OPENING, value: undefined})
  deriveSoon()
} catch (error) {
  if (!isDamage(error)) throw toPlainError(error)
  onDamage(error)
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'write':
      countChanges(message.changes.length)
      post({type: 'written', error: write(message.changes)})
      deriveSoon()
      break
    case 'read':
      post(read(message.id, message.question))
      break
    case 'settle':
      post({type: 'answer', id: message.id, value: undefined})
      break
    case 'seek':
      searchableRequests.push(message.id)
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

/** Gives live clients priority. On Linux this applies to this thread only; elsewhere to the process. */
function yieldToOthers(): void {
  try {
    if (process.platform === 'linux') setPriority(A_LITTLE_LOWER)
  } catch {
    // Without the right to set a priority, threads share the time.
  }
}

function openFile(path: string): Database {
  makeIndexFile(path)
  return openDatabase(path)
}

/** Changes to a damaged index are lost; the damage is reported. */
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
    // The compiler cannot relate the arguments to the method.
    const ask = index.reads[method] as (...values: unknown[]) => unknown
    return {type: 'answer', id, value: ask(...args)}
  } catch (error) {
    if (isDamage(error)) onDamage(error)
    return {type: 'refusal', id, error: toPlainError(error)}
  }
}

/** Requests that arrive meanwhile are processed first. */
function deriveSoon(): void {
  if (timer !== undefined) return
  const isBusy = searchableRequests.length === 0 && performance.now() - writtenAt < QUIET_MS
  const pauseMs = heat > MANY_CHANGES ? LONG_PAUSE_MS : PAUSE_MS
  timer = setTimeout(derive, isBusy ? pauseMs : 0)
}

function countChanges(count: number): void {
  const now = performance.now()
  heat = heat * Math.exp((writtenAt - now) / 1000) + count
  writtenAt = now
}

function derive(): void {
  timer = undefined
  if (index === undefined) return rejectSearchableRequests(damaged())
  try {
    if (index.searchIndexer.advance()) return deriveSoon()
  } catch (error) {
    // Retried after the next write.
    if (isDamage(error)) onDamage(error)
    else rejectSearchableRequests(toPlainError(error))
  }
  for (const id of searchableRequests) post({type: 'answer', id, value: undefined})
  searchableRequests = []
}

function rejectSearchableRequests(error: Error): void {
  for (const id of searchableRequests) post({type: 'refusal', id, error})
  searchableRequests = []
}

function onDamage(error: unknown): void {
  index = undefined
  post({type: 'damage', reason: `the index is damaged: ${toPlainError(error).message}.`})
  rejectSearchableRequests(damaged())
}

function damaged(): Error {
  return new Error('the index is damaged')
}

function leave(): void {
  clearTimeout(timer)
  rejectSearchableRequests(new Error('the index was closed before everything could be found'))
  try {
    // Moves the write-ahead log into the file and removes it.
    if (index !== undefined) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  } catch {
    // The log is read when the index is opened again.
  }
  parentPort?.close()
}

function post(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
  parentPort?.postMessage(message)
}
