import {describe, expect, test} from 'vitest'
import type {ClientMessage} from '../../../src/core/protocol/client-message.ts'
import type {ServerMessage} from '../../../src/core/protocol/server-message.ts'
import {createPendingCommands} from './pending-commands.ts'

function createWorld(isConnected = true) {
  const said: ClientMessage[] = []
  let hear: (message: ServerMessage) => void = () => {}
  const orders = createPendingCommands(
    {
      send(message) {
        if (isConnected) said.push(message)
        return isConnected
      },
      on(listener) {
        hear = listener
        return () => {}
      },
    },
    () => 5,
  )
  return {orders, said, hear: (message: ServerMessage) => hear(message)}
}

describe('a command', () => {
  test('is sent once and stays pending', () => {
    const {orders, said} = createWorld()
    orders.answer({runId: 'a', requestId: 'q1', allow: true})
    orders.answer({runId: 'a', requestId: 'q1', allow: true})
    expect(said).toEqual([
      {type: 'answer_permission', runId: 'a', requestId: 'q1', allow: true, ref: 'order-1'},
    ])
    expect(orders.getSnapshot().get('a')).toEqual({
      status: 'sent',
      what: 'allow',
      requestId: 'q1',
      at: 5,
    })
    orders.answer({runId: 'a', requestId: 'q2', allow: true})
    orders.stop('b')
    expect(said).toHaveLength(3)
    orders.clear('a')
    expect([...orders.getSnapshot().keys()]).toEqual(['b'])
  })

  test('reports why it failed', () => {
    const {orders, hear} = createWorld()
    orders.answer({runId: 'a', requestId: 'q1', allow: false})
    hear({type: 'error', code: 'no-such-request', message: 'x', ref: 'order-1'})
    expect(orders.getSnapshot().get('a')).toEqual({
      status: 'failed',
      what: 'deny',
      requestId: 'q1',
      message: 'Answered already, or the agent has moved on.',
    })
    orders.stop('b')
    hear({type: 'error', code: 'rate-limited', message: 'Too fast.', ref: 'order-2'})
    expect(orders.getSnapshot().get('b')).toMatchObject({message: 'Too fast.'})
  })

  test('fails without a connection and is not queued', () => {
    const {orders} = createWorld(false)
    orders.stop('a')
    expect(orders.getSnapshot().get('a')).toMatchObject({
      status: 'failed',
      message: 'Not sent: the hub does not answer.',
    })
  })
})
