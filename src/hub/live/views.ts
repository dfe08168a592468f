import type {Worker} from 'node:worker_threads'
import {createThread} from '../threads.ts'
import type {FromViews, ToViews, ViewData} from './view-protocol.ts'
import type {LineRange} from '../../replay/run-item.ts'

/** Serves views of single runs, item by item. */
export interface RunViews {
  /** Prepares the thread: a client is about to open a view. */
  prepare(): void
  /** Opens the views of one client. */
  openClient(): ViewingClient
  /** Complete lines of a run, as JSON; `null` when there is no such run, or the client has left. */
  readRecords(runId: string, wanted: WantedRecords, signal: AbortSignal): Promise<string | null>
  /** The lines of a run that contain a text, as JSON; `null` when there is no such run, or the client has left. */
  findLines(runId: string, text: string, signal: AbortSignal): Promise<string | null>
  close(): Promise<void>
}

/** The views of one client. */
interface ViewingClient {
  /** Opens a view of a run. */
  open(options: ViewOptions): {close(): void}
  /** The client has received a message of any of its views: another one may follow. */
  received(): void
  close(): void
}

/** Options of a view. */
interface ViewOptions {
  runId: string
  /** The number of the last item that the client has. */
  since: number
  /** Whether the client may see permission requests. */
  mayAnswer: boolean
  /** Receives messages: a few at first, then one for each that the client has received. */
  onItems(message: Uint8Array, isLast: boolean): void
  /** The view failed or ended; without an error because there is no such run. */
  onFailure(error: Error | undefined): void
}

/** Selects lines, and for which client. */
interface WantedRecords {
  ranges: LineRange[]
  mayAnswer: boolean
}

/** Small: long-lived data is small, and read data passes through. */
const MAX_YOUNG_GENERATION_MB = 32

interface Waiting {
  onMessage(message: FromViews): void
}

/** Serves the runs of a data folder, with a thread that is started on first use. */
export function createViewing(data: ViewData, onError: (error: unknown) => void): RunViews {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let worker: Worker | undefined

  return {
    prepare: () => void (worker ??= start()),
    openClient() {
      const clientId = ++lastId
      return {
        open: (options) => openView(clientId, options),
        received: () => worker !== undefined && post({type: 'received', clientId}),
        close: () => worker !== undefined && post({type: 'leave', clientId}),
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

  function openView(
    clientId: number,
    {runId, since, mayAnswer, onItems, onFailure}: ViewOptions,
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
    post({type: 'open', id, clientId, runId, since, mayAnswer})
    return {
      close() {
        if (waiting.delete(id)) post({type: 'close', id})
      },
    }
  }

  function ask(signal: AbortSignal, describe: (id: number) => ToViews): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (waiting.delete(id)) post({type: 'close', id})
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
      post(describe(id))
    })
  }

  function post(message: ToViews): void {
    worker ??= start()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    worker.postMessage(message)
  }

  function start(): Worker {
    const started = createThread('view-worker', import.meta.url, {
      data,
      maxYoungGenerationMb: MAX_YOUNG_GENERATION_MB,
    })
    started.on('message', (message: FromViews) => {
      const receiver = waiting.get(message.id)
      if (receiver !== undefined) receiver.onMessage(message)
      // A message that was in flight when its view was closed.
      else if (message.type === 'items') post({type: 'received', clientId: message.clientId})
    })
    started.on('error', onError)
    started.on('exit', () => {
      if (worker !== started) return
      // Open views fail; the next view starts a new thread.
      worker = undefined
      const error = new Error('the view thread ended unexpectedly')
      for (const [id, {onMessage}] of waiting) onMessage({type: 'failed', id, error})
    })
    return started
  }
}
