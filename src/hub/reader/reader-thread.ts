import {join} from 'node:path'
import type {Worker} from 'node:worker_threads'
import {createThread as createModuleThread} from '../create-thread.ts'
import {isStateMessage} from '../../core/protocol/server-message.ts'
import {removeIndexFiles} from '../../database/files.ts'
import type {IndexerOptions} from './indexer.ts'
import type {LiveBatch, LiveMessage, PostedMessage} from './message-sink.ts'
import type {Counts, FromReader, ReaderCall, ReaderCalls, ReaderData, ToReader} from './protocol.ts'
import type {PublishedSeqs} from './run-publisher.ts'

/** The reader thread, as the socket thread sees it. */
export type Reader = ReturnType<typeof startReader>

/** Options of {@link startReader}. */
export interface ReaderOptions extends Pick<
  IndexerOptions,
  'dataDir' | 'machine' | 'stateIntervalMs' | 'adopt' | 'refresh'
> {
  /** Receives the messages of live runs. */
  publish(batch: LiveBatch): void
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
export function startReader(options: ReaderOptions) {
  const {dataDir, machine, stateIntervalMs, publish, adopt, refresh, onError, onDamage} = options
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
    /** How many runs are followed, and how many recordings wait to be indexed. */
    get counts() {
      return counts
    },
    listRuns: forward('listRuns'),
    getRun: forward('getRun'),
    listMessages: forward('listMessages'),
    search: forward('search'),
    usage: forward('usage'),
    usageOverview: forward('usageOverview'),
    historyDays: forward('historyDays'),
    historySearch: forward('historySearch'),
    prepare: forward('prepare'),
    archiveState: forward('archiveState'),
    startArchive: forward('startArchive'),
    cancelArchive: forward('cancelArchive'),
    stats: forward('stats'),
    readItems: forward('readItems'),
    waitForItems: forward('waitForItems'),
    readRecords: forward('readRecords'),
    whenCaughtUp: forward('whenCaughtUp'),
    /**
     * Reads the new data of a run.
     *
     * @param hasRecord - Whether its record changed too.
     */
    wake(runId: string, hasRecord = false): void {
      awake.set(runId, hasRecord || awake.get(runId) === true)
      waking ??= setTimeout(postWake, Math.max(0, wokenAt + WAKE_INTERVAL_MS - performance.now()))
    },
    /** Writes everything and ends the thread. */
    async close(): Promise<void> {
      closing ??= end === undefined ? forward('close')() : Promise.resolve()
      await closing
    },
  }

  function start(): Worker {
    startedAt = performance.now()
    const started = createThread({dataDir, machine, stateIntervalMs, published})
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
        adopt?.(message.runId).catch(onError)
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

  function pass(batch: LiveBatch): void {
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
      for (const {call} of calls.values()) post(call)
    } catch (error) {
      giveUp(error as Error)
    }
  }

  function giveUp(error: Error): void {
    end = error
    for (const {call, resolve, reject} of calls.values()) {
      if (call.method === 'close') resolve(undefined)
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

  /** Creates the function that calls one of the reader thread. */
  function forward<M extends keyof ReaderCalls>(method: M) {
    type Result = Awaited<ReturnType<ReaderCalls[M]>>
    return async (...args: Parameters<ReaderCalls[M]>): Promise<Result> => {
      if (end !== undefined) throw end
      const call: ReaderCall = {type: 'call', id: ++lastId, method, args}
      const value = await new Promise<unknown>((resolve, reject) => {
        calls.set(call.id, {call, resolve, reject})
        post(call)
      })
      // Messages between threads are untyped.
      return value as Result
    }
  }

  function post(message: ToReader): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    thread.postMessage(message)
  }
}

interface PendingCall {
  call: ReaderCall
  resolve(value: unknown): void
  reject(error: Error): void
}
