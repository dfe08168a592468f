// The thread of the index: what it is told is done one by one, in order.

import {parentPort, workerData} from 'node:worker_threads'
import type {Change} from './batch.ts'
import {openIndexFile} from './index-file.ts'
import {OPENING, type FromThread, type Question, type ToThread} from './protocol.ts'
import type {Reads} from './reads.ts'

const port = parentPort
if (port === null) throw new Error('this file is started as a thread')

let epoch = 0
const index = openIndexFile(String(workerData), (reason) => {
  epoch++
  tell({type: 'damage', epoch, reason})
})

port.on('message', (message: ToThread) => {
  if (message.type === 'write') {
    tell({type: 'written', error: attempt(() => write(message.epoch, message.changes)).error})
    return
  }
  const {id} = message
  const {value, error} = attempt(() => answer(message))
  tell(error === undefined ? {type: 'answer', id, value} : {type: 'refusal', id, error})
  if (message.type === 'close') port.close()
})
tell({type: 'answer', id: OPENING, value: undefined})

/** What was given before damage came to light is void; so is what brought it to light. */
function write(given: number, changes: readonly Change[]): void {
  if (given !== epoch) return
  try {
    index.write(changes)
  } catch (error) {
    if (given === epoch) throw error
  }
}

function answer(message: Exclude<ToThread, {type: 'write'}>): unknown {
  switch (message.type) {
    case 'read':
      return index.read((reads) => ask(reads, message.question))
    case 'clear':
      return index.clear()
    case 'close':
      return index.close()
    case 'settle':
      return undefined
    default:
      return message satisfies never
  }
}

function ask(reads: Reads, {method, args}: Question): unknown {
  // The compiler does not see that the arguments are those of the method.
  const read = reads[method] as (...values: unknown[]) => unknown
  return read(...args)
}

function attempt(work: () => unknown): {value?: unknown; error?: Error | undefined} {
  try {
    return {value: work()}
  } catch (error) {
    return {error: error instanceof Error ? new Error(error.message) : new Error(String(error))}
  }
}

function tell(message: FromThread): void {
  port?.postMessage(message)
}
