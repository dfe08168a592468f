import type {Worker} from 'node:worker_threads'
import {createThread} from '../threads.ts'
import type {FromViewing, ToViewing, ViewingData} from './view-protocol.ts'
import type {LineRange} from '../../replay/run-item.ts'

/** Shows single runs, item by item, to those who look at them. */
export interface Viewing {
  /** Gets ready: somebody is about to look. */
  prepare(): void
  /** Opens the views of one client. */
  openClient(): ViewingClient
  /** Lines of a run in full, as JSON; `null` when there is no such run, or the client has left. */
  readRecords(runId: string, wanted: WantedRecords, signal: AbortSignal): Promise<string | null>
  /** Which lines of a run hold a text, as JSON; `null` when there is no such run, or the client has left. */
  findLines(runId: string, text: string, signal: AbortSignal): Promise<string | null>
  close(): Promise<void>
}

/** The views of one client. */
interface ViewingClient {
  /** Opens a view of a run. */
  look(options: LookOptions): {close(): void}
  /** The client has received a message of any of its views: another one may follow. */
  received(): void
  close(): void
}

/** Who looks at what. */
interface LookOptions {
  runId: string
  /** The number of the last item that is there already. */
  since: number
  /** Whether it may see what is asked for. */
  mayAnswer: boolean
  /** Gets messages: a few at first, then one for each that the client has received. */
  onItems(message: Uint8Array, isLast: boolean): void
  /** Nothing can be shown, or nothing more; without an error because there is no such run. */
  onFailure(error: Error | undefined): void
}

/** Which lines, and for whom. */
interface WantedRecords {
  ranges: LineRange[]
  mayAnswer: boolean
}

/** What lives on is small; what is read passes through. */
const MOST_YOUNG_MB = 32

interface Waiting {
  onMessage(message: FromViewing): void
}

/** Shows the runs of a data folder, with a thread that is started when somebody first looks. */
export function createViewing(data: ViewingData, onError: (error: unknown) => void): Viewing {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let worker: Worker | undefined

  return {
    prepare: () => void (worker ??= start()),
    openClient() {
      const clientId = ++lastId
      return {
        look: (options) => look(clientId, options),
        received: () => worker !== undefined && tell({type: 'received', clientId}),
        close: () => worker !== undefined && tell({type: 'leave', clientId}),
      }
    },
    readRecords: (runId, wanted, signal) =>
      ask(signal, (id) => ({type: 'records', id, runId, ...wanted})),
    findLines: (runId, text, signal) => ask(signal, (id) => ({type: 'find', id, runId, text})),
    async close() {
      const ending = worker
      worker = undefined
      waiting.clear()
      await ending?.terminate()
    },
  }

  function look(
    clientId: number,
    {runId, since, mayAnswer, onItems, onFailure}: LookOptions,
  ): {close(): void} {
    const id = ++lastId
    waiting.set(id, {
      onMessage(message) {
        if (message.type === 'items') {
          if (message.isLast) waiting.delete(id)
          onItems(message.message, message.isLast)
        } else if (message.type === 'failed') {
          waiting.delete(id)
          onFailure(message.error)
        }
      },
    })
    tell({type: 'open', id, clientId, runId, since, mayAnswer})
    return {
      close() {
        if (waiting.delete(id)) tell({type: 'close', id})
      },
    }
  }

  function ask(signal: AbortSignal, describe: (id: number) => ToViewing): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (waiting.delete(id)) tell({type: 'close', id})
        resolve(null)
      }
      signal.addEventListener('abort', abort, {once: true})
      waiting.set(id, {
        onMessage(message) {
          waiting.delete(id)
          signal.removeEventListener('abort', abort)
          if (message.type === 'answer') resolve(message.json)
          else if (message.type === 'failed' && message.error !== undefined) reject(message.error)
          else resolve(null)
        },
      })
      tell(describe(id))
    })
  }

  function tell(message: ToViewing): void {
    worker ??= start()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    worker.postMessage(message)
  }

  function start(): Worker {
    const started = createThread('view-worker', import.meta.url, {
      data,
      maxYoungGenerationMb: MOST_YOUNG_MB,
    })
    started.on('message', (message: FromViewing) => {
      const receiver = waiting.get(message.id)
      if (receiver !== undefined) receiver.onMessage(message)
      // A message that was on its way when its view was closed.
      else if (message.type === 'items') tell({type: 'received', clientId: message.clientId})
    })
    started.on('error', onError)
    started.on('exit', () => {
      if (worker !== started) return
      // Whoever looked is told; whoever looks next gets another thread.
      worker = undefined
      const error = new Error('the thread that shows runs ended by itself')
      for (const [id, {onMessage}] of waiting) onMessage({type: 'failed', id, error})
    })
    return started
  }
}
