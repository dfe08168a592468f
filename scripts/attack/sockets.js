// Raw connections that never read or send incomplete messages, and regular WebSocket clients.

import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {connect} from 'node:net'
import {WebSocket} from 'ws'

/** @typedef {import('./hub.js').AttackedHub} AttackedHub */

/**
 * Opens a WebSocket that reads nothing after its handshake.
 *
 * @param {AttackedHub} hub
 * @param {string} path
 * @param {string} token
 */
export async function openUnread(hub, path, token) {
  const socket = connect(hub.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${hub.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Authorization: Bearer ${token}\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  return socket
}

const OPCODES = {continuation: 0, text: 1, binary: 2, ping: 9, pong: 10}

/**
 * A masked frame, with zeros as its mask.
 *
 * @param {keyof typeof OPCODES} kind
 * @param {Buffer | string} content
 * @param {{isLast?: boolean, length?: number}} [options] `length`: a wrong length to claim.
 */
export function createFrame(kind, content, {isLast = true, length} = {}) {
  const bytes = Buffer.from(content)
  const claimed = length ?? bytes.length
  const size = claimed < 126 ? 0 : claimed < 65_536 ? 2 : 8
  const head = Buffer.alloc(2 + size + 4)
  head[0] = (isLast ? 0x80 : 0) | OPCODES[kind]
  head[1] = 0x80 | (size === 0 ? claimed : size === 2 ? 126 : 127)
  if (size === 2) head.writeUInt16BE(claimed, 2)
  if (size === 8) head.writeBigUInt64BE(BigInt(claimed), 2)
  return Buffer.concat([head, bytes])
}

/**
 * Opens a regular WebSocket client that collects all messages.
 *
 * @param {AttackedHub} hub
 * @param {string} path
 * @param {string} token
 */
export async function openSocket(hub, path, token) {
  const socket = new WebSocket(`ws://127.0.0.1:${hub.port}${path}`, {
    headers: {authorization: `Bearer ${token}`},
    perMessageDeflate: false,
  })
  /** @type {any[]} */
  const received = []
  /** @type {Set<() => void>} */
  const waiting = new Set()
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)))
    for (const check of waiting) check()
  })
  socket.on('error', () => {})
  await once(socket, 'open')
  return {
    socket,
    received,
    /** @param {object} message */
    send: (message) => socket.send(JSON.stringify(message)),
    /**
     * Waits for a message.
     *
     * @param {(message: any) => boolean} isWanted
     * @param {number} [timeoutMs]
     * @returns {Promise<any>} `undefined` after the timeout.
     */
    receives: (isWanted, timeoutMs = 20_000) =>
      new Promise((resolve) => {
        const check = () => {
          const found = received.find(isWanted)
          if (found === undefined) return
          waiting.delete(check)
          clearTimeout(timer)
          resolve(found)
        }
        const timer = setTimeout(() => {
          waiting.delete(check)
          resolve(undefined)
        }, timeoutMs)
        waiting.add(check)
        check()
      }),
  }
}
