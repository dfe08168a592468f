import type {IncomingMessage, ServerResponse} from 'node:http'
import {join} from 'node:path'
import {recordingAt} from '../../recording/recording.ts'
import {RunError} from '../../recording/run-error.ts'
import {createBrowserRoutes} from './browser-routes.ts'
import {findLines} from './find-lines.ts'
import {hideRequests} from '../../replay/hide-requests.ts'
import {GO_HOME, sendPage, wantsPage} from './page.ts'
import {sendRaw} from './raw.ts'
import {readJsonText} from './read-body.ts'
import {ParameterError, readHeaders, readQuery} from './read-query.ts'
import {refuse, sendRefusal, type Refusal} from './refusal.ts'
import {securityHeaders} from './security-headers.ts'
import {sendStream} from '../live/sse.ts'
import type {RunRow} from '../index/store.ts'
import type {Rights} from '../auth/tokens.ts'
import {createOpenApi} from '../protocol/openapi.ts'
import {cursorOf} from '../protocol/queries.ts'
import {GUARDED_ROUTES, OPEN_ROUTES} from '../protocol/routes.ts'
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

const PAGE_BYTES = 8 * 1024 * 1024
const HOOK_LIMITS = {maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000}

/** Creates the request handler of a hub. */
export function createRoutes(options: RouteOptions) {
  const {dataDir, store, bus, auth} = options
  const browserRoutes = createBrowserRoutes(options)
  const answers: Record<keyof typeof GUARDED_ROUTES, (call: Call) => Promise<void> | void> = {
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
    icon: asset,
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = auth.checkRequest(request)
    if (admission.type === 'refuse') return no(request, response, admission)
    const {url} = admission
    if (answerOpenly(request, response, url)) return
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const known = entriesOf(GUARDED_ROUTES).flatMap(([name, route]) => {
      const names = matchPath(route.path, url.pathname)
      return names === undefined ? [] : [{name, route, names}]
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
      await answers[found.name]({request, response, url, params, rights, names: found.names})
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
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const [name] =
      entriesOf(OPEN_ROUTES).find(([, route]) => {
        return route.method === method && matchPath(route.path, url.pathname) !== undefined
      }) ?? []
    switch (name) {
      case 'health':
        sendJson(response, JSON.stringify({status: 'ok', version: options.version}))
        return true
      case 'openApi':
        sendJson(response, JSON.stringify(createOpenApi(options.version)))
        return true
      case 'logIn': {
        const {code} = readQuery(OPEN_ROUTES.logIn.query, url.searchParams)
        browserRoutes.logIn(request, response, code)
        return true
      }
      case 'logOut':
        response.writeHead(204, {...securityHeaders('api'), 'set-cookie': auth.logOut()}).end()
        return true
      case 'dashboard':
      case 'runPage':
        browserRoutes.sendDashboard(request, response, url.pathname)
        return true
      case undefined:
        return false
      default:
        return name satisfies never
    }
  }

  function asset({request, response, url}: Call): void {
    if (options.dashboard.sendFile(url.pathname, request, response)) return
    no(request, response, notFound([]))
  }

  async function listRuns({response, params, rights}: Call): Promise<void> {
    const {q: text, ...query} = readQuery(GUARDED_ROUTES.listRuns.query, params)
    const {runs, total, isCut} = await store.listRuns({...query, text, maxBytes: PAGE_BYTES})
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
    const {includeThinking, ...query} = readQuery(GUARDED_ROUTES.listEvents.query, params)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const page = await store.listMessages(row.runId, {...query, maxBytes: PAGE_BYTES})
    const {messages, isEnd} = page
    const seen = rights.answer ? messages : messages.filter(({json}) => !json.startsWith(REQUEST))
    const next = messages.at(-1)?.seq ?? query.since
    const items: string[] = []
    for (const {json, thinking = []} of seen) {
      if (includeThinking) items.push(...thinking)
      items.push(json)
    }
    sendJson(response, `{"events":[${items.join(',')}],"next":${next},"isEnd":${isEnd}}`)
  }

  async function listRecords({request, response, params, names, rights}: Call): Promise<void> {
    // The text may be a secret: clients without the right to the raw bytes must not learn whether it occurs.
    if (params.has('find') && !rights.answer) return no(request, response, NO_FIND)
    const {find, lines: ranges = []} = readQuery(GUARDED_ROUTES.listRecords.query, params)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const left = new AbortController()
    response.once('close', () => left.abort())
    const {runId} = row
    const json = await (find === undefined
      ? store.readRecords({runId, ranges, mayAnswer: rights.answer})
      : findLines(recordingAt(join(dataDir, 'runs', runId)).stdout, find, left.signal))
    if (json === null) return no(request, response, noRun(names))
    sendJson(response, json)
  }

  async function stream({request, response, params, rights, names}: Call): Promise<void> {
    const {query, headers} = GUARDED_ROUTES.stream
    const {since: asked} = readQuery(query, params)
    const {'Last-Event-ID': since = asked} = readHeaders(headers, request.headers)
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const {outgoing, limitLoading} = options
    const {runId} = row
    await sendStream(response, {runId, since, store, bus, outgoing, limitLoading, rights, params})
  }

  async function raw({request, response, params, names}: Call): Promise<void> {
    const row = await findRow(names)
    if (row === null) return no(request, response, noRun(names))
    const {file} = readQuery(GUARDED_ROUTES.raw.query, params)
    const files = recordingAt(join(dataDir, 'runs', row.runId))
    sendRaw(request, response, files[file ?? 'stdout'])
  }

  async function search({response, params, rights}: Call): Promise<void> {
    const {q: text, ...query} = readQuery(GUARDED_ROUTES.search.query, params)
    const found = await store.search({...query, text})
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

const NO_FIND = refuse(
  403,
  'forbidden',
  'The query parameter `find` needs a token with the right `answer`.',
)

function entriesOf<T extends object>(routes: T): [keyof T, T[keyof T]][] {
  return Object.entries(routes) as [keyof T, T[keyof T]][]
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
