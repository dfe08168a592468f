import {describe, expect, test} from 'vitest'
import type {HubError} from './api.ts'
import {createConnection, type Socket} from './connection.ts'

/** A fake clock and fake sockets that the test controls. */
function createWorld(error?: HubError) {
  let now = 1000
  let timers: {at: number; call: () => void}[] = []
  const sockets: FakeSocket[] = []
  const probes: number[] = []
  const connection = createConnection({
    openSocket() {
      const socket = createFakeSocket()
      sockets.push(socket)
      return socket
    },
    probe() {
      probes.push(now)
      return Promise.resolve(error)
    },
    now: () => now,
    delay(call, ms) {
      const timer = {at: now + ms, call}
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
  function pass(ms: number): void {
    const end = now + ms
    for (;;) {
      const next = timers.filter(({at}) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter((timer) => timer !== next)
      now = next.at
      next.call()
    }
    now = end
  }
  return {connection, sockets, probes, pass, last: () => sockets.at(-1) ?? createFakeSocket()}
}

interface FakeSocket extends Socket {
  sent: unknown[]
  open(): void
  receive(message: object): void
  fail(): void
}

function createFakeSocket(): FakeSocket {
  const listeners: Record<string, (event: {data: unknown}) => void> = {}
  const sent: unknown[] = []
  return {
    sent,
    send: (text) => sent.push(JSON.parse(text)),
    close: () => {},
    addEventListener(type: string, listener: (event: {data: unknown}) => void) {
      listeners[type] = listener
    },
    open: () => listeners['open']?.({data: ''}),
    receive: (message) => listeners['message']?.({data: JSON.stringify(message)}),
    fail: () => listeners['close']?.({data: ''}),
  }
}

describe('a connection', () => {
  test('reconnects with a delay that grows to ten seconds', () => {
    const {connection, sockets, last, pass} = createWorld()
    expect(connection.get()).toEqual({kind: 'connecting'})
    const pauses = [500, 1000, 2000, 4000, 8000, 10_000, 10_000]
    for (const [index, pause] of pauses.entries()) {
      last().fail()
      pass(pause - 1)
      expect(sockets).toHaveLength(index + 1)
      pass(1)
      expect(sockets).toHaveLength(index + 2)
    }
    last().open()
    expect(connection.get()).toEqual({kind: 'live'})
    last().fail()
    pass(500)
    expect(sockets).toHaveLength(pauses.length + 2)
  })

  test('reports when it was lost, the time of the last message and the next retry', () => {
    const {connection, last, pass} = createWorld()
    last().open()
    pass(200)
    last().receive({type: 'pong', timestamp: ''})
    pass(300)
    last().fail()
    const lost = {kind: 'lost', since: 1500, lastMessageAt: 1200, error: undefined}
    expect(connection.get()).toEqual({...lost, nextTryAt: 2000})
    pass(500)
    expect(connection.get()).toEqual({...lost, nextTryAt: undefined})
    last().fail()
    expect(connection.get()).toEqual({...lost, nextTryAt: 3000})
  })

  test('subscribes again after each reconnect, with the current cursor', () => {
    const {connection, last, pass} = createWorld()
    let since = 0
    const remove = connection.addSubscription({
      describe: () => ({type: 'subscribe', runId: 'a', since}),
      end: () => ({type: 'unsubscribe', runId: 'a'}),
    })
    last().open()
    expect(last().sent).toEqual([{type: 'subscribe', runId: 'a', since: 0}])
    since = 7
    last().fail()
    pass(500)
    last().open()
    expect(last().sent).toEqual([{type: 'subscribe', runId: 'a', since: 7}])
    connection.addSubscription({describe: () => ({type: 'subscribe', runId: 'b'})})
    remove()
    expect(last().sent.slice(1)).toEqual([
      {type: 'subscribe', runId: 'b'},
      {type: 'unsubscribe', runId: 'a'},
    ])
  })

  test('publishes messages to listeners, and does not send while it is closed', () => {
    const {connection, last} = createWorld()
    const received: unknown[] = []
    const remove = connection.on((message) => received.push(message))
    expect(connection.send({type: 'ping'})).toBe(false)
    last().open()
    expect(connection.send({type: 'ping'})).toBe(true)
    last().receive({type: 'pong', timestamp: 'x'})
    remove()
    last().receive({type: 'pong', timestamp: 'y'})
    expect(received).toEqual([{type: 'pong', timestamp: 'x'}])
  })

  test('stops reconnecting when it is unauthorized, until a retry is requested', async () => {
    const {connection, sockets, last, pass} = createWorld({code: 'unauthorized', message: ''})
    last().fail()
    await Promise.resolve()
    await Promise.resolve()
    expect(connection.get()).toEqual({kind: 'refused'})
    pass(60_000)
    expect(sockets).toHaveLength(1)
    connection.tryNow()
    last().open()
    expect(connection.get()).toEqual({kind: 'live'})
  })

  test('reports the error of the hub', async () => {
    const error = {code: 'bad-host', message: 'Not a name of this hub.'}
    const {connection, last, probes} = createWorld(error)
    last().fail()
    await Promise.resolve()
    await Promise.resolve()
    expect(connection.get()).toMatchObject({kind: 'lost', error})
    expect(probes).toEqual([1000])
  })

  test('retries immediately on request and resets the delay', () => {
    const {connection, sockets, last, pass} = createWorld()
    for (let count = 0; count < 4; count++) {
      last().fail()
      pass(10_000)
    }
    last().fail()
    const {length} = sockets
    connection.tryNow()
    connection.tryNow()
    expect(sockets).toHaveLength(length + 1)
    last().fail()
    pass(500)
    expect(sockets).toHaveLength(length + 2)
  })

  test('counts as lost when the hub does not answer a ping', () => {
    const {connection, last, pass} = createWorld()
    last().open()
    pass(15_000)
    expect(last().sent).toEqual([{type: 'ping'}])
    last().receive({type: 'pong', timestamp: ''})
    pass(10_000 + 15_000)
    expect(connection.get()).toEqual({kind: 'live'})
    expect(last().sent).toHaveLength(2)
    pass(10_000)
    expect(connection.get()).toMatchObject({kind: 'lost'})
  })
})
