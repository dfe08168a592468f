import type {WatchRunMessage} from '../../../src/core/protocol/client-message.ts'
import type {RunItemsMessage} from '../../../src/replay/run-item.ts'
import type {Connection} from '../hub/connection.ts'
import {createRunModel, type RunModel} from '../model/run-model.ts'
import {fetchRecords, findLines} from './fetch-records.ts'
import type {Loading, RunSource} from './run-source.ts'

/** A run that a hub shows, from its beginning on. It goes on by itself after a lost connection. */
export interface HubSource extends RunSource {
  /** Begins to look; gives what ends that. */
  open(): () => void
}

/** Items are taken for so long at a time, so that the page can be drawn between. */
const LONGEST_TURN_MS = 8
/** The page is drawn so often: while it follows, less often when it is long, and while much of the past is on its way. */
const APART_MS = 100
const LOADING_APART_MS = 500
/** For so many entries a page of them is drawn a millisecond later. */
const ENTRIES_PER_MS = 200

/** Looks at a run of a hub. */
export function createHubSource(
  connection: Pick<Connection, 'on' | 'addSubscription' | 'send'>,
  runId: string,
): HubSource {
  const model = createRunModel()
  /** The end of a long run, until all of it is here. */
  let preview: {model: RunModel; range: {from: number; of: number}} | undefined
  const listeners = new Set<() => void>()
  let loading: Loading = {isCaughtUp: false, bytesRead: 0, bytesTotal: 0}
  /** What whoever draws was told of; more may have been taken since. */
  let shown = {snapshot: model.snapshot, loading}
  let waiting: RunItemsMessage[] = []
  let turn: ReturnType<typeof setTimeout> | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  let toldAt = 0

  return {
    runId,
    getSnapshot: () => shown.snapshot,
    getLoading: () => shown.loading,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
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
      const stopHearing = connection.on((message) => {
        const heard: {type: string} = message
        if (isItems(heard)) {
          if (heard.runId === runId) hear(heard)
        } else if (message.type === 'run_removed' && message.runId === runId) {
          lose()
        } else if (message.type === 'error' && message.ref === ref) {
          if (message.code === 'no-such-run' && model.snapshot.lastItem > 0) return lose()
          isUnknown = message.code === 'no-such-run'
          loading = {...loading, trouble: message.message}
          tell()
        } else if (isUnknown && 'runId' in message && message.runId === runId) {
          isUnknown = false
          connection.send(describe())
        }
      })
      const remove = connection.addSubscription({
        describe: () => [describe()],
        end: () => [{type: 'unwatch_run', runId}],
      })
      return () => {
        stopHearing()
        remove()
        clearTimeout(turn)
        turn = undefined
        clearTimeout(telling)
        telling = undefined
        waiting = []
      }
    },
  }

  function lose(): void {
    loading = {...loading, isGone: true}
    tell()
  }

  function hear(message: RunItemsMessage): void {
    waiting.push(message)
    turn ??= setTimeout(takeSome, 0)
  }

  /** Takes what came, a few milliseconds of it at a time. */
  function takeSome(): void {
    turn = undefined
    const until = performance.now() + LONGEST_TURN_MS
    while (waiting.length > 0 && performance.now() < until) {
      const message = waiting.shift()
      if (message === undefined) break
      take(message)
    }
    if (waiting.length > 0) turn = setTimeout(takeSome, 0)
    tellSoon()
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

  /** The first is told at once, what follows with some time between: to draw costs more than to take. */
  function tellSoon(): void {
    const isFollowing = loading.isCaughtUp && waiting.length === 0
    const pace = APART_MS + model.snapshot.entries.length / ENTRIES_PER_MS
    const apart = isFollowing ? pace : LOADING_APART_MS
    const wait = Math.max(0, toldAt + apart - performance.now())
    // The end of loading does not wait for its turn.
    if (isFollowing) {
      clearTimeout(telling)
      telling = undefined
    }
    telling ??= setTimeout(tell, wait)
  }

  function tell(): void {
    clearTimeout(telling)
    telling = undefined
    toldAt = performance.now()
    shown = {snapshot: (preview?.model ?? model).snapshot, loading}
    for (const listener of listeners) listener()
  }
}

function isItems(message: {type: string}): message is RunItemsMessage {
  return message.type === 'run_items'
}
