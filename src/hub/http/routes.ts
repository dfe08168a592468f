import type {IncomingMessage, ServerResponse} from 'node:http'
import {join} from 'node:path'
import {recordingAt} from '../../recording/recording.ts'
import {RunError} from '../../recording/run-error.ts'
import {createBrowserRoutes} from './browser-routes.ts'
import {hideRequests} from '../../replay/hide-requests.ts'
import {openApi} from './openapi.ts'
import {GO_HOME, sendPage, wantsPage} from './page.ts'
import {sendRaw} from './raw.ts'
import {readJsonText} from './read-body.ts'
import {findLines} from './find-lines.ts'
import {readRecordsQuery} from './records-query.ts'
import {refuse, sendRefusal, type Refusal} from './refusal.ts'
import {
  cursorOf,
  ParameterError,
  readCursor,
  readLimit,
  readSearchCursor,
  readSince,
  readText,
  readTypes,
  readWord,
} from './route-params.ts'
import {securityHeaders} from './security-headers.ts'
import {sendStream} from '../live/sse.ts'
import type {RunRow} from '../index/store.ts'
import type {Rights} from '../auth/tokens.ts'
import {type RouteOptions} from './route-options.ts'

/** A request being answered. */
interface Call {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  params: URLSearchParams
  rights: Rights
  /** The values of the path parameters. */
  names: string[]
}

/** Routes that need a right; a name in braces is a path parameter. */
export const ROUTES = [
  {name: 'listRuns', method: 'GET', path: '/api/runs', right: 'view'},
  {name: 'getRun', method: 'GET', path: '/api/runs/{runId}', right: 'view'},
  {name: 'listEvents', method: 'GET', path: '/api/runs/{runId}/events', right: 'view'},
  {name: 'listRecords', method: 'GET', path: '/api/runs/{runId}/records', right: 'view'},
  {name: 'stream', method: 'GET', path: '/api/runs/{runId}/stream', right: 'view'},
  // The bytes are as the agent wrote them, secrets included.
  {name: 'raw', method: 'GET', path: '/api/runs/{runId}/raw', right: 'answer'},
  {name: 'search', method: 'GET', path: '/api/search', right: 'view'},
  {name: 'stats', method: 'GET', path: '/api/stats', right: 'view'},
  {name: 'makeLink', method: 'POST', path: '/api/login-links', right: 'answer'},
  {name: 'acceptHook', method: 'POST', path: '/api/hooks', right: 'ingest'},
  {name: 'metrics', method: 'GET', path: '/metrics', right: 'view'},
  {name: 'asset', method: 'GET', path: '/assets/{name}', right: 'view'},
  {name: 'asset', method: 'GET', path: '/favicon.svg', right: 'view'},
] as const

/** Public routes. */
export const OPEN_ROUTES = [
  'GET /healthz',
  'GET /api/openapi.json',
  'GET /login',
  'POST /logout',
  'GET /',
  'GET /runs/{runId}',
] as const

const PAGE_SIZE = {
  runs: {defaultLimit: 50, maxLimit: 500},
  messages: {defaultLimit: 500, maxLimit: 5000},
}
const PAGE_BYTES = 8 * 1024 * 1024
const HOOK_LIMITS = {maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000}
const RAW_FILES = ['stdout', 'stderr', 'stdin'] as const

