import {readFileSync} from 'node:fs'
import {createServer as createPlainServer, type IncomingMessage, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import type {Duplex} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {createBus} from './live/bus.ts'
import {createByteBudget} from './live/byte-budget.ts'
import {serveClient} from './live/client.ts'
import {createListener} from './http/app.ts'
import {createAuth, SERVER_OPTIONS} from './auth/auth.ts'
import {describeRequest} from './auth/check-request.ts'
import {HubError} from './hub-error.ts'
import {createIngest} from './ingest/ingest.ts'
import {startReader} from './reader/reader-thread.ts'
import type {ListenAddress, ListenOptions} from './auth/listen-address.ts'
import type {Lock} from '../recording/lock.ts'
import {formatMetrics} from './http/metrics.ts'
import {Refusal, refuseBroken, refuseUpgrade} from './http/refusal.ts'
import {createRoutes} from './http/routes.ts'
import {openSockets} from './live/sockets.ts'
import type {AdoptedRun, Hub, HubOptions} from './hub.ts'
import {createUnauthenticatedLimit} from './auth/unauthenticated.ts'
import {createSemaphore} from './semaphore.ts'

/** The build output, beside this module. */
const DASHBOARD_DIR = fileURLToPath(new URL('../dashboard', import.meta.url))
const CLIENT_MESSAGE_BYTES = 1024 * 1024
const RUNNER_MESSAGE_BYTES = 16 * 1024 * 1024
const MAX_CONNECTIONS = 5000
/** Connections without a valid token or cookie. */
const MAX_UNAUTHENTICATED = {maxTotal: 512, maxPerAddress: 256}
/** The memory that all connections together may occupy, in incomplete messages and in unread output. */
const INCOMING_BUDGET = {maxBytes: 32 * 1024 * 1024, freeBytes: 64 * 1024}
const OUTGOING_BUDGET = {maxBytes: 64 * 1024 * 1024, freeBytes: 256 * 1024}
const LOCK_CHECK_INTERVAL_MS = 2000
/** How many runs are adopted at a time, and how long one may delay the next. */
const MAX_ADOPTIONS = 4
const ADOPTION_MS = 200
/** How many pages of past messages are loaded at a time, for all clients. */
const MAX_PAGES_LOADING = 4

/** The parts of a hub that exist before it runs. */
export interface HubParts {
  dataDir: string
  address: ListenAddress
  lock: Lock
  token: string
}

/** Runs a hub from its parts; resolves when it listens. */
export async function runHub(options: HubOptions, parts: HubParts): Promise<Hub> {
  const {version, onNotice = () => {}} = options
  const {dataDir, address, lock, token} = parts
  const server = makeServer(address, options)
  const bus = createBus()
  const counters = {
    messages_sent_total: 0,
    bytes_sent_total: 0,
    ingest_bytes_total: 0,
    gaps_total: 0,
    requests_rejected_total: 0,
  }
  const limitAdoption = createSemaphore(MAX_ADOPTIONS)
  let isClosing = false
  const reader = startReader({
    dataDir,
    stateIntervalMs: options.stateIntervalMs,
    publish: bus.publish,
    adopt,
    refresh: options.refreshSession,
    onError: (error) => onNotice(`cannot read a recording: ${(error as Error).message}`),
    onDamage: (reason) =>
      onNotice(`the index is damaged: ${reason}. Rebuilding it from the recordings`),
  })
  const port = await listen(server, address).catch(async (error: unknown) => {
    await reader.close()
    throw error
  })
  const unauthenticated = createUnauthenticatedLimit(MAX_UNAUTHENTICATED)
  server.on('connection', unauthenticated.add)
  const onKnown = ({socket}: IncomingMessage) => unauthenticated.admit(socket)
  const auth = createAuth({token, address, port, onKnown})
  const ingest = createIngest({
    dataDir,
    bus,
    wake: reader.wake,
    onBytes: (count) => (counters.ingest_bytes_total += count),
  })
  const incoming = createByteBudget(INCOMING_BUDGET)
  const outgoing = createByteBudget(OUTGOING_BUDGET)
  const limitLoading = createSemaphore(MAX_PAGES_LOADING)
  const clients = openSockets({
    maxPayload: CLIENT_MESSAGE_BYTES,
    incoming,
    outgoing,
    uploads: false,
  })
  const runners = openSockets({
    maxPayload: RUNNER_MESSAGE_BYTES,
    incoming,
    outgoing,
    uploads: true,
  })
  const routes = createRoutes({
    dataDir,
    version,
    dashboardDir: options.dashboardDir ?? DASHBOARD_DIR,
    store: reader,
    bus,
    outgoing,
    limitLoading,
    auth,
    waitingCount: () => reader.counts.waiting,
    recordHook: options.recordHook && acceptHook,
    metrics,
    onRefused,
    onFailed: (error, {env}) =>
      onNotice(`cannot answer ${describeRequest(env.incoming)}: ${error.message}`),
  })
  server.on('request', createListener(routes, auth, onRefused))
  server.on('clientError', refuseBroken)
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    try {
      upgrade(request, socket, head)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      onRefused()
      refuseUpgrade(socket, error)
    }
  })
  const caughtUp = reader.whenCaughtUp()
  // It is reported to callers that wait; there may be none.
  caughtUp.catch(() => {})
  const urls = address.urls(port)
  const url = address.localUrl(port)
  lock.publish({url})
  const watch = watchLock(lock, dataDir)

  return {
    url,
    urls,
    port,
    dataDir,
    caughtUp,
    lost: watch.lost,
    createLoginLink: auth.createLoginLink,
    async close() {
      isClosing = true
      watch.stop()
      const closed = new Promise<void>((done) => server.close(() => done()))
      await Promise.all([clients.close(), runners.close()])
      server.closeAllConnections()
      await closed
      await reader.close()
      lock.release()
    },
  }

  function onRefused(): void {
    counters.requests_rejected_total++
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const {pathname} = auth.checkRequest(request)
    if (pathname === '/ingest') {
      auth.authorize(request, 'ingest')
      runners.upgrade(request, socket, head, ingest.accept)
    } else if (pathname === '/ws') {
      const rights = auth.authorize(request, 'view')
      clients.upgrade(request, socket, head, (opened, measure) => {
        const sending = {wire: socket, measure, onSent: countSent}
        serveClient(opened, {store: reader, bus, limitLoading, rights, ...sending})
      })
    } else throw new Refusal(404, 'not-found', 'Unknown WebSocket path. Use /ws.')
  }

  async function acceptHook(payload: Uint8Array): Promise<{runId: string}> {
    const {runId} = (await options.recordHook?.(payload)) ?? {runId: ''}
    reader.wake(runId, true)
    return {runId}
  }

  function countSent(bytes: number, type: string): void {
    counters.messages_sent_total++
    counters.bytes_sent_total += bytes
    if (type === 'gap') counters.gaps_total++
  }

  function metrics(): string {
    return formatMetrics({
      ...counters,
      clients: clients.count,
      runners: ingest.count,
      live_runs: reader.counts.live,
      unindexed_recordings: reader.counts.waiting,
      resident_bytes: process.memoryUsage.rss(),
      uptime_seconds: Math.round(process.uptime()),
    })
  }

  async function adopt(runId: string): Promise<void> {
    await limitAdoption(async () => {
      const adopted = isClosing ? null : await options.adopt?.(runId)
      if (adopted === null || adopted === undefined) return
      serveAdopted(runId, adopted)
      // Most have ended long ago and are judged immediately; others continue.
      const pause = sleep(ADOPTION_MS)
      await Promise.race([adopted.ended ?? pause, pause])
    })
  }

  function serveAdopted(runId: string, adopted: AdoptedRun): void {
    const leave = bus.serve(runId, async (command) => {
      if (command.type === 'stop') {
        adopted.stop()
        return {ok: true}
      }
      const message = 'The run lost its connection to the agent, so the request cannot be answered.'
      return {ok: false, code: 'not-reachable', message}
    })
    void adopted.ended?.then(leave, leave)
  }
}

