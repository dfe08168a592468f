import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type Server} from 'node:http'
import {connect, type AddressInfo, type Socket} from 'node:net'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {createByteBudget} from './byte-budget.ts'
import {openSockets, type Sockets} from './sockets.ts'

let server: Server
let sockets: Sockets
let clients: Socket[]
/** The server side of each connection, and the function that measures its output. */
let accepted: {socket: WebSocket; measure: () => void}[]

async function open(heartbeatMs?: number): Promise<void> {
  const incoming = createByteBudget({maxBytes: 300_000, freeBytes: 1000})
  const outgoing = createByteBudget({maxBytes: 20_000_000, freeBytes: 1000})
  sockets = openSockets({
    maxPayload: 1_000_000,
    incoming,
    outgoing,
    uploads: false,
    ...(heartbeatMs !== undefined && {heartbeatMs}),
  })
  server = createServer()
  server.on('upgrade', (request, wire, head) =>
    sockets.upgrade(request, wire, head, (socket, measure) => accepted.push({socket, measure})),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

beforeEach(() => {
  accepted = []
  clients = []
})

afterEach(async () => {
  for (const client of clients) client.destroy()
  await sockets.close()
  server.close()
})

/** Connects a client that does not read. */
async function join(): Promise<{client: Socket; closed: Promise<void>}> {
  const {port} = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  clients.push(client)
  client.on('error', () => {})
  client.write(
    `GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await once(client, 'readable')
  const {socket} = accepted.at(-1) ?? {}
  const closed = new Promise<void>((resolve) => socket?.once('close', () => resolve()))
  return {client, closed}
}

/** A masked frame; unless it is the last one, more frames of the message follow. */
function frame(opcode: number, content: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(14)
  head[0] = (isLast ? 0x80 : 0) | opcode
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(content.length), 2)
  return Buffer.concat([head, content])
}

const TEXT = 1
const unfinished = frame(TEXT, Buffer.alloc(200_000, ' '), false)

test('closes the connection with the oldest unfinished message when all connections together exceed the limit', async () => {
  await open()
  const first = await join()
  first.client.write(unfinished)
  const second = await join()
  // A complete message holds no bytes.
  second.client.write(frame(TEXT, Buffer.alloc(200_000, ' '), true))
  await once(accepted[1]?.socket ?? server, 'message')
  const third = await join()
  third.client.write(unfinished)
  await first.closed
  expect(accepted.map(({socket}) => socket.readyState === WebSocket.OPEN)).toEqual([
    false,
    true,
    true,
  ])
})

test('closes the connection that has not read for the longest time when all connections together exceed the limit', async () => {
  await open()
  const first = await join()
  await join()
  for (const {socket, measure} of accepted) {
    socket.send(Buffer.alloc(16_000_000), measure)
    measure()
  }
  await first.closed
  expect(accepted[1]?.socket.readyState).toBe(WebSocket.OPEN)
})

test('closes a connection whose message is not complete after two heartbeats', async () => {
  await open(50)
  const {client, closed} = await join()
  // The client answers each ping, so it counts as alive.
  client.on('data', (data: Buffer) => {
    const at = data.indexOf(Buffer.from([0x89, 8]))
    if (at !== -1) client.write(pong(data.subarray(at + 2, at + 10)))
  })
  client.write(unfinished)
  await closed
  expect(sockets.count).toBe(0)
})

test('ignores a pong that answers no ping', async () => {
  await open(50)
  const {client, closed} = await join()
  const timer = setInterval(() => client.write(pong(Buffer.alloc(8))), 40)
  await closed
  clearInterval(timer)
  expect(sockets.count).toBe(0)
})

test('keeps a connection that answers its pings', async () => {
  await open(50)
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (let count = 0; count < 5; count++) await once(socket, 'ping')
  expect(socket.readyState).toBe(WebSocket.OPEN)
  socket.terminate()
})

function pong(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x8a, 0x80 | data.length, 0, 0, 0, 0]), data])
}
