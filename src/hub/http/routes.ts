import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import {serveStatic} from '@hono/node-server/serve-static'
import type {Hono} from 'hono'
import {createCalendar} from '../../history/usage/calendar.ts'
import {toTimes} from '../../history/usage/day-start.ts'
import {findRecordingDir} from '../../recording/list-runs.ts'
import {recordingAt} from '../../recording/recording.ts'
import {RunError} from '../../recording/run-error.ts'
import {hideRequests} from '../../replay/hide-requests.ts'
import type {Auth} from '../auth/auth.ts'
import type {Rights} from '../auth/tokens.ts'
import type {HubOptions} from '../hub.ts'
import type {RunRow} from '../index/store.ts'
import {sendStream, type StreamOptions} from '../live/sse.ts'
import type {Reader} from '../reader/reader-thread.ts'
import {createOpenApi} from '../protocol/openapi.ts'
import {cursorOf} from '../protocol/queries.ts'
import {NAMED_ROUTES} from '../protocol/routes.ts'
import {createApp, requireRight, type AppEnv, type AppEvents, type Call} from './app.ts'
import {findLines} from './find-lines.ts'
import * as pages from './pages.ts'
import {sendRaw} from './raw.ts'
import {readHeaders, readJsonBody, readQuery} from './read-request.ts'
import {Refusal} from './refusal.ts'

export interface RouteOptions
  extends
    AppEvents,
    Pick<HubOptions, 'dataDir' | 'version' | 'recordHook'>,
    Pick<StreamOptions, 'bus' | 'budget' | 'limitLoading'> {
  dashboardDir: string
  store: Reader
  auth: Auth
  metrics(): string
}

const PAGE_BYTES = 8 * 1024 * 1024
const MAX_HOOK_BYTES = 16 * 1024 * 1024
/** Assets have names with a hash of their content. */
const FOREVER = 'private, max-age=31536000, immutable'

type HttpRoute = Exclude<keyof typeof NAMED_ROUTES, 'clientSocket' | 'runnerSocket'>

