import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {WebSocket} from 'ws'
import type {Place} from './run.ts'

/** A message that a client received from a hub. */
export interface ReceivedMessage {
  type: string
  runId?: string
  seq?: number
  [field: string]: unknown
}

/** A hub in a child process. */
export interface RunningHub {
  url: string
  port: number
  token: string
  pid: number
  /** Sends a GET request with the token of the owner. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a GET request and parses the JSON of a successful response. */
  json(path: string): Promise<Record<string, unknown>>
  /** Connects a client. */
  connect(options?: ConnectOptions): Promise<Client>
  /** Ends it with SIGTERM and waits for its exit. */
  stop(): Promise<void>
  /** Ends it with SIGKILL and waits for its exit. */
  kill(): Promise<void>
}

/** How a client connects. */
interface ConnectOptions {
  token?: string
  headers?: Record<string, string>
}

/** A client of a hub. */
export interface Client {
  socket: WebSocket
  /** All messages received so far. */
  received: ReceivedMessage[]
  send(message: object | string): void
  /** Waits for the first message that satisfies a predicate, including those received before. */
  receives(isWanted: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>
  /** Resolves with the close code of the connection. */
  closed: Promise<number>
  close(): void
}

/** Starts a hub on the data folder of a place. */
export async function startHub(
  place: Place,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  onError: (text: string) => void = () => {},
): Promise<RunningHub> {
  const given = args.includes('--port') ? args : ['--port', '0', ...args]
  const command = ['serve', '--data-dir', place.dataDir, '--json', ...given]
  const running = place.start(command, {env})
  running.child.stderr.on('data', onError)
  await running.prints('}\n')
  const {pid = 0} = running.child
  const address = JSON.parse(readFileSync(join(place.dataDir, 'hub.json'), 'utf8')) as {url: string}
  const {url} = address
  const token = readFileSync(join(place.dataDir, 'token'), 'utf8').trim()
  const authorization = `Bearer ${token}`
  const hub: RunningHub = {
    url,
    port: Number(new URL(url).port),
    token,
    pid,
    get: (path, headers = {}) => fetch(url + path, {headers: {authorization, ...headers}}),
    async json(path) {
      const response = await hub.get(path)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Record<string, unknown>
    },
    connect: (options) => connect(url, {token, ...options}),
    async stop() {
      process.kill(pid, 'SIGTERM')
      await running.ended
    },
    async kill() {
      process.kill(pid, 'SIGKILL')
      await running.ended
    },
  }
  return hub
}

/** Connects a client to a hub. */
export async function connect(
  url: string,
  {token, headers}: ConnectOptions & {token: string},
): Promise<Client> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: {authorization: `Bearer ${token}`, ...headers},
  })
  const received: ReceivedMessage[] = []
  const waiters = new Set<Waiter>()
  socket.on('message', (data) => {
    // A client that has called close() ignores messages that were already on their way.
    if (socket.readyState !== WebSocket.OPEN) return
    const message = JSON.parse(String(data)) as ReceivedMessage
    received.push(message)
    for (const waiter of waiters) waiter.check(message)
  })
  const closed = new Promise<number>((done) => socket.on('close', (code) => done(code)))
  socket.on('close', () => {
    for (const {fail} of waiters) fail(new Error('the connection is closed'))
  })
  await once(socket, 'open')
  return {
    socket,
    received,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async receives(isWanted) {
      const found = received.find(isWanted)
      if (found !== undefined) return found
      if (socket.readyState > WebSocket.OPEN) throw new Error('the connection is closed')
      return new Promise<ReceivedMessage>((done, fail) => {
        const waiter: Waiter = {
          check(message) {
            try {
              if (!isWanted(message)) return
              done(message)
            } catch (error) {
              fail(error as Error)
            }
            waiters.delete(waiter)
          },
          fail,
        }
        waiters.add(waiter)
      })
    },
    closed,
    close: () => socket.close(),
  }
}

interface Waiter {
  check(message: ReceivedMessage): void
  fail(error: Error): void
}

/**
 * Sends a command until the run has ended, again whenever the hub replies that the runner is not connected.
 *
 * @returns The `run_ended` message.
 */
export async function commandUntilEnded(
  client: Client,
  command: {type: string; runId: string; [field: string]: unknown},
): Promise<ReceivedMessage> {
  for (let attempt = 1; ; attempt++) {
    const ref = `${command.type}-${attempt}`
    client.send({...command, ref})
    const reply = await client.receives(
      (message) =>
        message['ref'] === ref || (message.type === 'run_ended' && message.runId === command.runId),
    )
    if (reply.type === 'run_ended') return reply
    if (reply['code'] !== 'not-reachable') throw new Error(`Refused: ${JSON.stringify(reply)}`)
  }
}

/** Messages about events, without those about the current state. */
export function history(messages: readonly ReceivedMessage[]): ReceivedMessage[] {
  return messages.filter(({type, seq}) => seq !== undefined && !STATE.has(type))
}

const STATE = new Set(['progress_update', 'run_updated'])