/** Creates the request handler of a hub. */
export function createRoutes(options: RouteOptions) {
  const {dataDir, store, bus, auth} = options
  const browserRoutes = createBrowserRoutes(options)
  const answers: Record<(typeof ROUTES)[number]['name'], (call: Call) => Promise<void> | void> = {
    listRuns,
    getRun,
    listEvents,
    listRecords,
    stream,
    raw,
    search,
    stats,
    makeLink,
    acceptHook,
    metrics,
    asset,
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = auth.checkRequest(request)
    if (admission.type === 'refuse') return no(request, response, admission)
    const {url} = admission
    if (answerOpenly(request, response, url)) return
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const known = ROUTES.flatMap((route) => {
      const names = matchPath(route.path, url.pathname)
      return names === undefined ? [] : [{route, names}]
    })
    const found = known.find(({route}) => route.method === method)
    // An unauthorized client does not learn which routes exist.
    const permission = auth.authorize(request, found?.route.right ?? 'view')
    if (permission.type === 'refuse') return no(request, response, permission)
    if (found === undefined) {
      if (wantsPage(request)) return sendPage(response, 404, 'Page not found', GO_HOME)
      const methods = known.map(({route}) => route.method)
      return no(request, response, notFound(methods))
    }
    const {rights} = permission
    const params = url.searchParams
    try {
      await answers[found.route.name]({request, response, url, params, rights, names: found.names})
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error
      no(request, response, error.refusal)
    }
  }

  function no(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    options.onRefused?.()
    sendRefusal(request, response, refusal)
  }

  /** Answers public routes. */
  function answerOpenly(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const asked = `${request.method === 'HEAD' ? 'GET' : request.method} ${url.pathname}`
    const route = OPEN_ROUTES.find((open) => matchPath(open, asked) !== undefined)
    switch (route) {
      case 'GET /healthz':
        sendJson(response, JSON.stringify({status: 'ok', version: options.version}))
        return true
      case 'GET /api/openapi.json':
        sendJson(response, JSON.stringify(openApi(options.version)))
        return true
      case 'GET /login':
        browserRoutes.logIn(request, response, url.searchParams.get('code') ?? '')
        return true
      case 'POST /logout':
        response.writeHead(204, {...securityHeaders('api'), 'set-cookie': auth.logOut()}).end()
        return true
      case 'GET /':
      case 'GET /runs/{runId}':
        browserRoutes.sendDashboard(request, response, url.pathname)
        return true
      case undefined:
        return false
      default:
        return route satisfies never
    }
  }

  function asset({request, response, url}: Call): void {
    if (options.dashboard.sendFile(url.pathname, request, response)) return
    no(request, response, notFound([]))
  }

  async function listRuns({response, params, rights}: Call): Promise<void> {
    const {runs, total, isCut} = await store.listRuns({
      limit: readLimit(params, PAGE_SIZE.runs),
      maxBytes: PAGE_BYTES,
      before: readCursor(params),
      agent: readText(params, 'agent'),
      verdict: readText(params, 'verdict'),
      state: readWord(params, 'state', ['live', 'over']),
      workOrderId: readText(params, 'workOrderId'),
      text: readText(params, 'q'),
    })
    const last = runs.at(-1)
    const next = last !== undefined && isCut ? cursorOf(last) : null
    const items = runs.map(({summary}) => showSummary(summary, rights)).join(',')
    const indexing = options.waitingCount()
    sendJson(
      response,
      `{"runs":[${items}],"total":${total},"next":${JSON.stringify(next)},"indexing":${indexing}}`,
    )
  }

  async function getRun({request, response, names, rights}: Call): Promise<void> {
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const summary = showSummary(row.summary, rights)
    sendJson(response, `{"run":${summary},"lastSeq":${row.lastSeq}}`)
  }

  async function findRow([runId = '']: string[]): Promise<RunRow | null> {
    return store.getRun(runId)
  }

  async function listEvents({request, response, params, names, rights}: Call): Promise<void> {
    const limit = readLimit(params, PAGE_SIZE.messages)
    const since = readSince(params)
    const types = readTypes(params)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const query = {since, limit, maxBytes: PAGE_BYTES, types}
    const {messages, isEnd} = await store.listMessages(row.runId, query)
    const seen = rights.answer ? messages : messages.filter(({json}) => !json.startsWith(REQUEST))
    const next = messages.at(-1)?.seq ?? since
    const hasThinking = params.get('includeThinking') === 'true'
    const items: string[] = []
    for (const {json, thinking = []} of seen) {
      if (hasThinking) items.push(...thinking)
      items.push(json)
    }
    sendJson(response, `{"events":[${items.join(',')}],"next":${next},"isEnd":${isEnd}}`)
  }

  async function listRecords({request, response, params, names, rights}: Call): Promise<void> {
    const query = readRecordsQuery(params, rights)
    if (query.type === 'refuse') return no(request, response, query)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const left = new AbortController()
    response.once('close', () => left.abort())
    const {stdout} = recordingAt(join(dataDir, 'runs', row.runId))
    const json =
      query.type === 'find'
        ? await findLines(stdout, query.text, left.signal)
        : await store.readRecords({
            runId: row.runId,
            ranges: query.ranges,
            mayAnswer: rights.answer,
          })
    if (json === null) return no(request, response, noRun(names))
    sendJson(response, json)
  }

  async function stream({request, response, params, rights, names}: Call): Promise<void> {
    const seen = request.headers['last-event-id']
    const since = readSince(params, typeof seen === 'string' ? seen : undefined)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const {outgoing, limitLoading} = options
    const {runId} = row
    await sendStream(response, {runId, since, store, bus, outgoing, limitLoading, rights, params})
  }

  async function raw({request, response, params, names}: Call): Promise<void> {
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const file = readWord(params, 'file', RAW_FILES) ?? 'stdout'
    const files = recordingAt(join(dataDir, 'runs', row.runId))
    sendRaw(request, response, files[file])
  }

  async function search({response, params, rights}: Call): Promise<void> {
    const found = await store.search({
      text: params.get('q') ?? '',
      runId: readText(params, 'runId'),
      types: readTypes(params),
      limit: readLimit(params, PAGE_SIZE.runs),
      before: readSearchCursor(params),
    })
    // Clients that may not answer do not see permission requests.
    const hits = found.hits.filter(({type}) => rights.answer || type !== 'permission_request')
    const {next = null} = found
    sendJson(response, JSON.stringify({hits, next, indexing: options.waitingCount()}))
  }

  async function stats({response}: Call): Promise<void> {
    const all = await store.stats()
    sendJson(response, JSON.stringify({...all, indexing: options.waitingCount()}))
  }

  function makeLink({response}: Call): void {
    sendJson(response, JSON.stringify({url: auth.createLoginLink()}), 201)
  }

  async function acceptHook({request, response}: Call): Promise<void> {
    const body = await readJsonText(request, HOOK_LIMITS)
    if (body.type === 'refuse') return no(request, response, body)
    if (options.recordHook === undefined) return no(request, response, notFound([]))
    try {
      const {runId} = await options.recordHook(body.content)
      sendJson(response, JSON.stringify({runId}), 202)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      no(request, response, refuseHook(error))
    }
  }

  function sendJson(response: ServerResponse, json: string, status = 200): void {
    response.writeHead(status, {
      ...securityHeaders('api'),
      'content-type': 'application/json; charset=utf-8',
    })
    const account = options.outgoing.open(() => response.destroy())
    response.once('close', account.close)
    response.end(`${json}\n`, account.close)
    account.set(response.writableLength)
  }

  function metrics({response}: Call): void {
    response.writeHead(200, {
      ...securityHeaders('api'),
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    })
    response.end(options.metrics())
  }
}