export function createRoutes(options: RouteOptions): Hono<AppEnv> {
  const {dataDir, dashboardDir, store, bus, budget, limitLoading, auth} = options
  const page = join(dashboardDir, 'index.html')
  const isBuilt = existsSync(page)
  const sendDashboard = isBuilt ? serveStatic<AppEnv>({path: page}) : undefined
  const files = {root: dashboardDir, precompressed: true}
  const sendFile = isBuilt ? serveStatic<AppEnv>(files) : undefined
  const answers: Record<HttpRoute, (call: Call) => Response | Promise<Response>> = {
    listRuns,
    getRun,
    listEvents,
    listRecords,
    stream,
    raw,
    search,
    stats,
    usage: async (call) =>
      sendValue(call, await store.usage(readQuery(NAMED_ROUTES.usage.query, call.req))),
    usageOverview: async (call) =>
      sendValue(
        call,
        await store.usageOverview(readQuery(NAMED_ROUTES.usageOverview.query, call.req)),
      ),
    historyDays: async (call) =>
      sendValue(call, await store.historyDays(readQuery(NAMED_ROUTES.historyDays.query, call.req))),
    historySearch: async (call) =>
      sendValue(
        call,
        await store.historySearch(readQuery(NAMED_ROUTES.historySearch.query, call.req)),
      ),
    archiveState: async (call) => sendValue(call, await store.archiveState()),
    startArchive: async (call) => sendValue(call, await store.startArchive(), 202),
    cancelArchive: async (call) => sendValue(call, await store.cancelArchive()),
    makeLink: (call) => sendJson(call, JSON.stringify({url: auth.createLoginLink()}), 201),
    acceptHook,
    metrics: (call) =>
      call.text(options.metrics(), 200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      }),
    asset,
    icon: asset,
    health: (call) => call.json({status: 'ok', version: options.version}),
    openApi: (call) => call.json(createOpenApi(options.version)),
    logIn,
    logOut: (call) => call.body(null, 204, {'set-cookie': auth.logOut()}),
    dashboard,
    usagePage: dashboard,
    searchPage: dashboard,
    runPage: dashboard,
  }
  const app = createApp(options)
  const names = Object.keys(answers) as HttpRoute[]
  for (const name of names) {
    const {method, path, right} = NAMED_ROUTES[name]
    app.on(method, toPattern(path), requireRight(auth, right), answers[name])
  }
  // An unauthorized client does not learn which routes exist.
  app.use(requireRight(auth, 'view'))
  const methods = new Map<string, string[]>()
  for (const {method, path} of names.map((name) => NAMED_ROUTES[name])) {
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const [path, allowed] of methods) {
    app.all(toPattern(path), () => {
      const message = `This path does not support the method. Use ${allowed.join(' or ')}.`
      throw new Refusal(405, 'method-not-allowed', message, {allow: allowed.join(', ')})
    })
  }
  app.notFound((call) => {
    if (pages.wantsPage(call)) return pages.sendPage(call, 404, 'Page not found', pages.GO_HOME)
    throw notFound()
  })
  return app

  async function asset(call: Call): Promise<Response> {
    const found = await sendFile?.(call, async () => {})
    if (found === undefined) throw notFound()
    found.headers.set('cache-control', FOREVER)
    return found
  }

  async function dashboard(call: Call): Promise<Response> {
    try {
      auth.authorize(call.env.incoming, 'view')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (pages.isFromOtherSite(call)) return pages.sendContinuePage(call, call.req.path)
      return pages.sendPage(call, error.status, 'Log in')
    }
    const found = await sendDashboard?.(call, async () => {})
    return found ?? pages.sendPage(call, 200, 'The dashboard is not built', pages.BUILD_IT)
  }

  async function logIn(call: Call): Promise<Response> {
    // Scanners and link previews must not use up the code.
    if (call.req.method === 'HEAD' || pages.isPrefetch(call))
      return pages.sendPage(call, 503, 'Open this login link in a browser')
    const {code} = readQuery(NAMED_ROUTES.logIn.query, call.req)
    try {
      call.header('set-cookie', auth.logIn(call.env.incoming, code))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      options.onRefused()
      return pages.sendPage(call, error.status, error.message)
    }
    return pages.isFromOtherSite(call) ? pages.sendContinuePage(call, '/') : call.redirect('/', 303)
  }

  async function listRuns(call: Call): Promise<Response> {
    const {
      q: text,
      since,
      until,
      timezone,
      ...rest
    } = readQuery(NAMED_ROUTES.listRuns.query, call.req)
    const times = toTimes({since, until}, createCalendar(timezone))
    const query = {...rest, ...times, text, maxBytes: PAGE_BYTES}
    const {runs, total, isCut} = await store.listRuns(query)
    const last = runs.at(-1)
    const next = JSON.stringify(last !== undefined && isCut ? cursorOf(last) : null)
    const items = runs.map(({summary}) => showSummary(summary, call.var.rights)).join(',')
    const indexing = store.counts.waiting
    const json = `{"runs":[${items}],"total":${total},"next":${next},"indexing":${indexing}}`
    return sendJson(call, json)
  }

  async function getRun(call: Call): Promise<Response> {
    const {summary, lastSeq} = await findRow(call)
    const run = showSummary(summary, call.var.rights)
    return sendJson(call, `{"run":${run},"lastSeq":${lastSeq}}`)
  }

  async function findRow({req}: Call): Promise<RunRow> {
    const runId = req.param('runId') ?? ''
    const row = await store.getRun(runId)
    if (row === null) throw noRun(runId)
    return row
  }

  async function listEvents(call: Call): Promise<Response> {
    const {includeThinking, ...query} = readQuery(NAMED_ROUTES.listEvents.query, call.req)
    const {runId} = await findRow(call)
    const {messages, isEnd} = await store.listMessages(runId, {...query, maxBytes: PAGE_BYTES})
    const seen = messages.filter(({type}) => maySee(call, type))
    const next = messages.at(-1)?.seq ?? query.since
    const items: string[] = []
    for (const {json, thinking = []} of seen) {
      if (includeThinking) items.push(...thinking)
      items.push(json)
    }
    return sendJson(call, `{"events":[${items.join(',')}],"next":${next},"isEnd":${isEnd}}`)
  }

  async function listRecords(call: Call): Promise<Response> {
    const mayAnswer = call.var.rights.answer
    // The text may be a secret: clients without the right to the raw bytes must not learn whether it occurs.
    if (call.req.query('find') !== undefined && !mayAnswer) {
      const message = 'The query parameter `find` needs a token with the right `answer`.'
      throw new Refusal(403, 'forbidden', message)
    }
    const {find, lines: ranges = []} = readQuery(NAMED_ROUTES.listRecords.query, call.req)
    const {runId} = await findRow(call)
    const json = await (find === undefined
      ? store.readRecords({runId, ranges, mayAnswer})
      : findLines(filesOf(runId).stdout, find, call.req.raw.signal))
    if (json === null) throw noRun(runId)
    return sendJson(call, json)
  }

  async function stream(call: Call): Promise<Response> {
    const {query, headers} = NAMED_ROUTES.stream
    const {since: asked, ...filter} = readQuery(query, call.req)
    const {'Last-Event-ID': since = asked} = readHeaders(headers, call.req)
    const {runId, isComplete, lastSeq} = await findRow(call)
    // With this status a browser does not reconnect.
    if (isComplete && since >= lastSeq) return call.body(null, 204)
    if (call.req.method === 'HEAD') return call.body(null)
    const {rights} = call.var
    const source = {store, bus, budget, limitLoading}
    await sendStream(call.env.outgoing, {...source, runId, since, filter, rights})
    return RESPONSE_ALREADY_SENT
  }

  async function raw(call: Call): Promise<Response> {
    const {runId} = await findRow(call)
    await store.prepare(runId)
    const {file = 'stdout'} = readQuery(NAMED_ROUTES.raw.query, call.req)
    return sendRaw(call, filesOf(runId)[file])
  }

  function filesOf(runId: string) {
    return recordingAt(findRecordingDir(dataDir, runId))
  }

  async function search(call: Call): Promise<Response> {
    const {q: text, ...query} = readQuery(NAMED_ROUTES.search.query, call.req)
    const {hits: found, next = null} = await store.search({...query, text})
    const hits = found.filter(({type}) => maySee(call, type))
    return sendJson(call, JSON.stringify({hits, next, indexing: store.counts.waiting}))
  }

  async function stats(call: Call): Promise<Response> {
    const all = await store.stats()
    return sendJson(call, JSON.stringify({...all, indexing: store.counts.waiting}))
  }

  async function acceptHook(call: Call): Promise<Response> {
    const payload = await readJsonBody(call, MAX_HOOK_BYTES)
    if (options.recordHook === undefined) throw notFound()
    try {
      const {runId} = await options.recordHook(payload)
      return sendJson(call, JSON.stringify({runId}), 202)
    } catch (error) {
      throw error instanceof RunError ? refuseHook(error) : error
    }
  }

  function sendValue(call: Call, value: object, status: 200 | 202 = 200): Response {
    return sendJson(call, JSON.stringify(value), status)
  }

  /** Sends JSON; the bytes count until the client has read them. */
  function sendJson(call: Call, json: string, status: 200 | 201 | 202 = 200): Response {
    const {outgoing} = call.env
    const account = budget.open(() => outgoing.destroy())
    outgoing.once('close', account.close)
    account.set(json.length)
    return call.body(`${json}\n`, status, {'content-type': 'application/json; charset=utf-8'})
  }
}

/** Clients that may not answer do not see permission requests. */
function maySee(call: Call, type: string): boolean {
  return call.var.rights.answer || type !== 'permission_request'
}

function showSummary(json: string, rights: Rights): string {
  return rights.answer ? json : hideRequests(json)
}

/** The path of a route as hono writes it: `/runs/:runId`. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Only a payload that can never be recorded is a client error, so that clients do not drop others. */
function refuseHook({code, message}: RunError): Refusal {
  const invalid = `Invalid request body: ${message}.`
  if (code === 'bad-json') return new Refusal(400, code, invalid)
  if (code === 'bad-options') return new Refusal(400, 'bad-body', invalid)
  return new Refusal(503, 'cannot-record', `${message}. Retry later.`, {'retry-after': '10'})
}

function noRun(runId: string): Refusal {
  return new Refusal(404, 'no-such-run', `Run ${runId.slice(0, 100)} does not exist.`)
}

function notFound(): Refusal {
  return new Refusal(404, 'not-found', 'Unknown path. See /api/openapi.json for all paths.')
}
