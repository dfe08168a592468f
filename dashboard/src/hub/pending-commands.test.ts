import {describe, expect, test} from 'vitest'
import type {ClientMessage} from '../../../src/core/protocol/client-message.ts'
import type {ServerMessage} from '../../../src/core/protocol/server-message.ts'
import {createPendingCommands} from './pending-commands.ts'

function createWorld(isConnected = true) {
  const sent: ClientMessage[] = []
  let receive: (message: ServerMessage) => void = () => {}
  const commands = createPendingCommands(
    {
      send(message) {
        if (isConnected) sent.push(message)
        return isConnected
      },
      on(listener) {
        receive = listener
        return () => {}
      },
    },
    () => 5,
  )
  return {commands, sent, receive: (message: ServerMessage) => receive(message)}
}

describe('a command', () => {
  test('is sent once and stays pending', () => {
    const {commands, sent} = createWorld()
    commands.answer({runId: 'a', requestId: 'q1', allow: true})
    commands.answer({runId: 'a', requestId: 'q1', allow: true})
    expect(sent).toEqual([
      {type: 'answer_permission', runId: 'a', requestId: 'q1', allow: true, ref: 'order-1'},
    ])
    expect(commands.get().get('a')).toEqual({
      status: 'sent',
      what: 'allow',
      requestId: 'q1',
      at: 5,
    })
    commands.answer({runId: 'a', requestId: 'q2', allow: true})
    commands.stop('b')
    expect(sent).toHaveLength(3)
    expect([...commands.get().keys()]).toEqual(['a', 'b'])
  })

  test('reports why it failed', () => {
    const {commands, receive} = createWorld()
    commands.answer({runId: 'a', requestId: 'q1', allow: false})
    receive({type: 'error', code: 'no-such-request', message: 'x', ref: 'order-1'})
    expect(commands.get().get('a')).toEqual({
      status: 'failed',
      what: 'deny',
      requestId: 'q1',
      message: 'Already answered, or no longer needed.',
    })
    commands.stop('b')
    receive({type: 'error', code: 'rate-limited', message: 'Too fast.', ref: 'order-2'})
    expect(commands.get().get('b')).toMatchObject({message: 'Too fast.'})
  })

  test('fails without a connection and is not queued', () => {
    const {commands} = createWorld(false)
    commands.stop('a')
    expect(commands.get().get('a')).toMatchObject({
      status: 'failed',
      message: 'Not sent: the hub does not respond.',
    })
  })
})