const REQUEST = '{"type":"permission_request"'

function showSummary(json: string, rights: Rights): string {
  return rights.answer ? json : hideRequests(json)
}

/** The values of the path parameters; `undefined` when the path does not match. */
function matchPath(pattern: string, path: string): string[] | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const names: string[] = []
  for (const [index, part] of wanted.entries()) {
    const word = given[index] ?? ''
    const isName = part.startsWith('{')
    if (!isName && part !== word) return undefined
    if (isName) names.push(tryDecode(word))
  }
  return names
}

function tryDecode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Only a payload that can never be recorded is a client error, so that clients do not drop others. */
function refuseHook({code, message}: RunError): Refusal {
  const invalid = `Invalid request body: ${message}.`
  if (code === 'bad-json') return refuse(400, code, invalid)
  if (code === 'bad-options') return refuse(400, 'bad-body', invalid)
  return refuse(503, 'cannot-record', `${message}. Retry later.`, {'retry-after': '10'})
}

function noRun([runId = '']: readonly string[]): Refusal {
  return refuse(404, 'no-such-run', `Run ${runId.slice(0, MAX_SHOWN_ID)} does not exist.`)
}

const MAX_SHOWN_ID = 100

function notFound(methods: readonly string[]): Refusal {
  if (methods.length > 0) {
    const headers = {allow: methods.join(', ')}
    return refuse(
      405,
      'method-not-allowed',
      `This path does not support the method. Use ${methods.join(' or ')}.`,
      headers,
    )
  }
  return refuse(404, 'not-found', 'Unknown path. See /api/openapi.json for all paths.')
}
