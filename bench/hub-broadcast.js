// The baseline for fan-out: a WebSocket server that sends the same texts to all clients, in its own process.

import {readFileSync} from 'node:fs'
import {WebSocketServer} from 'ws'

/** @type {string[]} */
const messages = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const server = new WebSocketServer({host: '127.0.0.1', port: 0, perMessageDeflate: false})
let sent = 0

server.on('listening', () => {
  const address = server.address()
  process.send?.({port: typeof address === 'object' ? address?.port : 0})
})
// Any request counts as a subscription to all messages.
server.on('connection', (client) => {
  client.on('message', () => client.send('{"type":"subscribed"}'))
})
process.on('message', (/** @type {{upTo: number}} */ {upTo}) => {
  if (upTo === 0) sent = 0
  for (; sent < upTo; sent++) {
    const text = messages[sent] ?? ''
    for (const client of server.clients) client.send(text)
  }
})
process.on('disconnect', () => process.exit(0))
