import type {Socket} from 'node:net'
import {addressKey} from './rate-limit.ts'

/** Bounds the connections without a valid token or cookie, so that they do not lock out others. */
export function createUnauthenticatedLimit(limits: {maxTotal: number; maxPerAddress: number}) {
  /** The oldest first. */
  const open = new Map<string, {socket: Socket; address: string}>()

  return {
    /** Counts a new connection. When there are too many, the oldest is closed: a client sends its token immediately. */
    add(socket: Socket): void {
      const key = keyOf(socket)
      const address = addressKey(socket.remoteAddress)
      open.set(key, {socket, address})
      socket.once('close', () => open.delete(key))
      const ofAddress = [...open].filter(([, other]) => other.address === address)
      if (ofAddress.length > limits.maxPerAddress) evict(ofAddress[0])
      if (open.size > limits.maxTotal) evict(open.entries().next().value)
    },
    /** The connection has sent a valid token or cookie and no longer counts. */
    admit(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
      open.delete(keyOf(socket))
    },
  }

  function evict(oldest: [string, {socket: Socket}] | undefined): void {
    if (oldest === undefined) return
    open.delete(oldest[0])
    oldest[1].socket.destroy()
  }
}

/** The same key for a TLS socket and its underlying socket. */
function keyOf({remoteAddress, remotePort}: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`
}
