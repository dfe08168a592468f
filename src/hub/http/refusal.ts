import {STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http'
import type {Duplex, Readable} from 'node:stream'
import {securityHeaders} from './security-headers.ts'

/** The word for why a request is refused. */
export type RefusalCode =
  | 'bad-body'
  | 'bad-content-type'
  | 'bad-host'
  | 'bad-json'
  | 'bad-login-code'
  | 'bad-origin'
  | 'bad-request'
  | 'bad-upgrade'
  | 'bad-url'
  | 'body-too-large'
  | 'cannot-record'
  | 'forbidden'
  | 'headers-too-large'
  | 'internal'
  | 'method-not-allowed'
  | 'no-origin'
  | 'no-such-run'
  | 'not-found'
  | 'other-site'
  | 'token-in-url'
  | 'too-many-requests'
  | 'too-slow'
  | 'unauthorized'
  | 'url-too-long'

/** A no, with its reason for programs and for people. */
export interface Refusal {
  type: 'refuse'
  status: number
  code: RefusalCode
  message: string
  headers: Record<string, string>
}

/** Says no. */
export function refuse(
  status: number,
  code: RefusalCode,
  message: string,
  headers: Record<string, string> = {},
): Refusal {
  return {type: 'refuse', status, code, message, headers}
}

/** How long, and for how many bytes, we listen to somebody who was told no and goes on. */
const LINGER_MS = 2000
const LINGER_BYTES = 16 * 1024 * 1024

/** Answers a request with a refusal; the connection is closed when there is a body that nobody will read. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  const body = bodyOf(refusal)
  const isUnread = hasUnreadBody(request)
  response.writeHead(refusal.status, {
    ...headersOf(refusal, body),
    ...(isUnread ? {connection: 'close'} : {}),
  })
  response.write(body)
  if (isUnread) lingerOver(request, () => response.end())
  else response.end()
}

/** Answers on a connection that is not one of HTTP, or not yet, and closes it: an upgrade that is refused. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal)
  const headers = Object.entries({...headersOf(refusal, body), connection: 'close'})
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const reason = STATUS_CODES[refusal.status] ?? ''
  socket.end(`HTTP/1.1 ${refusal.status} ${reason}\r\n${lines}\r\n${body}`)
  lingerOver(socket, () => socket.destroy())
}

/** Answers what is not HTTP, or too much or too slow to be read: for the `clientError` of a server. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  // It is told for every further piece that comes, and also when nobody is there.
  if (error.code === 'ECONNRESET' || !socket.writable) return
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    refuseUpgrade(socket, refuse(431, 'headers-too-large', 'The request headers are too large.'))
  } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuseUpgrade(socket, refuse(408, 'too-slow', 'The request was not received in time.'))
  } else {
    refuseUpgrade(socket, refuse(400, 'bad-request', 'Invalid HTTP request.'))
  }
}

function bodyOf({code, message}: Refusal): string {
  return `${JSON.stringify({error: {code, message}})}\n`
}

function headersOf(refusal: Refusal, body: string): Record<string, string> {
  return {
    ...securityHeaders('api'),
    ...refusal.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
}

function hasUnreadBody({complete, headers}: IncomingMessage): boolean {
  const isExpected =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return isExpected && !complete
}

/** To close on somebody who is still sending would take the answer away from them, so we hear them out for a while. */
function lingerOver(source: Readable, close: () => void): void {
  let heard = 0
  const timer = setTimeout(close, LINGER_MS)
  source.on('data', (chunk: Buffer) => {
    heard += chunk.length
    if (heard > LINGER_BYTES) close()
  })
  // Whoever is refused may be gone before the answer.
  source.on('error', close)
  source.once('end', close)
  source.once('close', () => clearTimeout(timer))
  source.resume()
}
