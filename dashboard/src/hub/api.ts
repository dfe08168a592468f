import type {EntryKind} from '../../../src/core/run/run-summary.ts'
import type {RunMessage} from '../../../src/core/protocol/server-message.ts'
import type {
  EventPage,
  HitPage,
  RunAnswer,
  RunPage,
  Stats,
} from '../../../src/hub/protocol/answers.ts'

export type {HitPage, RunPage, SearchHit, Stats} from '../../../src/hub/protocol/answers.ts'

/** Why a request to the hub failed. */
export interface HubError {
  /** The error code of the hub, or `unreachable` without a response. */
  code: string
  /** For people. */
  message: string
}

/** The outcome of a request to the hub. */
export type HubAnswer<T> = {ok: true; value: T} | {ok: false; error: HubError}

/** Which runs and sessions are meant; days are such as `2026-11-16`. */
export interface EntryQuery {
  agent?: string | undefined
  /** The folder. */
  project?: string | undefined
  kind?: EntryKind | undefined
  since?: string | undefined
  until?: string | undefined
  /** The time zone of the days. */
  timezone?: string | undefined
  state?: 'live' | 'failed' | undefined
}

export interface RunsQuery extends EntryQuery {
  limit?: number | undefined
  before?: string | undefined
}

export interface EventsQuery {
  since: number
  types: readonly RunMessage['type'][]
}

/** Lists runs, the newest first. */
export function fetchRuns(query: RunsQuery): Promise<HubAnswer<RunPage>> {
  return get(`/api/runs${encodeQuery({...query})}`)
}

export function fetchRun(runId: string): Promise<HubAnswer<RunAnswer>> {
  return get(pathOf(runId))
}

export function fetchStats(): Promise<HubAnswer<Stats>> {
  return get('/api/stats')
}

/** Searches the messages of all runs. */
export function fetchSearch(q: string, query: {limit: number}): Promise<HubAnswer<HitPage>> {
  return get(`/api/search${encodeQuery({q, ...query})}`)
}

export function fetchRunEvents(
  runId: string,
  {since, types}: EventsQuery,
): Promise<HubAnswer<EventPage>> {
  return get(`${pathOf(runId)}/events${encodeQuery({since, types: types.join(',')})}`)
}

function pathOf(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`
}

/** Encodes the query of a request; absent fields are left out. */
export function encodeQuery(fields: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return `?${query}`
}

/** Requests JSON from the hub. */
export function get<T>(path: string): Promise<HubAnswer<T>> {
  return request(path, 'GET')
}

/** Sends a command without a body to the hub. */
export function post(path: string): Promise<HubAnswer<unknown>> {
  return request(path, 'POST')
}

async function request<T>(path: string, method: 'GET' | 'POST'): Promise<HubAnswer<T>> {
  try {
    const response = await fetch(path, {method, headers: {accept: 'application/json'}})
    const body: unknown = response.status === 204 ? undefined : await response.json()
    // The hub and this page are of one package, so its responses follow the protocol.
    if (response.ok) return {ok: true, value: body as T}
    return {ok: false, error: readError(body, response.status)}
  } catch {
    return {ok: false, error: {code: 'unreachable', message: 'The hub does not respond.'}}
  }
}

function readError(body: unknown, status: number): HubError {
  const {code, message} = (body as {error?: Partial<HubError>} | null)?.error ?? {}
  return {
    code: code ?? (status === 401 ? 'unauthorized' : 'internal'),
    message: message ?? `The hub responded with ${status}.`,
  }
}
