import {readFileSync} from 'node:fs'
import {createServer as createPlainServer, type IncomingMessage, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {createLocalBus} from './live/local-bus.ts'
import {createByteBudget} from './live/byte-budget.ts'
import {serveClient} from './live/client.ts'
import {openDashboard} from './http/dashboard.ts'
import {createDoors, SERVER_OPTIONS} from './auth/auth.ts'
import {describeRequest} from './auth/check-request.ts'
import {HubError} from './hub-error.ts'
import {createIngest} from './ingest/ingest.ts'
import type {Intake} from './reader/indexer.ts'
import {startIntake, type IntakeThreadOptions} from './reader/indexer-thread.ts'
import type {ListenAddress, ListenOptions} from './auth/listen-address.ts'
import type {DataDirClaim} from './lock.ts'
import {createCounters, formatMetrics} from './http/metrics.ts'
import {createOutlet} from './reader/message-sink.ts'
import {refuse, refuseBroken, refuseUpgrade, sendRefusal} from './http/refusal.ts'
import {createRoutes} from './http/routes.ts'
import {openSockets} from './live/sockets.ts'
import type {AdoptedRun, Hub, HubOptions} from './hub.ts'
import type {Store} from './index/store.ts'
import {createStrangers} from './auth/unauthenticated.ts'
import {createTurns} from './semaphore.ts'
import {createViewing} from './live/views.ts'

/** Where the build puts it, beside this. */
const DASHBOARD_DIR = fileURLToPath(new URL('../dashboard', import.meta.url))
const CLIENT_MESSAGE_BYTES = 1024 * 1024
const RUNNER_MESSAGE_BYTES = 16 * 1024 * 1024
const MOST_CONNECTIONS = 5000
/** Connections without a valid token or cookie. */
const MAX_STRANGERS = {maxTotal: 512, maxPerAddress: 256}
/** What all connections together may make the hub hold, in messages that are not complete and in unread output. */
const INCOMING_BUDGET = {maxBytes: 32 * 1024 * 1024, freeBytes: 64 * 1024}
const OUTGOING_BUDGET = {maxBytes: 64 * 1024 * 1024, freeBytes: 256 * 1024}
const CLAIM_CHECK_MS = 2000
/** How many runs are adopted at a time, and how long one may keep the next waiting. */
const MAX_ADOPTIONS = 4
const ADOPTION_MS = 200
/** How many pages of past messages are loaded at a time, for all clients. */
const MAX_PAGES_LOADING = 4

/** The parts of a hub that are there before it runs. */
export interface HubParts {
  dataDir: string
  address: ListenAddress
  claim: DataDirClaim
  token: string
  store: Store
  createReader: IntakeThreadOptions['createReader']
  /** Gets the intake as soon as there is one, for it may be needed before all is done. */
  onIntake(intake: Intake): void
}

/** Runs a hub of its parts; settles when it listens. */
export async function runHub(options: HubOptions, parts: HubParts): Promise<Hub> {
  const {version, onRemark = () => {}} = options
  const {dataDir, address, claim, token, store, onIntake} = parts
  const server = makeServer(address, options)
  const bus = createLocalBus()
  const counters = createCounters()
  const adoptInTurn = createTurns(MAX_ADOPTIONS)
  let isClosing = false
  const intake = startIntake({
    createReader: parts.createReader,
    outlet: createOutlet(store, bus),
    adopt,
    refresh: options.refreshSession,
    onError: (error) => onRemark(`cannot read a recording: ${(error as Error).message}`),
  })
  onIntake(intake)
  const port = await listen(server, address).catch(async (error: unknown) => {
    await intake.close()
    throw error
  })
  const strangers = createStrangers(MAX_STRANGERS)
  server.on('connection', strangers.add)
  const onKnown = ({socket}: IncomingMessage) => strangers.admit(socket)
  const doors = createDoors({token, address, port, onKnown})
  const ingest = createIngest({
    dataDir,
    bus,
    wake: intake.wake,
    onBytes: (count) => (counters.bytesTaken += count),
  })
  const incoming = createByteBudget(INCOMING_BUDGET)
  const outgoing = createByteBudget(OUTGOING_BUDGET)
  const loadInTurn = createTurns(MAX_PAGES_LOADING)
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
  const viewing = createViewing({dataDir}, (error) => {
    onRemark(`cannot show a run: ${(error as Error).message}`)
  })
  const answer = createRoutes({
    dataDir,
    version,
    viewing,
    dashboard: openDashboard(options.dashboardDir ?? DASHBOARD_DIR),
    store,
    bus,
    outgoing,
    loadInTurn,
    doors,
    listed: () => intake.listed,
    waitingCount: () => intake.waitingCount,
    recordHook: options.recordHook && takeHook,
    metrics,
    onRefused: () => counters.refused++,
  })
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onRemark(`cannot answer ${describeRequest(request)}: ${(error as Error).message}`)
      const sorry = refuse(500, 'internal', 'Internal error. See the log of the hub.')
      if (response.headersSent) response.destroy()
      else sendRefusal(request, response, sorry)
    })
  })
  server.on('clientError', refuseBroken)
  const listed = () => intake.listed
  const serving = {store, bus, viewing, loadInTurn, listed, onSent: countSent}
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    const admission = doors.pass(request)
    if (admission.type === 'refuse') return refuseUpgrade(socket, admission)
    const {pathname} = admission.url
    if (pathname !== '/ws' && pathname !== '/ingest') {
      return refuseUpgrade(socket, refuse(404, 'not-found', 'Unknown WebSocket path. Use /ws.'))
    }
    const isRunner = pathname === '/ingest'
    const permission = doors.permit(request, isRunner ? 'ingest' : 'view')
    if (permission.type === 'refuse') {
      counters.refused++
      return refuseUpgrade(socket, permission)
    }
    const {rights} = permission
    const group = isRunner ? runners : clients
    group.upgrade(request, socket, head, (opened, measure) => {
      if (isRunner) ingest.accept(opened, measure)
      else serveClient(opened, {...serving, rights, wire: socket, measure})
    })
  })
  const urls = address.urls(port)
  const url = address.localUrl(port)
  claim.publish(url)
  const watch = watchClaim(claim, dataDir)

  return {
    url,
    urls,
    port,
    dataDir,
    caughtUp: intake.caughtUp,
    lost: watch.lost,
    createLoginLink: doors.createLoginLink,
    async close() {
      isClosing = true
      watch.stop()
      const closed = new Promise<void>((done) => server.close(() => done()))
      await Promise.all([clients.close(), runners.close()])
      server.closeAllConnections()
      await closed
      await Promise.all([intake.close(), viewing.close()])
      await store.close()
      claim.release()
    },
  }

  async function takeHook(payload: Uint8Array): Promise<{runId: string}> {
    const {runId} = (await options.recordHook?.(payload)) ?? {runId: ''}
    intake.wake(runId, true)
    return {runId}
  }

  function countSent(bytes: number, type: string): void {
    counters.messagesSent++
    counters.bytesSent += bytes
    if (type === 'gap') counters.gaps++
  }

  function metrics(): string {
    return formatMetrics(counters, {
      clients: clients.count,
      runners: ingest.count,
      liveRuns: intake.liveCount,
      waitingRuns: intake.waitingCount,
      backlog: store.backlog,
    })
  }

  async function adopt(runId: string): Promise<void> {
    await adoptInTurn(async () => {
      const adopted = isClosing ? null : await options.adopt?.(runId)
      if (adopted === null || adopted === undefined) return
      serveAdopted(runId, adopted)
      // Most have ended long ago, and are judged at once; others go on.
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

/** Looks now and then whether the data folder is still there, and ours: another hub may have started on it. */
function watchClaim(claim: DataDirClaim, dataDir: string): {lost: Promise<string>; stop(): void} {
  let stop = () => {}
  const lost = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (claim.isHeld()) return
      stop()
      resolve(`the data directory ${dataDir} was removed or is used by another hub`)
    }, CLAIM_CHECK_MS).unref()
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
  server.maxConnections = MOST_CONNECTIONS
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
