import {readFileSync} from 'node:fs'
import {createServer as createPlainServer, type IncomingMessage, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {resolve} from 'node:path'
import type {Duplex} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {createBus, type CommandOutcome} from './live/bus.ts'
import {createByteBudget} from './live/byte-budget.ts'
import {serveClient} from './live/client.ts'
import {createListener} from './http/app.ts'
import {createAuth, SERVER_OPTIONS} from './auth/auth.ts'
import {describeRequest} from './auth/check-request.ts'
import {HubError} from './hub-error.ts'
import {createIngest} from './ingest/ingest.ts'
import {startReader} from './reader/reader-thread.ts'
import {planListenAddress, type ListenAddress, type ListenOptions} from './auth/listen-address.ts'
import {openToken} from './auth/tokens.ts'
import {lockDataDir} from './lock.ts'
import {attempt} from '../recording/attempt.ts'
import type {Lock} from '../recording/lock.ts'
import {formatMetrics} from './http/metrics.ts'
import {Refusal, refuseBroken, refuseUpgrade} from './http/refusal.ts'
import {createRoutes} from './http/routes.ts'
import {openSockets} from './live/sockets.ts'
import type {Hub, HubOptions} from './hub.ts'
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

/**
 * Starts a hub on a data folder; resolves when it listens.
 *
 * @throws HubError when it cannot; the message explains what to do.
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  const dataDir = resolve(options.dataDir)
  const address = planListenAddress(options)
  const lock = await lockDataDir(dataDir, options.version)
  try {
    return await runHub({...options, dataDir}, address, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function runHub(options: HubOptions, address: ListenAddress, lock: Lock): Promise<Hub> {
  const {dataDir, version, recordHook, onNotice = () => {}} = options
  const token = openToken(dataDir, onNotice)
  const server = createServer(options)
  server.maxConnections = MAX_CONNECTIONS
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
    machine: options.machine,
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
  const outgoing = createByteBudget(OUTGOING_BUDGET)
  const budgets = {incoming: createByteBudget(INCOMING_BUDGET), outgoing}
  const limitLoading = createSemaphore(MAX_PAGES_LOADING)
  const clients = openSockets({...budgets, maxPayload: CLIENT_MESSAGE_BYTES, uploads: false})
  const runners = openSockets({...budgets, maxPayload: RUNNER_MESSAGE_BYTES, uploads: true})
  const routes = createRoutes({
    dataDir,
    version,
    dashboardDir: options.dashboardDir ?? DASHBOARD_DIR,
    store: reader,
    bus,
    budget: outgoing,
    limitLoading,
    auth,
    recordHook:
      recordHook &&
      (async (payload) => {
        const run = await recordHook(payload)
        reader.wake(run.runId, true)
        return run
      }),
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
  const url = address.localUrl(port)
  lock.publish({url})
  const watch = watchLock(lock, dataDir)

  return {
    url,
    urls: address.urls(port),
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

  function countSent(bytes: number, type: string): void {
    counters.messages_sent_total++
    counters.bytes_sent_total += bytes
    if (type === 'gap') counters.gaps_total++
  }

  function metrics(): string {
    return formatMetrics({
      ...counters,
      clients: clients.count,
      runners: runners.count,
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
      const leave = bus.serve(runId, async (command) => {
        if (command.type === 'answer') return NO_AGENT
        adopted.stop()
        return {ok: true}
      })
      void adopted.ended?.then(leave, leave)
      // Most have ended long ago and are judged immediately; others continue.
      const pause = sleep(ADOPTION_MS)
      await Promise.race([adopted.ended ?? pause, pause])
    })
  }
}

const NO_AGENT: CommandOutcome = {
  ok: false,
  code: 'not-reachable',
  message: 'The run lost its connection to the agent, so the request cannot be answered.',
}

/** Checks periodically that the data folder still exists and is locked by this hub. */
function watchLock(lock: Lock, dataDir: string): {lost: Promise<string>; stop(): void} {
  let timer: NodeJS.Timeout | undefined
  const lost = new Promise<string>((done) => {
    timer = setInterval(() => {
      if (lock.isHeld()) return
      clearInterval(timer)
      done(`the data directory ${dataDir} was removed or is used by another hub`)
    }, LOCK_CHECK_INTERVAL_MS).unref()
  })
  return {lost, stop: () => clearInterval(timer)}
}

function createServer({tlsCert, tlsKey}: ListenOptions): Server {
  if (tlsCert === undefined || tlsKey === undefined) return createPlainServer(SERVER_OPTIONS)
  return createTlsServer({
    ...SERVER_OPTIONS,
    handshakeTimeout: SERVER_OPTIONS.headersTimeout,
    cert: readPem(tlsCert, '--tls-cert'),
    key: readPem(tlsKey, '--tls-key'),
  })
}

function readPem(path: string, flag: string): Buffer {
  const pem = attempt(() => readFileSync(path))
  if (pem !== undefined) return pem
  throw new HubError('bad-address', `${flag} ${path}: cannot read the file`)
}

function listen(server: Server, {host, port}: ListenAddress): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(cannotListen(error, host, port)))
    server.listen({host, port}, () => done((server.address() as AddressInfo).port))
  })
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): HubError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is already in use. Choose another one, or use --port 0 for a free one`,
    EACCES: `port ${port}: permission denied. Choose a port above 1023, such as 4310`,
    EADDRNOTAVAIL: `--host ${host}: not an address of this machine`,
    ENOTFOUND: `--host ${host}: not an address of this machine`,
  }
  return new HubError('bad-address', reasons[error.code ?? ''] ?? error.message)
}
