import {STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http'
import type {Duplex, Readable} from 'node:stream'
import {securityHeaders} from './security-headers.ts'

/** The code of a rejection. */
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

/** A rejection, with its reason for programs and for people. */
export interface Refusal {
  type: 'refuse'
  status: number
  code: RefusalCode
  message: string
  headers: Record<string, string>
}

/** Creates a rejection. */
export function refuse(
  status: number,
  code: RefusalCode,
  message: string,
  headers: Record<string, string> = {},
): Refusal {
  return {type: 'refuse', status, code, message, headers}
}

/** How long, and for how many bytes, the input of a rejected client is drained. */
const LINGER_MS = 2000
const LINGER_BYTES = 16 * 1024 * 1024

/** Sends a rejection; closes the connection when there is an unread body. */
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

/** Rejects an upgrade on its raw connection and closes it. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal)
  const headers = Object.entries({...headersOf(refusal, body), connection: 'close'})
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const reason = STATUS_CODES[refusal.status] ?? ''
  socket.end(`HTTP/1.1 ${refusal.status} ${reason}\r\n${lines}\r\n${body}`)
  lingerOver(socket, () => socket.destroy())
}

/** Answers malformed, oversized or slow requests: for the `clientError` event of a server. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The event repeats for every further chunk, and also fires when the client is gone.
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

/** Drains the input for a while: closing while the client sends would discard the response. */
function lingerOver(source: Readable, close: () => void): void {
  let drained = 0
  const timer = setTimeout(close, LINGER_MS)
  source.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > LINGER_BYTES) close()
  })
  // The client may be gone before the response.
  source.on('error', close)
  source.once('end', close)
  source.once('close', () => clearTimeout(timer))
  source.resume()
}
