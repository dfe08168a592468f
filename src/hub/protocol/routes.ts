import * as z from 'zod'
import type {Role} from '../auth/tokens.ts'
import * as answers from './answers.ts'
import {clientMessage} from './client-messages.ts'
import {hubMessage, runnerMessage} from './ingest-messages.ts'
import * as history from './history.ts'
import * as queries from './queries.ts'
import {serverMessage} from './server-messages.ts'

/** A route of the hub; a name in braces in its path is a path parameter. */
export interface Route extends RouteDetails {
  method: 'GET' | 'POST'
  path: string
  /** The right that it needs; `null` for a public route. */
  right: Role | null
  summary: string
}

interface RouteDetails {
  query?: z.ZodObject
  headers?: z.ZodObject
  hasBody?: boolean
  /** The responses by status: JSON of a schema, or another one. */
  answers: Record<number, z.ZodType | {description: string; content?: object}>
  /** Statuses of errors, besides those of every route. */
  errors?: readonly number[]
  /** The messages of a WebSocket. */
  messages?: {receives: z.ZodType; sends: z.ZodType}
}

const PAGE = {200: body('text/html', 'The dashboard.'), 401: body('text/html', 'The login page.')}
const ASSET = {answers: {200: body('application/octet-stream', 'The file.')}, errors: [404]}

/** All routes of a hub by name. */
export const NAMED_ROUTES = {
  listRuns: get('/api/runs', 'view', 'Lists runs, newest first', {
    query: queries.runsQuery,
    answers: {200: answers.runPage},
    errors: [400],
  }),
  getRun: get('/api/runs/{runId}', 'view', 'Returns the current summary of a run', {
    answers: {200: answers.runAnswer},
    errors: [404],
  }),
  listEvents: get('/api/runs/{runId}/events', 'view', 'Lists the messages of a run, in pages', {
    query: queries.eventsQuery,
    answers: {200: answers.eventPage},
    errors: [400, 404],
  }),
  listRecords: get('/api/runs/{runId}/records', 'view', 'Returns complete lines, or finds lines', {
    query: queries.recordsQuery,
    answers: {200: answers.recordsAnswer},
    errors: [400, 404],
  }),
  stream: get('/api/runs/{runId}/stream', 'view', 'Streams messages as server-sent events', {
    query: queries.streamQuery,
    headers: queries.streamHeaders,
    answers: {
      200: body(
        'text/event-stream',
        'Events with `id` (seq), `event` (type) and `data` (message).',
      ),
      204: {description: 'The run has ended and all messages were received: do not reconnect.'},
    },
    errors: [400, 404],
  }),
  // The bytes are as the agent wrote them, secrets included.
  raw: get('/api/runs/{runId}/raw', 'answer', 'Returns recorded bytes, not masked', {
    query: queries.rawQuery,
    headers: queries.rawHeaders,
    answers: {
      200: body('application/octet-stream', 'The complete file.'),
      206: body('application/octet-stream', 'The requested range.'),
      416: {description: 'The range is not satisfiable; `Content-Range` has the size.'},
    },
    errors: [400, 404],
  }),
  search: get('/api/search', 'view', 'Searches the messages of all runs', {
    query: queries.searchQuery,
    answers: {200: answers.hitPage},
    errors: [400],
  }),
  stats: get('/api/stats', 'view', 'Returns statistics of all runs', {
    answers: {200: answers.stats},
  }),
  usage: get('/api/usage', 'view', 'Returns tokens and cost of all runs and sessions', {
    query: queries.usageQuery,
    answers: {200: history.usageReport},
    errors: [400],
  }),
  usageOverview: get('/api/usage/overview', 'view', 'Returns what the usage page shows', {
    query: queries.usageOverviewQuery,
    answers: {200: history.usageOverview},
    errors: [400],
  }),
  historyDays: get('/api/history/days', 'view', 'Counts runs and sessions by day', {
    query: queries.historyDaysQuery,
    answers: {200: history.historyDays},
    errors: [400],
  }),
  historySearch: get('/api/history/search', 'view', 'Searches runs and sessions', {
    query: queries.historySearchQuery,
    answers: {200: history.historySearch},
    errors: [400],
  }),
  archiveState: get('/api/archive', 'view', 'Returns the state of the archive', {
    answers: {200: history.archiveState},
  }),
  startArchive: post('/api/archive', 'answer', 'Archives all sessions', {
    answers: {202: history.archiveState},
  }),
  cancelArchive: post('/api/archive/cancel', 'answer', 'Stops archiving', {
    answers: {200: history.archiveState},
  }),
  makeLink: post('/api/login-links', 'answer', 'Creates a login link for a browser', {
    answers: {201: answers.loginLink},
  }),
  acceptHook: post('/api/hooks', 'ingest', 'Records a hook payload of Claude Code', {
    hasBody: true,
    answers: {202: answers.hookAccepted},
    errors: [400, 404, 408, 413, 415, 503],
  }),
  metrics: get('/metrics', 'view', 'Returns metrics of the hub for Prometheus', {
    answers: {200: body('text/plain', 'Metrics in the text format of Prometheus.')},
  }),
  asset: get('/assets/{name}', 'view', 'Returns a file of the dashboard', ASSET),
  icon: get('/favicon.svg', 'view', 'Returns the icon of the dashboard', ASSET),
  clientSocket: get('/ws', 'view', 'Opens the WebSocket of clients', {
    answers: {101: {description: 'Switching to a WebSocket with text frames of JSON.'}},
    messages: {receives: clientMessage, sends: serverMessage},
  }),
  runnerSocket: get('/ingest', 'ingest', 'Opens the WebSocket of runners', {
    answers: {101: {description: 'Switching to a WebSocket; see docs/protocol.md.'}},
    messages: {receives: runnerMessage, sends: hubMessage},
  }),
  health: get('/healthz', null, 'Checks that the hub is running', {answers: {200: answers.health}}),
  openApi: get('/api/openapi.json', null, 'Returns this API as OpenAPI 3.1', {
    answers: {200: z.looseObject({})},
  }),
  logIn: get('/login', null, 'Logs a browser in with the code of a login link', {
    query: queries.loginQuery,
    answers: {
      200: body(
        'text/html',
        'After a link on another site: sets the cookie; the page redirects by itself.',
      ),
      303: {description: 'Sets the session cookie and redirects to the dashboard.'},
      403: body('text/html', 'The code was already used or has expired.'),
    },
  }),
  logOut: post('/logout', null, 'Removes the session cookie', {
    answers: {204: {description: 'The cookie was removed.'}},
  }),
  dashboard: get('/', null, 'Returns the dashboard, or the login page', {answers: PAGE}),
  usagePage: get('/usage', null, 'Returns the dashboard for usage', {answers: PAGE}),
  searchPage: get('/search', null, 'Returns the dashboard for a search', {answers: PAGE}),
  runPage: get('/runs/{runId}', null, 'Returns the dashboard for a run', {answers: PAGE}),
} as const satisfies Record<string, Route>

/** All routes of a hub. */
export const ROUTES: readonly Route[] = Object.values(NAMED_ROUTES)

function get<const R extends Role | null, D extends RouteDetails>(
  path: string,
  right: R,
  summary: string,
  details: D,
) {
  return {method: 'GET' as const, path, right, summary, ...details}
}

function post<const R extends Role | null, D extends RouteDetails>(
  ...args: Parameters<typeof get<R, D>>
) {
  return {...get<R, D>(...args), method: 'POST' as const}
}

function body(type: string, description: string) {
  return {description, content: {[type]: {schema: {type: 'string'}}}}
}
