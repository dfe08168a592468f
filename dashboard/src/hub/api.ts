import type {RunMessage} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {VerdictKind} from '../../../src/core/run/verdict.ts'

/** Why the hub did not give what was asked for. */
export interface HubTrouble {
  /** The hub's word for it, or `unreachable` when it did not answer at all. */
  code: string
  /** For people. */
  message: string
}

/** What came of a question to the hub. */
export type HubAnswer<T> = {ok: true; value: T} | {ok: false; trouble: HubTrouble}

/** A page of runs, the newest first. */
export interface RunsPage {
  runs: RunSummary[]
  /** How many there are on all pages. */
  total: number
  /** The `before` of the next page. */
  next: string | null
  indexing: number
}

/** Which runs are wanted. */
export interface RunsQuery {
  limit?: number | undefined
  before?: string | undefined
  agent?: string | undefined
  verdict?: VerdictKind | undefined
  state?: 'live' | 'over' | undefined
  workOrderId?: string | undefined
  q?: string | undefined
}

/** How a tool did, over all its uses. */
interface ToolStats {
  tool: string
  count: number
  failures: number
  p50Ms: number
  p95Ms: number
}

/** All runs in figures. */
export interface HubStats {
  runs: number
  liveRuns: number
  messages: number
  bytes: number
  costUsd: number
  byVerdict: Partial<Record<VerdictKind, number>>
  byAgent: Record<string, number>
  today: {runs: number; costUsd: number; byVerdict: Partial<Record<VerdictKind, number>>}
  tools: ToolStats[]
  indexing: number
}

/** A message that has the words that were searched for. */
export interface SearchHit {
  runId: string
  seq: number
  type: RunMessage['type']
  at: number
  snippet: string
}

/** A page of what was found, the newest first. */
export interface SearchPage {
  hits: SearchHit[]
  next: number | null
  /** How many messages cannot be found yet. */
  waiting: number
  indexing: number
}

/** A page of the messages of a run. */
export interface EventsPage {
  events: RunMessage[]
  /** The `since` of the next page. */
  next: number
  isEnd: boolean
}

/** Which messages of a run are wanted. */
export interface EventsQuery {
  since?: number | undefined
  limit?: number | undefined
  types?: readonly RunMessage['type'][] | undefined
}

/** Lists runs, the newest first. */
export function fetchRuns(query: RunsQuery = {}): Promise<HubAnswer<RunsPage>> {
  return get(`/api/runs${encodeQuery({...query})}`)
}

/** Tells what holds of a run. */
export function fetchRun(runId: string): Promise<HubAnswer<{run: RunSummary; lastSeq: number}>> {
  return get(pathOf(runId))
}

/** Tells the figures of all runs. */
export function fetchStats(): Promise<HubAnswer<HubStats>> {
  return get('/api/stats')
}

/** Finds messages of all runs by their words. */
export function fetchSearch(
  q: string,
  query: {limit?: number; before?: number; runId?: string} = {},
): Promise<HubAnswer<SearchPage>> {
  return get(`/api/search${encodeQuery({q, ...query})}`)
}

/** Gives a page of the messages of a run. */
export function fetchRunEvents(
  runId: string,
  {types, ...query}: EventsQuery = {},
): Promise<HubAnswer<EventsPage>> {
  return get(`${pathOf(runId)}/events${encodeQuery({...query, types: types?.join(',')})}`)
}

/** The path of a run in the API. */
function pathOf(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`
}

function encodeQuery(fields: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

async function get<T>(path: string): Promise<HubAnswer<T>> {
  try {
    const response = await fetch(path, {headers: {accept: 'application/json'}})
    const body: unknown = await response.json()
    // The hub and this page are of one package: what it says is as the protocol has it.
    if (response.ok) return {ok: true, value: body as T}
    return {ok: false, trouble: readTrouble(body, response.status)}
  } catch {
    return {ok: false, trouble: {code: 'unreachable', message: 'The hub does not answer.'}}
  }
}

function readTrouble(body: unknown, status: number): HubTrouble {
  const {code, message} = (body as {error?: Partial<HubTrouble>} | null)?.error ?? {}
  return {
    code: code ?? (status === 401 ? 'unauthorized' : 'internal'),
    message: message ?? `The hub answered with ${status}.`,
  }
}
