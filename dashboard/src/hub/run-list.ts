import type {RunMessage, ServerMessage} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {createStore} from '../ui/create-store.ts'
import type {HubAnswer, HubError, RunPage, RunsQuery} from './api.ts'
import type {Connection} from './connection.ts'
import {EMPTY_RUN} from './empty-run.ts'

/** The runs known to this page. */
export interface RunListSnapshot {
  /** The time of this state, in milliseconds since 1970. */
  at: number
  /** `loading` before the first page; `failed` when it could not be loaded. */
  status: 'loading' | 'ready' | 'failed'
  runs: ReadonlyMap<string, RunSummary>
  /** How many runs the hub has. */
  total: number
  hasMore: boolean
  isLoadingMore: boolean
  /** Recordings that the hub has not indexed yet. */
  indexing: number
  /** Why the last page could not be loaded. */
  error?: HubError | undefined
}

export interface RunListOptions {
  connection: Pick<Connection, 'on' | 'addSubscription'>
  fetchRuns(query: RunsQuery): Promise<HubAnswer<RunPage>>
  /** Debounces changes: calls once for all that arrived. */
  schedule(call: () => void): void
}

const PAGE = 200

/** Creates the store of all known runs, kept up to date by the hub. */
export function createRunList({connection, fetchRuns, schedule}: RunListOptions) {
  const runs = new Map<string, RunSummary>()
  /** Updates received since the request for the first page, whose response may be older. */
  const touched = new Set<string>()
  let facts: Omit<RunListSnapshot, 'at' | 'runs' | 'hasMore'> = {
    status: 'loading',
    total: 0,
    isLoadingMore: false,
    indexing: 0,
  }
  const {get, set, subscribe} = createStore<RunListSnapshot>({
    ...facts,
    at: Date.now(),
    runs: new Map(),
    hasMore: false,
  })
  let next: string | null = null
  /** How many pages were loaded, including the first. */
  let pageCount = 1
  let question = 0
  let isScheduled = false

  function publish(change: Partial<typeof facts> = {}): void {
    facts = {...facts, ...change}
    if (isScheduled) return
    isScheduled = true
    schedule(() => {
      isScheduled = false
      const total = Math.max(facts.total, runs.size)
      set({...facts, at: Date.now(), runs: new Map(runs), total, hasMore: next !== null})
    })
  }

  /** Fetches the first page again. */
  async function reload(): Promise<void> {
    const mine = ++question
    touched.clear()
    // A live run that started long ago is not on the first page.
    const [pages, live] = await Promise.all([fetchPages(), fetchRuns({limit: 500, state: 'live'})])
    if (mine !== question) return
    if (!pages.ok) {
      const status = facts.status === 'ready' ? 'ready' : 'failed'
      return publish({status, error: pages.error})
    }
    const {total, indexing, runs: listed} = pages.value
    for (const [runId, run] of runs) {
      const mayBeThere = touched.has(runId) || (run.endedAt === undefined && !live.ok)
      if (!mayBeThere) runs.delete(runId)
    }
    take(listed)
    if (live.ok) take(live.value.runs)
    ;({next} = pages.value)
    publish({status: 'ready', total, indexing, error: undefined})
  }

  /** Reloads the first page and as many more as were loaded: runs on none of them are gone. */
  async function fetchPages(): Promise<HubAnswer<RunPage>> {
    let all = await fetchRuns({limit: PAGE})
    for (let count = 1; count < pageCount; count++) {
      if (!all.ok || all.value.next === null) break
      const page = await fetchRuns({limit: PAGE, before: all.value.next})
      const before = all.value.runs
      all = page.ok
        ? {ok: true, value: {...page.value, runs: [...before, ...page.value.runs]}}
        : page
    }
    return all
  }

  function take(fetched: readonly RunSummary[]): void {
    for (const run of fetched) if (!touched.has(run.runId)) runs.set(run.runId, run)
  }

  async function loadMore(): Promise<void> {
    if (next === null || facts.isLoadingMore) return
    const mine = question
    publish({isLoadingMore: true})
    const page = await fetchRuns({limit: PAGE, before: next})
    if (mine !== question) return publish({isLoadingMore: false})
    if (!page.ok) return publish({isLoadingMore: false, error: page.error})
    take(page.value.runs)
    pageCount++
    ;({next} = page.value)
    publish({isLoadingMore: false, total: page.value.total, error: undefined})
  }

  function receive(message: ServerMessage): void {
    if (!('runId' in message) || message.runId === undefined) return
    if (message.type === 'run_removed') return lose(message.runId)
    const known = runs.get(message.runId)
    const run = applyMessage(known, message)
    if (run === undefined || run === known) return
    runs.set(run.runId, run)
    touched.add(run.runId)
    const isNew = known === undefined && message.type === 'run_started'
    publish(isNew ? {total: facts.total + 1} : {})
  }

  function lose(runId: string): void {
    runs.delete(runId)
    touched.add(runId)
    publish({total: Math.max(0, facts.total - 1)})
  }

  connection.on(receive)
  connection.addSubscription({
    describe() {
      void reload()
      return {
        type: 'subscribe',
        includeToolCalls: false,
        includeToolResults: false,
        includeOutput: false,
        includeFileChanges: false,
        includeProgress: false,
      }
    },
  })

  return {get, subscribe, loadMore, reload}
}

/** A run after a message about it; `undefined` when the message has no facts about an unknown run. */
function applyMessage(
  run: RunSummary | undefined,
  message: RunMessage | ServerMessage,
): RunSummary | undefined {
  switch (message.type) {
    case 'run_updated':
      return message.run
    case 'run_started': {
      const {type: _type, seq: _seq, timestamp: _timestamp, ...origin} = message
      return run ?? {...EMPTY_RUN, ...origin}
    }
    case 'run_ended': {
      if (run === undefined) return undefined
      const {type: _type, seq: _seq, timestamp: _timestamp, ...ending} = message
      const endedAt = run.startedAt + ending.durationMs
      const over = {state: 'over', isStuck: false, waiting: undefined, requests: []} as const
      return {...run, ...ending, ...over, requests: [], endedAt}
    }
    default:
      return run
  }
}
