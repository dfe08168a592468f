import type {Socket} from 'node:net'
import {addressKey} from './rate-limit.ts'

/** Connections without a valid token or cookie. */
export interface UnauthenticatedLimit {
  /** Counts a new connection. When there are too many, the oldest is closed: a client sends its token immediately. */
  add(socket: Socket): void
  /** The connection has sent a valid token or cookie and no longer counts. */
  admit(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void
}

/** Bounds the connections without a valid token or cookie, so that they do not lock out others. */
export function createUnauthenticatedLimit(limits: {
  maxTotal: number
  maxPerAddress: number
}): UnauthenticatedLimit {
  const {maxTotal, maxPerAddress} = limits
  /** The oldest first. */
  const all = new Map<string, Socket>()
  const byAddress = new Map<string, Set<string>>()

  return {
    add(socket) {
      const key = keyOf(socket)
      const address = addressKey(socket.remoteAddress)
      const ofAddress = byAddress.get(address) ?? new Set()
      byAddress.set(address, ofAddress.add(key))
      all.set(key, socket)
      socket.once('close', () => forget(key, address))
      if (ofAddress.size > maxPerAddress) evict(ofAddress.values().next().value, address)
      if (all.size <= maxTotal) return
      const [oldest] = all
      if (oldest !== undefined) evict(oldest[0], addressKey(oldest[1].remoteAddress))
    },
    admit: (socket) => forget(keyOf(socket), addressKey(socket.remoteAddress)),
  }

  function evict(key: string | undefined, address: string): void {
    if (key === undefined) return
    const socket = all.get(key)
    forget(key, address)
    socket?.destroy()
  }

  function forget(key: string, address: string): void {
    all.delete(key)
    const ofAddress = byAddress.get(address)
    ofAddress?.delete(key)
    if (ofAddress?.size === 0) byAddress.delete(address)
  }
}

/** The same key for a TLS socket and its underlying socket. */
function keyOf({remoteAddress, remotePort}: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`
}
