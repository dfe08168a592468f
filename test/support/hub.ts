import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {WebSocket} from 'ws'
import type {Place} from './run.ts'
import {sleep} from './run.ts'

/** A message of a hub, as it comes. */
export interface Heard {
  type: string
  runId?: string
  seq?: number
  [field: string]: unknown
}

/** A hub as a process of its own. */
export interface RunningHub {
  url: string
  port: number
  token: string
  pid: number
  /** Asks for something and gives the answer. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** The same, for JSON that is expected to be there. */
  json(path: string): Promise<Record<string, unknown>>
  /** Connects a client. */
  connect(options?: ConnectOptions): Promise<Client>
  /** Ends it as whoever presses Ctrl-C does. */
  stop(): Promise<void>
  /** Ends it as nobody should. */
  kill(): Promise<void>
}

/** How a client comes. */
interface ConnectOptions {
  token?: string
  headers?: Record<string, string>
}

/** A client of a hub. */
export interface Client {
  socket: WebSocket
  /** All that came so far. */
  heard: Heard[]
  say(message: object | string): void
  /** Waits for a message that is as wanted. */
  hears(isWanted: (message: Heard) => boolean): Promise<Heard>
  /** How the connection ended. */
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
  const heard: Heard[] = []
  socket.on('message', (data) => {
    // Whoever has left hears nothing any more, also of what had arrived.
    if (socket.readyState === WebSocket.OPEN) heard.push(JSON.parse(String(data)) as Heard)
  })
  const closed = new Promise<number>((done) => socket.on('close', (code) => done(code)))
  await once(socket, 'open')
  return {
    socket,
    heard,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hears(isWanted) {
      for (;;) {
        const found = heard.find(isWanted)
        if (found !== undefined) return found
        if (socket.readyState > WebSocket.OPEN) throw new Error('the connection is closed')
        await sleep(5)
      }
    },
    closed,
    close: () => socket.close(),
  }
}

/** Only what happened, without what holds. */
export function history(messages: readonly Heard[]): Heard[] {
  return messages.filter(({type, seq}) => seq !== undefined && !STATE.has(type))
}

const STATE = new Set(['progress_update', 'run_updated'])
