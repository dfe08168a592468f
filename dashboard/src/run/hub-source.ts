import type {WatchRunMessage} from '../../../src/core/protocol/client-message.ts'
import type {FullRecord, RecordsAnswer, RunItemsMessage} from '../../../src/replay/run-item.ts'
import type {Connection} from '../hub/connection.ts'
import {createRunModel, type RunModel} from '../model/run-model.ts'
import {createStore} from '../ui/create-store.ts'
import type {LineRange, Loading, RunSource} from './run-source.ts'

/** Limits the time for adding items per turn, so that the page can render between. */
const MAX_TURN_MS = 8
/** Throttles rendering: while following, for long runs, and while history is loading. */
const RENDER_INTERVAL_MS = 100
const LOADING_RENDER_INTERVAL_MS = 500
/** This many entries delay rendering by one millisecond. */
const ENTRIES_PER_MS = 200

/** The view of a run of a hub, from its start, once it is opened. Resumes after a lost connection. */
export function createHubSource(
  connection: Pick<Connection, 'on' | 'addSubscription' | 'send'>,
  runId: string,
): RunSource & {open(): () => void} {
  const model = createRunModel()
  /** The end of a long run, until all of it is loaded. */
  let preview: {model: RunModel; range: {from: number; of: number}} | undefined
  let loading: Loading = {isCaughtUp: false, bytesRead: 0, bytesTotal: 0}
  /** The last published snapshot; more items may have been added since. */
  const {get, set, subscribe} = createStore({snapshot: model.snapshot, loading})
  let waiting: RunItemsMessage[] = []
  let turn: ReturnType<typeof setTimeout> | undefined
  let publishing: ReturnType<typeof setTimeout> | undefined
  let publishedAt = 0

  return {
    runId,
    get,
    subscribe,
    readRecords: (ranges) => fetchRecords(runId, ranges),
    findLines: (text) => findLines(runId, text),
    rawUrl: (file) => `/api/runs/${encodeURIComponent(runId)}/raw?file=${file}`,
    open() {
      const ref = `watch ${runId}`
      const describe = (): WatchRunMessage => {
        const since = model.snapshot.lastItem
        return {type: 'watch_run', runId, since, ref}
      }
      /** A page can be opened a moment before the hub knows the run. */
      let isUnknown = false
      const stopReceiving = connection.on((message) => {
        const received: {type: string} = message
        if (isItems(received)) {
          if (received.runId === runId) receive(received)
        } else if (message.type === 'run_removed' && message.runId === runId) {
          lose()
        } else if (message.type === 'error' && message.ref === ref) {
          if (message.code === 'no-such-run' && model.snapshot.lastItem > 0) return lose()
          isUnknown = message.code === 'no-such-run'
          loading = {...loading, error: message.message}
          publish()
        } else if (isUnknown && 'runId' in message && message.runId === runId) {
          isUnknown = false
          connection.send(describe())
        }
      })
      const remove = connection.addSubscription({
        describe,
        end: () => ({type: 'unwatch_run', runId}),
      })
      return () => {
        stopReceiving()
        remove()
        clearTimeout(turn)
        turn = undefined
        clearTimeout(publishing)
        publishing = undefined
        waiting = []
      }
    },
  }

  function lose(): void {
    loading = {...loading, isGone: true}
    publish()
  }

  function receive(message: RunItemsMessage): void {
    waiting.push(message)
    turn ??= setTimeout(takeSome, 0)
  }

  /** Adds received items, for a few milliseconds at a time. */
  function takeSome(): void {
    turn = undefined
    const until = performance.now() + MAX_TURN_MS
    while (waiting.length > 0 && performance.now() < until) {
      const message = waiting.shift()
      if (message === undefined) break
      take(message)
    }
    if (waiting.length > 0) turn = setTimeout(takeSome, 0)
    publishSoon()
  }

  function take({items, isCaughtUp, bytes, preview: range}: RunItemsMessage): void {
    if (range !== undefined) {
      preview = {model: createRunModel(), range}
      preview.model.take(items)
    } else model.take(items)
    if (isCaughtUp) preview = undefined
    loading = {
      ...(loading.isGone && {isGone: true}),
      isCaughtUp,
      bytesRead: bytes.read,
      bytesTotal: bytes.total,
      preview: preview?.range,
    }
  }

  /** Publishes the first change immediately and later ones throttled: rendering costs more than adding. */
  function publishSoon(): void {
    const isFollowing = loading.isCaughtUp && waiting.length === 0
    const pace = RENDER_INTERVAL_MS + model.snapshot.entries.length / ENTRIES_PER_MS
    const interval = isFollowing ? pace : LOADING_RENDER_INTERVAL_MS
    const wait = Math.max(0, publishedAt + interval - performance.now())
    // The end of loading is published immediately.
    if (isFollowing) {
      clearTimeout(publishing)
      publishing = undefined
    }
    publishing ??= setTimeout(publish, wait)
  }

  function publish(): void {
    clearTimeout(publishing)
    publishing = undefined
    publishedAt = performance.now()
    set({snapshot: (preview?.model ?? model).snapshot, loading})
  }
}

function isItems(message: {type: string}): message is RunItemsMessage {
  return message.type === 'run_items'
}

async function fetchRecords(runId: string, ranges: readonly LineRange[]): Promise<FullRecord[]> {
  const lines = ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
  const {records} = await ask<RecordsAnswer>(runId, {lines})
  return records
}

function findLines(runId: string, text: string): Promise<{lines: number[]; total: number}> {
  return ask(runId, {find: text})
}

async function ask<T>(runId: string, query: Record<string, string>): Promise<T> {
  const path = `/api/runs/${encodeURIComponent(runId)}/records?${new URLSearchParams(query)}`
  const response = await fetch(path)
  if (!response.ok) throw new Error(`the hub responded with ${response.status}`)
  return (await response.json()) as T
}
