import {STATUS_CODES} from 'node:http'
import type {Duplex} from 'node:stream'
import type {ContentfulStatusCode} from 'hono/utils/http-status'
import {SECURITY_HEADERS} from './security-headers.ts'

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

/** A rejected request, with the reason for programs and for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: ContentfulStatusCode
  readonly body: string
  readonly headers: Record<string, string>

  constructor(
    status: ContentfulStatusCode,
    code: RefusalCode,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.body = `${JSON.stringify({error: {code, message}})}\n`
    this.headers = {
      ...SECURITY_HEADERS,
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(this.body)),
    }
  }
}

/** How long and how much a rejected client may still send: closing earlier would discard the response. */
const LINGER_MS = 2000
const LINGER_BYTES = 16 * 1024 * 1024

/** Rejects an upgrade on its raw connection and closes it. */
export function refuseUpgrade(socket: Duplex, {status, headers, body}: Refusal): void {
  const lines = Object.entries({...headers, connection: 'close'}).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  const close = () => socket.destroy()
  const timer = setTimeout(close, LINGER_MS)
  let drained = 0
  socket.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > LINGER_BYTES) close()
  })
  // The client may be gone before the response.
  socket.on('error', close)
  socket.once('end', close)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}

/** Answers malformed, oversized or slow requests: for the `clientError` event of a server. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The event repeats for every further chunk, and also fires when the client is gone.
  if (error.code === 'ECONNRESET' || !socket.writable) return
  refuseUpgrade(socket, explainBroken(error.code))
}

function explainBroken(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(431, 'headers-too-large', 'The request headers are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal(408, 'too-slow', 'The request was not received in time.')
  return new Refusal(400, 'bad-request', 'Invalid HTTP request.')
}
