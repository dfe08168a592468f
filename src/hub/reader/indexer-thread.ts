import type {Worker} from 'node:worker_threads'
import type {Indexer, IndexerOptions} from './indexer.ts'
import type {Counts, FromIndexer, IndexerData, SinkRequest, ToIndexer} from './indexer-protocol.ts'
import {createThread} from '../threads.ts'

/** A thread that ends sooner would fail again, so it is not restarted. */
const MIN_UPTIME_MS = 1000
/** Batches wake-ups: reading many runs at once is cheaper. */
const WAKE_INTERVAL_MS = 20

/** Small: nearly all objects are short-lived. */
const MAX_YOUNG_GENERATION_MB = 24

/** The promises of one filling of the index. */
interface Filling {
  cleared: PromiseWithSettlers
  listed: PromiseWithSettlers
  caughtUp: PromiseWithSettlers
}

interface PromiseWithSettlers {
  promise: Promise<void>
  resolve(): void
  reject(error: Error): void
}

/** Options of {@link startIndexer}. */
export interface IndexerThreadOptions extends Omit<
  IndexerOptions,
  'dataDir' | 'findAgent' | 'stateIntervalMs'
> {
  /** Creates the reader thread, or returns a prepared one; it sends nothing before `begin`. */
  createReader(): Worker
}

/** Creates a thread that reads the recordings of a data folder. */
export function createReader(data: IndexerData): Worker {
  return createThread('indexer-worker', import.meta.url, {
    data,
    maxYoungGenerationMb: MAX_YOUNG_GENERATION_MB,
  })
}

/** Runs the indexer in a thread of its own: reading and translating take longer than all socket work. */
export function startIndexer(options: IndexerThreadOptions): Indexer {
  const {sink, adopt, refresh, onError = () => {}} = options
  const closed = createPromise()
  /** The fillings of this thread and of its predecessors; callers wait for the last one. */
  let fillings: Filling[] = [createFilling()]
  let counts: Counts = {live: 0, waiting: 0}
  /** Runs to read, and whether to read their records too. */
  let awake = new Map<string, boolean>()
  let waking: NodeJS.Timeout | undefined
  let wokenAt = 0
  let isClosing = false
  let startedAt = 0
  let worker = start()

  return {
    get listed() {
      return latest().listed.promise
    },
    get caughtUp() {
      return latest().caughtUp.promise
    },
    get liveCount() {
      return counts.live
    },
    get waitingCount() {
      return counts.waiting
    },
    wake(runId, hasRecord = false) {
      awake.set(runId, hasRecord || awake.get(runId) === true)
      waking ??= setTimeout(postWake, Math.max(0, wokenAt + WAKE_INTERVAL_MS - performance.now()))
    },
    async rebuild() {
      const filling = createFilling()
      fillings.push(filling)
      post({type: 'rebuild'})
      await filling.cleared.promise
    },
    async close() {
      if (!isClosing) post({type: 'close'})
      isClosing = true
      await closed.promise
    },
  }

  function start(): Worker {
    startedAt = performance.now()
    const started = options.createReader()
    started.on('message', (message: FromIndexer) => receive(started, message))
    started.on('error', onError)
    started.on('exit', onExit)
    post({type: 'begin'}, started)
    return started
  }

  function receive(from: Worker, message: FromIndexer): void {
    switch (message.type) {
      case 'give':
        ;({counts} = message)
        take(from, message)
        break
      case 'ask':
        void answer(from, message.id, message.question)
        break
      case 'adopt':
        adopt?.(message.runId).catch(onError)
        break
      case 'refresh':
        refresh?.(message.runId).catch(onError)
        break
      case 'cleared':
      case 'listed':
      case 'caught-up':
        ;({counts} = message)
        settle(message)
        break
      case 'error':
        onError(message.error)
        break
      case 'closed':
        closed.resolve()
        break
      default:
        message satisfies never
    }
  }

  function take(from: Worker, {changes, messageCount}: FromIndexer & {type: 'give'}): void {
    for (const change of changes) {
      try {
        if (change.type === 'pass') sink.append(change.batch)
        else if (change.type === 'put') sink.putRun(change.entry, change.news)
        else sink.removeRun(change.runId, change.news)
      } catch (error) {
        // An error of one run must not lose the data of others.
        onError(error)
      }
    }
    post({type: 'taken', messageCount, isFull: sink.isFull}, from)
  }

  /** Answers a request of the current thread only: a new thread counts its requests from 1. */
  async function answer(from: Worker, id: number, {method, args}: SinkRequest): Promise<void> {
    try {
      // The compiler cannot relate the arguments to the method.
      const ask = sink[method] as (...values: unknown[]) => Promise<unknown>
      post({type: 'answer', id, value: await ask(...args)}, from)
    } catch (error) {
      post({type: 'refusal', id, error: error as Error}, from)
    }
  }

  function settle({
    type,
    filling,
    error,
  }: FromIndexer & {type: 'cleared' | 'listed' | 'caught-up'}) {
    const {cleared, listed, caughtUp} = fillings[filling] ?? latest()
    const settlers = type === 'cleared' ? cleared : type === 'listed' ? listed : caughtUp
    if (error === undefined) settlers.resolve()
    else settlers.reject(error)
  }

  /** Restarts a thread that ended unexpectedly: its state is in the index and in the recordings. */
  function onExit(): void {
    closed.resolve()
    if (isClosing) return
    if (performance.now() - startedAt < MIN_UPTIME_MS) {
      for (const filling of fillings) giveUp(filling)
      return
    }
    // Callers that wait for the old thread are served by the new one.
    fillings = [latest()]
    worker = start()
  }

  function giveUp({cleared, listed, caughtUp}: Filling): void {
    const error = new Error('the indexer thread ended unexpectedly')
    for (const settlers of [cleared, listed, caughtUp]) settlers.reject(error)
  }

  function postWake(): void {
    const runs = [...awake]
    awake = new Map()
    waking = undefined
    wokenAt = performance.now()
    post({type: 'wake', runs})
  }

  function post(message: ToIndexer, to = worker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    to.postMessage(message)
  }

  function latest(): Filling {
    return fillings.at(-1) ?? createFilling()
  }
}

function createFilling(): Filling {
  return {cleared: createPromise(), listed: createPromise(), caughtUp: createPromise()}
}

function createPromise(): PromiseWithSettlers {
  let resolve = () => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // A rejection is reported to waiting callers; there may be none.
  promise.catch(() => {})
  return {promise, resolve, reject}
}
