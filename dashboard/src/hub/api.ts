import type {RunMessage} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {VerdictKind} from '../../../src/core/run/verdict.ts'

/** Why a request to the hub failed. */
export interface HubTrouble {
  /** The error code of the hub, or `unreachable` without a response. */
  code: string
  /** For people. */
  message: string
}

/** The outcome of a request to the hub. */
export type HubAnswer<T> = {ok: true; value: T} | {ok: false; trouble: HubTrouble}

/** A page of runs, the newest first. */
export interface RunsPage {
  runs: RunSummary[]
  /** The number of runs on all pages. */
  total: number
  /** The `before` parameter of the next page. */
  next: string | null
  indexing: number
}

/** Selects runs. */
export interface RunsQuery {
  limit?: number | undefined
  before?: string | undefined
  agent?: string | undefined
  verdict?: VerdictKind | undefined
  state?: 'live' | 'over' | undefined
  workOrderId?: string | undefined
  q?: string | undefined
}

/** Statistics of a tool over all its calls. */
interface ToolStats {
  tool: string
  count: number
  failures: number
  p50Ms: number
  p95Ms: number
}

/** Statistics of all runs. */
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

/** A message that matches a search. */
export interface SearchHit {
  runId: string
  seq: number
  type: RunMessage['type']
  at: number
  snippet: string
}

/** A page of matches, the newest first. */
export interface SearchPage {
  hits: SearchHit[]
  next: number | null
  /** How many messages are not searchable yet. */
  waiting: number
  indexing: number
}

/** A page of the messages of a run. */
export interface EventsPage {
  events: RunMessage[]
  /** The `since` parameter of the next page. */
  next: number
  isEnd: boolean
}

/** Selects messages of a run. */
export interface EventsQuery {
  since?: number | undefined
  limit?: number | undefined
  types?: readonly RunMessage['type'][] | undefined
}

/** Lists runs, the newest first. */
export function fetchRuns(query: RunsQuery = {}): Promise<HubAnswer<RunsPage>> {
  return get(`/api/runs${encodeQuery({...query})}`)
}

/** Fetches the summary of a run. */
export function fetchRun(runId: string): Promise<HubAnswer<{run: RunSummary; lastSeq: number}>> {
  return get(pathOf(runId))
}

/** Fetches the statistics of all runs. */
export function fetchStats(): Promise<HubAnswer<HubStats>> {
  return get('/api/stats')
}

/** Searches the messages of all runs. */
export function fetchSearch(
  q: string,
  query: {limit?: number; before?: number; runId?: string} = {},
): Promise<HubAnswer<SearchPage>> {
  return get(`/api/search${encodeQuery({q, ...query})}`)
}

/** Fetches a page of the messages of a run. */
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
    // The hub and this page are of one package, so its responses follow the protocol.
    if (response.ok) return {ok: true, value: body as T}
    return {ok: false, trouble: readTrouble(body, response.status)}
  } catch {
    return {ok: false, trouble: {code: 'unreachable', message: 'The hub does not respond.'}}
  }
}

function readTrouble(body: unknown, status: number): HubTrouble {
  const {code, message} = (body as {error?: Partial<HubTrouble>} | null)?.error ?? {}
  return {
    code: code ?? (status === 401 ? 'unauthorized' : 'internal'),
    message: message ?? `The hub responded with ${status}.`,
  }
}