/** Checks periodically that the data folder still exists and is locked by this hub. */
function watchLock(lock: Lock, dataDir: string): {lost: Promise<string>; stop(): void} {
  let stop = () => {}
  const lost = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (lock.isHeld()) return
      stop()
      resolve(`the data directory ${dataDir} was removed or is used by another hub`)
    }, LOCK_CHECK_INTERVAL_MS).unref()
    stop = () => clearInterval(timer)
  })
  return {lost, stop: () => stop()}
}

function makeServer(address: ListenAddress, {tlsCert, tlsKey}: ListenOptions): Server {
  const server =
    address.scheme === 'https' && tlsCert !== undefined && tlsKey !== undefined
      ? createTlsServer({
          ...SERVER_OPTIONS,
          handshakeTimeout: SERVER_OPTIONS.headersTimeout,
          cert: readPem(tlsCert, '--tls-cert'),
          key: readPem(tlsKey, '--tls-key'),
        })
      : createPlainServer(SERVER_OPTIONS)
  server.maxConnections = MAX_CONNECTIONS
  return server
}

function readPem(path: string, flag: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new HubError('bad-address', `${flag} ${path}: cannot read the file`)
  }
}

function listen(server: Server, {host, port}: ListenAddress): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(cannotListen(error, host, port)))
    server.listen({host, port}, () => done((server.address() as AddressInfo).port))
  })
}

function cannotListen(
  {code, message}: NodeJS.ErrnoException,
  host: string,
  port: number,
): HubError {
  if (code === 'EADDRINUSE') {
    return new HubError(
      'bad-address',
      `port ${port} is already in use. Choose another one, or use --port 0 for a free one`,
    )
  }
  if (code === 'EACCES') {
    return new HubError(
      'bad-address',
      `port ${port}: permission denied. Choose a port above 1023, such as 4310`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new HubError('bad-address', `--host ${host}: not an address of this machine`)
  }
  return new HubError('bad-address', message)
}
