import type {ClientMessage} from '../../../src/core/protocol/client-message.ts'
import type {ServerMessage} from '../../../src/core/protocol/server-message.ts'
import {createStore} from '../ui/create-store.ts'
import {fetchStats, type HubError} from './api.ts'

/** The state of the connection. Times are milliseconds since 1970. */
export type ConnectionState =
  | {kind: 'connecting'}
  | {kind: 'live'}
  | {
      kind: 'lost'
      since: number
      /** When the last message was received; absent before the first. */
      lastMessageAt?: number | undefined
      /** When the next attempt starts; absent during an attempt. */
      nextTryAt?: number | undefined
      /** The reason, if the hub gives one. */
      error?: HubError | undefined
    }
  /** The hub requires a login. */
  | {kind: 'refused'}

/** A subscription that is renewed on every new connection until it is removed. */
export interface Subscription {
  /** The message for each new connection, built then, so that it can resume. */
  describe(): ClientMessage
  /** The message that ends it. */
  end?(): ClientMessage
}

/** The connection of this page to its hub, and a store of its state. */
export type Connection = ReturnType<typeof createConnection>

/** The part of a WebSocket in use. */
export interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'close', listener: () => void): void
  addEventListener(type: 'message', listener: (event: {data: unknown}) => void): void
}

/** The environment of a connection. */
export interface ConnectionOptions {
  openSocket?: (() => Socket) | undefined
  /** Why there is no connection, as far as the hub reports it. */
  probe?: (() => Promise<HubError | undefined>) | undefined
  now?: (() => number) | undefined
  /** Calls after some milliseconds; returns a function that cancels it. */
  delay?: ((call: () => void, ms: number) => () => void) | undefined
}

const FIRST_PAUSE_MS = 500
const MAX_BACKOFF_MS = 10_000

/** A browser does not see pings of the hub, so it sends its own, and gives up on a hub that does not answer. */
const QUIET_MS = 15_000
const PONG_TIMEOUT_MS = 10_000

/** Connects this page to its hub. Reconnects automatically. */
export function createConnection({
  openSocket = openHubSocket,
  probe = probeHub,
  now = Date.now,
  delay = delayByTimer,
}: ConnectionOptions = {}) {
  const {get, set, subscribe} = createStore<ConnectionState>({kind: 'connecting'})
  const messageListeners = new Set<(message: ServerMessage) => void>()
  const subscriptions = new Set<Subscription>()
  let socket: Socket | undefined
  let isOpen = false
  let failures = 0
  let lastMessageAt: number | undefined
  let cancelTry = () => {}
  let cancelWatch = () => {}

  function connect(): void {
    cancelTry()
    const state = get()
    if (state.kind === 'lost') set({...state, nextTryAt: undefined})
    const current = openSocket()
    socket = current
    current.addEventListener('open', () => {
      if (socket !== current) return
      isOpen = true
      failures = 0
      lastMessageAt = now()
      watch()
      for (const subscription of subscriptions) send(subscription.describe())
      set({kind: 'live'})
    })
    current.addEventListener('message', ({data}) => {
      if (socket !== current) return
      lastMessageAt = now()
      const message = readMessage(data)
      if (message !== undefined) for (const listener of messageListeners) listener(message)
    })
    current.addEventListener('close', () => drop(current))
  }

  /** A connection was closed, or failed to open. */
  function drop(current: Socket): void {
    if (socket !== current) return
    const wasOpen = isOpen
    socket = undefined
    isOpen = false
    cancelWatch()
    planTry()
    if (!wasOpen) void explain()
  }

  function planTry(): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_BACKOFF_MS)
    failures++
    const state = get()
    const {since, error} = state.kind === 'lost' ? state : {since: now()}
    set({kind: 'lost', since, lastMessageAt, nextTryAt: now() + pause, error})
    cancelTry = delay(connect, pause)
  }

  /** A failed WebSocket does not give a reason; an HTTP request does. */
  async function explain(): Promise<void> {
    const error = await probe()
    const state = get()
    if (state.kind !== 'lost') return
    if (error?.code === 'unauthorized') {
      cancelTry()
      set({kind: 'refused'})
    } else {
      const isSilent = error === undefined || error.code === 'unreachable'
      set({...state, error: isSilent ? undefined : error})
    }
  }

  function watch(): void {
    cancelWatch = delay(() => {
      const asked = now()
      if (asked - (lastMessageAt ?? 0) < QUIET_MS) return watch()
      send({type: 'ping'})
      cancelWatch = delay(() => {
        if ((lastMessageAt ?? 0) >= asked) return watch()
        const silent = socket
        if (silent === undefined) return
        silent.close()
        // A normal close would wait for the side that does not answer.
        drop(silent)
      }, PONG_TIMEOUT_MS)
    }, QUIET_MS)
  }

  /** Sends a message; `false` without a connection. */
  function send(message: ClientMessage): boolean {
    if (socket === undefined || !isOpen) return false
    socket.send(JSON.stringify(message))
    return true
  }

  connect()
  return {
    get,
    subscribe,
    send,
    /** Calls for each message of the hub; returns a function that ends it. */
    on(listener: (message: ServerMessage) => void): () => void {
      messageListeners.add(listener)
      return () => void messageListeners.delete(listener)
    },
    /** Starts a subscription now and on each later connection; returns a function that removes it. */
    addSubscription(subscription: Subscription): () => void {
      subscriptions.add(subscription)
      if (isOpen) send(subscription.describe())
      return () => {
        subscriptions.delete(subscription)
        const end = subscription.end?.()
        if (end !== undefined) send(end)
      }
    },
    /** Tries immediately if not connected. */
    tryNow(): void {
      if (socket !== undefined) return
      failures = 0
      connect()
    },
  }
}

function readMessage(data: unknown): ServerMessage | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return JSON.parse(data) as ServerMessage
  } catch {
    return undefined
  }
}

function openHubSocket(): Socket {
  const url = new URL('/ws', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(url)
}

async function probeHub(): Promise<HubError | undefined> {
  const answer = await fetchStats()
  return answer.ok ? undefined : answer.error
}

function delayByTimer(call: () => void, ms: number): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}
