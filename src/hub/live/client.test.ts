import {once} from 'node:events'
import type {AddressInfo, Socket} from 'node:net'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {WebSocket, WebSocketServer} from 'ws'
import {createBus, createLive, type Bus} from './bus.ts'
import {serveClient} from './client.ts'
import type {LiveMessage} from '../reader/message-sink.ts'
import type {RunRow, Store} from '../index/store.ts'
import {createSemaphore} from '../semaphore.ts'

let server: WebSocketServer
let bus: Bus
let client: WebSocket
let received: {type: string; seq?: number; content?: string}[]

/** An index that knows one run without messages, or cannot be read. */
function indexOf(getRun: () => Promise<RunRow | null>): Store {
  const page = {messages: [], isEnd: true}
  return {getRun, listMessages: async () => page} as unknown as Store
}

async function connect(store: Store): Promise<void> {
  server.on('connection', (socket, request) => {
    const rights = {view: true, answer: true, ingest: true}
    const wire = request.socket as Socket
    const limitLoading = createSemaphore(1)
    const measure = () => {}
    serveClient(socket, {store, bus, rights, wire, measure, limitLoading})
  })
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.on('message', (data) => received.push(JSON.parse(String(data)) as {type: string}))
  await once(client, 'open')
}

beforeEach(async () => {
  server = new WebSocketServer({port: 0, host: '127.0.0.1'})
  await once(server, 'listening')
  bus = createBus()
  received = []
})

afterEach(async () => {
  client.terminate()
  await new Promise((done) => server.close(done))
})

const waitUntil = async (isReceived: () => boolean) => {
  while (!isReceived()) await once(client, 'message')
}

function messageOf(seq: number, type: LiveMessage['type'], content?: string): LiveMessage {
  return createLive(type, seq, JSON.stringify({type, seq, content}))
}

test('closes the connection, not the hub, when the index cannot be read', async () => {
  await connect(indexOf(() => Promise.reject(new Error('damaged'))))
  client.send('{"type":"stop_run","runId":"a"}')
  const [code] = (await once(client, 'close')) as [number]
  expect(code).toBe(1011)
})

test('sends a replacement of a subscribed run from its first message', async () => {
  await connect(indexOf(() => Promise.resolve(null)))
  client.send('{"type":"subscribe","runId":"a","since":0}')
  client.send('{"type":"ping"}')
  await waitUntil(() => received.some(({type}) => type === 'pong'))
  const first = {runId: 'a', workOrderId: 'a', marker: 'first'}
  const second = {...first, marker: 'second'}
  bus.publish({...first, messages: [messageOf(1, 'run_started'), messageOf(2, 'agent_output')]})
  bus.publish({...first, messages: [messageOf(3, 'agent_output')]})
  bus.publish({...second, messages: [messageOf(1, 'run_started')]})
  bus.publish({...second, messages: [messageOf(2, 'run_ended')]})
  await waitUntil(() => received.some(({type}) => type === 'run_ended'))
  expect(received.flatMap(({seq}) => seq ?? [])).toEqual([1, 2, 3, 1, 2])
})

test('sends messages of every length completely', async () => {
  await connect(indexOf(() => Promise.resolve(null)))
  client.send('{"type":"subscribe","runId":"a"}')
  client.send('{"type":"ping"}')
  await waitUntil(() => received.some(({type}) => type === 'pong'))
  // Lengths around those at which the frame header changes, in bytes and in characters.
  const frame = JSON.stringify({type: 'agent_output', seq: 1, content: ''}).length
  const lengths = [0, 125, 126, 127, 65_535, 65_536, 65_537, 300_000].map((length) => {
    return Math.max(0, length - frame)
  })
  const contents = lengths.flatMap((length) => ['x'.repeat(length), 'é玻'.repeat(length / 5)])
  const messages = contents.map((content, at) => messageOf(at + 1, 'agent_output', content))
  bus.publish({runId: 'a', workOrderId: 'a', marker: 'first', messages})
  await waitUntil(() => received.some(({seq}) => seq === messages.length))
  expect(received.flatMap(({content}) => content ?? [])).toEqual(contents)
})

test('sends no message twice to a client that reconnects while a run is read again', async () => {
  await connect(indexOf(() => Promise.resolve(null)))
  // The client received two messages from a hub that was killed before they were indexed.
  client.send('{"type":"subscribe","runId":"a","since":2}')
  client.send('{"type":"ping"}')
  await waitUntil(() => received.some(({type}) => type === 'pong'))
  const run = {runId: 'a', workOrderId: 'a', marker: 'first'}
  bus.publish({...run, messages: [messageOf(1, 'run_started'), messageOf(2, 'agent_output')]})
  bus.publish({...run, messages: [messageOf(3, 'run_ended')]})
  await waitUntil(() => received.some(({type}) => type === 'run_ended'))
  expect(received.flatMap(({seq}) => seq ?? [])).toEqual([3])
})
