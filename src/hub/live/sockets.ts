import {randomBytes} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Duplex} from 'node:stream'
import {WebSocketServer, type WebSocket} from 'ws'
import type {ByteBudget} from './byte-budget.ts'
import {SOCKET_OPTIONS} from '../auth/auth.ts'
import {createRateLimit} from '../auth/rate-limit.ts'

/** The WebSockets of one kind of peer. */
export type Sockets = ReturnType<typeof openSockets>

/** Limits of sockets. */
export interface SocketsOptions {
  /** The maximum size of a message in bytes. */
  maxPayload: number
  /** Bytes of incomplete messages. */
  incoming: ByteBudget
  /** Bytes that wait for peers that do not read. */
  outgoing: ByteBudget
  /** Whether messages count as a sign of life: a pong may wait behind a large upload. */
  uploads: boolean
  /** @defaultValue 30,000 */
  heartbeatMs?: number | undefined
}

const GOODBYE_MS = 1000
/** A client pings every few seconds; more is abuse. */
const CONTROL_FRAME_RATE = {perSecond: 5, burst: 100}
const MAX_PONG_BUFFER_BYTES = 64 * 1024
/** The bytes of a client's control frame besides its data: header and mask. */
const CONTROL_FRAME_HEADER = 6

/** Opens WebSockets that are pinged, and closed when they do not answer or occupy too much memory. */
export function openSockets(options: SocketsOptions) {
  const {maxPayload, incoming, outgoing, uploads, heartbeatMs = 30_000} = options
  const server = new WebSocketServer({
    ...SOCKET_OPTIONS,
    maxPayload,
    // `ws` answers every ping, even if the peer reads nothing.
    autoPong: false,
  })
  /** Sockets that have not answered the last ping. */
  const quiet = new WeakSet<WebSocket>()
  /** Sockets whose incomplete message is older than the last ping. */
  const unfinished = new WeakSet<WebSocket>()
  const receiving = new WeakMap<WebSocket, number>()
  // Random, so that only a peer that reads can answer it.
  let pingData = randomBytes(8)
  const timer = setInterval(() => {
    pingData = randomBytes(8)
    for (const socket of server.clients) {
      if (quiet.has(socket) || unfinished.has(socket)) {
        socket.terminate()
        continue
      }
      quiet.add(socket)
      if ((receiving.get(socket) ?? 0) > 0) unfinished.add(socket)
      socket.ping(pingData)
    }
  }, heartbeatMs).unref()

  return {
    get count() {
      return server.clients.size
    },
    /** Completes the handshake of a request. */
    upgrade(
      request: IncomingMessage,
      wire: Duplex,
      head: Buffer,
      onOpen: (socket: WebSocket, measure: () => void) => void,
    ): void {
      server.handleUpgrade(request, wire, head, (socket) => {
        countIncoming(socket, wire)
        answerPings(socket)
        onOpen(socket, countOutgoing(socket))
      })
    },
    async close(): Promise<void> {
      clearInterval(timer)
      for (const socket of server.clients) socket.close(1001, 'the hub is shutting down')
      await new Promise<void>((done) => {
        setTimeout(done, GOODBYE_MS).unref()
        server.close(() => done())
      })
      for (const socket of server.clients) socket.terminate()
    },
  }

  /** Counts the bytes since the last complete message: `ws` buffers them until the message is complete. */
  function countIncoming(socket: WebSocket, wire: Duplex): void {
    const account = incoming.open(() => socket.terminate())
    let held = 0
    const set = (bytes: number) => {
      held = Math.max(0, bytes)
      receiving.set(socket, held)
      if (held === 0) unfinished.delete(socket)
      account.set(held)
    }
    // Before `ws` parses them.
    wire.prependListener('data', (chunk: Buffer) => set(held + chunk.length))
    socket.on('message', () => {
      if (uploads) quiet.delete(socket)
      set(0)
    })
    const onControlFrame = (data: Buffer) => set(held - CONTROL_FRAME_HEADER - data.length)
    socket.on('ping', onControlFrame)
    socket.on('pong', onControlFrame)
    socket.on('close', account.close)
  }

  function answerPings(socket: WebSocket): void {
    const controlFrames = createRateLimit({...CONTROL_FRAME_RATE, maxKeys: 1})
    socket.on('pong', (data) => {
      if (data.equals(pingData)) quiet.delete(socket)
      if (controlFrames.take('') > 0) socket.terminate()
    })
    socket.on('ping', (data) => {
      if (controlFrames.take('') > 0) socket.terminate()
      else if (socket.bufferedAmount < MAX_PONG_BUFFER_BYTES) socket.pong(data)
    })
    socket.on('error', () => {})
  }

  /** Returns the function to call after bytes were written, and after they were flushed. */
  function countOutgoing(socket: WebSocket): () => void {
    const account = outgoing.open(() => socket.terminate())
    socket.on('close', account.close)
    return () => account.set(socket.bufferedAmount)
  }
}
