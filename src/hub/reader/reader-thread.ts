import {join} from 'node:path'
import type {Worker} from 'node:worker_threads'
import {createThread as createModuleThread} from '../create-thread.ts'
import {isStateMessage} from '../../core/protocol/server-message.ts'
import {removeIndexFiles} from '../../database/files.ts'
import type {Store} from '../index/store.ts'
import type {Batch, LiveMessage} from '../live/bus.ts'
import type {
  Counts,
  FromReader,
  PostedMessage,
  ReaderCalls,
  ReaderData,
  ToReader,
} from './protocol.ts'
import type {PublishedSeqs} from './run-publisher.ts'

/** The reader thread, as the socket thread sees it. */
export interface Reader extends Store {
  /** How many runs are followed, and how many recordings wait to be indexed. */
  readonly counts: Counts
  /** Resolves when the index has everything that existed at the start. */
  whenCaughtUp(): Promise<void>
  /**
   * Reads the new data of a run.
   *
   * @param hasRecord - Whether its record changed too.
   */
  wake(runId: string, hasRecord?: boolean): void
  /** Writes everything and ends the thread. */
  close(): Promise<void>
}

/** Options of {@link startReader}. */
export interface ReaderOptions extends Omit<ReaderData, 'published'> {
  /** Receives the messages of live runs. */
  publish(batch: Batch): void
  /** Supervises a run whose supervisor is gone. */
  adopt(runId: string): Promise<void>
  /** Records the part of an interactive session that no hook reports. */
  refresh?: ((runId: string) => Promise<void>) | undefined
  onError(error: unknown): void
  /** Called when the index is damaged or was made by another version, and is built again. */
  onDamage(reason: string): void
  /** @defaultValue The built module of the thread. */
  createThread?: ((data: ReaderData) => Worker) | undefined
}

/** A thread that ends sooner would fail again, so it is not restarted. */
const MIN_UPTIME_MS = 1000
/** Batches wake-ups: reading many runs at once is cheaper. */
const WAKE_INTERVAL_MS = 20

/** Starts the reader thread: reading and translating take longer than all socket work. */
export function startReader(options: ReaderOptions): Reader {
  const {dataDir, stateIntervalMs, publish, adopt, refresh, onError, onDamage} = options
  const {createThread = (data) => createModuleThread('reader-worker', import.meta.url, data)} =
    options
  const calls = new Map<number, PendingCall>()
  const published: PublishedSeqs = new Map()
  let lastId = 0
  let counts: Counts = {live: 0, waiting: 0}
  /** Runs to read, and whether to read their records too. */
  let awake = new Map<string, boolean>()
  let waking: NodeJS.Timeout | undefined
  let wokenAt = 0
  let isDamaged = false
  let end: Error | undefined
  let closing: Promise<void> | undefined
  let startedAt = 0
  let thread = start()

  return {
    get counts() {
      return counts
    },
    listRuns: (query) => call('listRuns', query),
    getRun: (runId) => call('getRun', runId),
    listMessages: (runId, query) => call('listMessages', runId, query),
    search: (query) => call('search', query),
    stats: (todayFrom = new Date().setHours(0, 0, 0, 0)) => call('stats', todayFrom),
    readItems: (query) => call('readItems', query),
    waitForItems: (runId, since) => call('waitForItems', runId, since),
    readRecords: (query) => call('readRecords', query),
    whenCaughtUp: () => call('whenCaughtUp'),
    wake(runId, hasRecord = false) {
      awake.set(runId, hasRecord || awake.get(runId) === true)
      waking ??= setTimeout(postWake, Math.max(0, wokenAt + WAKE_INTERVAL_MS - performance.now()))
    },
    async close() {
      closing ??= end === undefined ? call('close') : Promise.resolve()
      await closing
    },
  }

  function start(): Worker {
    startedAt = performance.now()
    const started = createThread({dataDir, stateIntervalMs, published})
    started.on('message', receive)
    started.on('error', onError)
    started.on('exit', onExit)
    return started
  }

  function receive(message: FromReader): void {
    switch (message.type) {
      case 'result': {
        ;({counts} = message)
        const pending = calls.get(message.id)
        calls.delete(message.id)
        if (message.error === undefined) pending?.resolve(message.value)
        else pending?.reject(message.error)
        break
      }
      case 'publish':
        ;({counts} = message)
        publishAll(message)
        post({type: 'processed', count: message.count})
        break
      case 'adopt':
        adopt(message.runId).catch(onError)
        break
      case 'refresh':
        refresh?.(message.runId).catch(onError)
        break
      case 'error':
        onError(message.error)
        break
      case 'damaged':
        isDamaged = true
        onDamage(message.reason)
        break
      default:
        message satisfies never
    }
  }

  function publishAll({batches, json}: FromReader & {type: 'publish'}): void {
    let read = 0
    const toLive = <T extends string>({type, seq, size}: PostedMessage<T>): LiveMessage<T> => {
      read += size
      return {type, seq, data: Buffer.from(json.buffer, json.byteOffset + read - size, size)}
    }
    for (const {messages, removal, ...rest} of batches) {
      pass({...rest, messages: messages.map(toLive), removal: removal && toLive(removal)})
    }
  }

  function pass(batch: Batch): void {
    const {runId, marker, messages} = batch
    const last = messages.findLast(({type}) => !isStateMessage(type))
    if (batch.removal !== undefined || last?.type === 'run_ended') published.delete(runId)
    else if (last !== undefined && batch.isOld !== true)
      published.set(runId, {marker, seq: last.seq})
    try {
      publish(batch)
    } catch (error) {
      // An error of one run must not lose the messages of others.
      onError(error)
    }
  }

  /** Restarts a thread that ended unexpectedly: its state is in the index and in the recordings. */
  function onExit(): void {
    const isClosed = closing !== undefined && !isDamaged
    const isTooSoon = performance.now() - startedAt < MIN_UPTIME_MS
    if (isClosed || (isTooSoon && !isDamaged)) {
      return giveUp(new Error('the reader thread ended unexpectedly'))
    }
    try {
      if (isDamaged) removeIndexFiles(join(dataDir, 'index.db'))
      isDamaged = false
      thread = start()
      for (const [id, {message}] of calls) post({type: 'call', id, call: message})
    } catch (error) {
      giveUp(error as Error)
    }
  }

  function giveUp(error: Error): void {
    end = error
    for (const {message, resolve, reject} of calls.values()) {
      if (message.method === 'close') resolve(undefined)
      else reject(error)
    }
    calls.clear()
  }

  function postWake(): void {
    const runs = [...awake]
    awake = new Map()
    waking = undefined
    wokenAt = performance.now()
    post({type: 'wake', runs})
  }

  async function call<M extends keyof ReaderCalls>(
    method: M,
    ...args: Parameters<ReaderCalls[M]>
  ): Promise<Awaited<ReturnType<ReaderCalls[M]>>> {
    if (end !== undefined) throw end
    const id = ++lastId
    const message = {method, args}
    const value = await new Promise<unknown>((resolve, reject) => {
      calls.set(id, {message, resolve, reject})
      post({type: 'call', id, call: message})
    })
    // Messages between threads are untyped.
    return value as Awaited<ReturnType<ReaderCalls[M]>>
  }

  function post(message: ToReader): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    thread.postMessage(message)
  }
}

interface PendingCall {
  message: (ToReader & {type: 'call'})['call']
  resolve(value: unknown): void
  reject(error: Error): void
}
