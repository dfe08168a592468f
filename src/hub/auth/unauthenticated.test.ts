import {EventEmitter} from 'node:events'
import type {Socket} from 'node:net'
import {expect, test} from 'vitest'
import {createUnauthenticatedLimit} from './unauthenticated.ts'

let lastPort = 0

function connectionFrom(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    remotePort: ++lastPort,
    destroyed: false,
    destroy() {
      socket.destroyed = true
      socket.emit('close')
    },
  })
  return socket as unknown as Socket
}

function open(addresses: string[]) {
  const limit = createUnauthenticatedLimit({maxTotal: 4, maxPerAddress: 2})
  const sockets = addresses.map((address) => {
    const socket = connectionFrom(address)
    limit.add(socket)
    return socket
  })
  return {limit, sockets, closed: () => sockets.map(({destroyed}) => destroyed)}
}

test('closes the oldest connection of an address that has too many', () => {
  const {closed} = open(['10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.1'])
  expect(closed()).toEqual([true, false, false, false])
})

test('closes the oldest connection of all when there are too many in total', () => {
  const {closed} = open(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'])
  expect(closed()).toEqual([true, false, false, false, false])
})

test('does not count a connection that was admitted or closed', () => {
  const {limit, sockets, closed} = open(['10.0.0.1', '10.0.0.1'])
  const [first, second] = sockets
  if (first === undefined || second === undefined) throw new Error('no sockets')
  limit.admit(first)
  second.destroy()
  for (let count = 0; count < 2; count++) limit.add(connectionFrom('10.0.0.1'))
  expect(closed()).toEqual([false, true])
})
