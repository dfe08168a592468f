// The thread of the index: it does what it is told, one after the other.

import {parentPort, workerData} from 'node:worker_threads'
import type {Change} from './batch.ts'
import {isDamage, openDatabase, type Database} from './database.ts'
import {makeIndexFile} from './files.ts'
import {createIndex, type MessageIndex} from './message-index.ts'
import {OPENING, type FromThread, type Question, type ToThread} from './protocol.ts'

const database = openFile(String(workerData))
/** Undefined when it is damaged. */
let index: MessageIndex | undefined

try {
  index = createIndex(database)
  tell({type: 'answer', id: OPENING, value: undefined})
} catch (error) {
  if (!isDamage(error)) throw toError(error)
  onDamage(error)
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'write':
      tell({type: 'written', error: write(message.changes)})
      break
    case 'read':
      tell(read(message.id, message.question))
      break
    case 'settle':
      tell({type: 'answer', id: message.id, value: undefined})
      break
    case 'leave':
      leave()
      break
    default:
      message satisfies never
  }
})

function openFile(path: string): Database {
  makeIndexFile(path)
  return openDatabase(path)
}

/** What is given to a damaged index is void; whoever gave it is told of the damage. */
function write(changes: readonly Change[]): Error | undefined {
  try {
    index?.write(changes)
  } catch (error) {
    if (!isDamage(error)) return toError(error)
    onDamage(error)
  }
  return undefined
}

function read(id: number, {method, args}: Question): FromThread {
  if (index === undefined) return {type: 'refusal', id, error: new Error('the index is damaged')}
  try {
    // The compiler does not see that the arguments are those of the method.
    const ask = index.reads[method] as (...values: unknown[]) => unknown
    return {type: 'answer', id, value: ask(...args)}
  } catch (error) {
    if (isDamage(error)) onDamage(error)
    return {type: 'refusal', id, error: toError(error)}
  }
}

function onDamage(error: unknown): void {
  index = undefined
  tell({type: 'damage', reason: `The index cannot be used: ${toError(error).message}.`})
}

function leave(): void {
  try {
    // What is in the log goes to the file, and the log with it.
    if (index !== undefined) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  } catch {
    // The log is read when the index is opened again.
  }
  parentPort?.close()
}

/** Errors of drivers have fields that no other thread can be given. */
function toError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error))
}

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(message)
}
