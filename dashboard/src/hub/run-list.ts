import type {RunMessage, ServerMessage} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {createStore} from '../ui/create-store.ts'
import type {EntryQuery, HubAnswer, HubError, RunPage, RunsQuery} from './api.ts'
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
  /** The start of the oldest run on the loaded pages; all later ones are known. */
  loadedFrom: number
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
  /** Without it, the list has all runs. */
  filter?: RunFilter | undefined
}

/** Which runs a list has. */
export interface RunFilter {
  /** For the hub. */
  query: EntryQuery
  /** Whether a run belongs to the list, for runs that start or change later. */
  accepts(run: RunSummary): boolean
}

/** A list of runs, and its commands. */
export type RunList = ReturnType<typeof createRunList>

/** The first page is small, so that it arrives early. */
const FIRST_PAGE = 200
const NEXT_PAGE = 500

/** Creates the store of the known runs, kept up to date by the hub. */
export function createRunList({connection, fetchRuns, schedule, filter}: RunListOptions) {
  const {query = {}, accepts = () => true} = filter ?? {}
  const runs = new Map<string, RunSummary>()
  /** Updates received since the request for the first page, whose response may be older. */
  const touched = new Set<string>()
  let facts: Omit<RunListSnapshot, 'at' | 'runs' | 'hasMore' | 'loadedFrom'> = {
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
    loadedFrom: Infinity,
  })
  let next: string | null = null
  let loadedFrom = Infinity
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
      const hasMore = next !== null
      // The filter may accept fewer runs than the hub counts.
      const total = hasMore ? Math.max(facts.total, runs.size) : runs.size
      set({...facts, at: Date.now(), runs: new Map(runs), total, hasMore, loadedFrom})
    })
  }

  /** Fetches the first page again. */
  async function reload(): Promise<void> {
    const mine = ++question
    touched.clear()
    // A live run that started long ago is not on the first page.
    const [pages, live] = await Promise.all([
      fetchPages(),
      fetchRuns({...query, limit: NEXT_PAGE, state: 'live'}),
    ])
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
    loadedFrom = listed.at(-1)?.startedAt ?? Infinity
    publish({status: 'ready', total, indexing, error: undefined})
  }

  /** Reloads the first page and as many more as were loaded: runs on none of them are gone. */
  async function fetchPages(): Promise<HubAnswer<RunPage>> {
    let all = await fetchRuns({...query, limit: FIRST_PAGE})
    for (let count = 1; count < pageCount; count++) {
      if (!all.ok || all.value.next === null) break
      const page = await fetchRuns({...query, limit: NEXT_PAGE, before: all.value.next})
      const before = all.value.runs
      all = page.ok
        ? {ok: true, value: {...page.value, runs: [...before, ...page.value.runs]}}
        : page
    }
    return all
  }

  function take(fetched: readonly RunSummary[]): void {
    for (const run of fetched) {
      if (!touched.has(run.runId) && accepts(run)) runs.set(run.runId, run)
    }
  }

  async function loadMore(): Promise<void> {
    if (next === null || facts.isLoadingMore) return
    const mine = question
    publish({isLoadingMore: true})
    const page = await fetchRuns({...query, limit: NEXT_PAGE, before: next})
    if (mine !== question) return publish({isLoadingMore: false})
    if (!page.ok) return publish({isLoadingMore: false, error: page.error})
    take(page.value.runs)
    pageCount++
    ;({next} = page.value)
    loadedFrom = page.value.runs.at(-1)?.startedAt ?? loadedFrom
    publish({isLoadingMore: false, total: page.value.total, error: undefined})
  }

  function receive(message: ServerMessage): void {
    if (!('runId' in message) || message.runId === undefined) return
    if (message.type === 'run_removed') return lose(message.runId)
    const known = runs.get(message.runId)
    const run = applyMessage(known, message)
    if (run === undefined || run === known) return
    if (!accepts(run)) {
      if (known !== undefined) lose(run.runId)
      return
    }
    runs.set(run.runId, run)
    touched.add(run.runId)
    // An update about an unknown run may be about one on a page that is not loaded.
    const isNew = known === undefined && (next === null || run.startedAt >= loadedFrom)
    publish(isNew ? {total: facts.total + 1} : {})
  }

  function lose(runId: string): void {
    runs.delete(runId)
    touched.add(runId)
    publish({total: Math.max(0, facts.total - 1)})
  }

  const stopListening = connection.on(receive)
  const unsubscribe = connection.addSubscription({
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

  return {
    get,
    subscribe,
    loadMore,
    reload,
    /** Stops following the hub. */
    close(): void {
      question++
      stopListening()
      unsubscribe()
    },
  }
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
