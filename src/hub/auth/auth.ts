import type {IncomingMessage, ServerOptions} from 'node:http'
import type {ServerOptions as SocketOptions} from 'ws'
import {chooseProtocol, findToken} from './find-token.ts'
import {createRequestCheck} from './check-request.ts'
import type {ListenAddress} from './listen-address.ts'
import {createLoginCodes} from './login-codes.ts'
import {
  addressKey,
  createRateLimit,
  describeRateLimit,
  type RateLimitOptions,
} from './rate-limit.ts'
import {Refusal} from '../http/refusal.ts'
import {createSessionCookie, listCookies} from './session-cookie.ts'
import {readToken, type Rights} from './tokens.ts'

export interface AuthOptions {
  token: string
  address: ListenAddress
  port: number
  /**
   * For each token at each network address, and for all requests without a valid one. @defaultValue 500 a second,
   * 2,000 at once
   */
  requests?: RateLimitOptions | undefined
  onKnown?: ((request: IncomingMessage) => void) | undefined
  now?: (() => number) | undefined
}

/** The auth of a hub: all checks of a request, in order. They throw a `Refusal`. */
export interface Auth {
  /** The first check, for every request and upgrade: Host, Origin and rate limits. Returns the URL of the request. */
  checkRequest: (request: IncomingMessage) => URL
  /** The second check, for everything that is not public: that the token or cookie grants a right. */
  authorize: (request: IncomingMessage, right: keyof Rights) => Rights
  /** Creates a link that logs one browser in, once and soon. */
  createLoginLink: () => string
  /** Exchanges a login code for the `Set-Cookie` header of a session. */
  logIn: (request: IncomingMessage, code: string) => string
  /** The `Set-Cookie` header that ends the session of a browser. */
  logOut: () => string
}

/** Options of the HTTP server that bound the work before any check. */
export const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2000,
  insecureHTTPParser: false,
  requireHostHeader: true,
}

/** Options of the WebSocket server: client messages are short, so compression costs more than it saves. */
export const SOCKET_OPTIONS: SocketOptions = {
  noServer: true,
  maxPayload: 256 * 1024,
  perMessageDeflate: false,
  handleProtocols: chooseProtocol,
}

/** Invalid tokens, cookies and codes of one network address. */
const FAILURE_RATE = {perSecond: 10 / 60, burst: 10}

export function createAuth(options: AuthOptions): Auth {
  const {token, address, port, now} = options
  const cookie = createSessionCookie({token, port, isSecure: address.scheme === 'https', now})
  const checkRequest = createRequestCheck(address.origins(port), cookie.name)
  const codes = createLoginCodes({now})
  const requests = createRateLimit(options.requests ?? {perSecond: 500, burst: 2000})
  const failures = createRateLimit(FAILURE_RATE)
  // Only failures are counted and slowed down, so that clients with the token cannot be locked out.
  const countFailure = (request: IncomingMessage) => slowDown(failures.take(keyOf(request)))
  return {
    checkRequest(request) {
      const checked = checkRequest(request)
      const isKnown = checked instanceof URL && readRights(request) !== null
      if (isKnown) options.onKnown?.(request)
      // Rejected requests must not use up the rate of accepted ones, even if all come from one address.
      const key = isKnown ? `${keyOf(request)} ${findToken(request) ?? 'cookie'}` : keyOf(request)
      slowDown(requests.take(key))
      if (checked instanceof Refusal) throw checked
      return checked
    },
    authorize(request, right) {
      const rights = readRights(request)
      if (rights?.[right] === true) return rights
      if (rights !== null) {
        const message = `This request needs a token with the right \`${right}\`.`
        throw new Refusal(403, 'forbidden', message)
      }
      const cookies = listCookies(request.headers.cookie, cookie.name)
      if (findToken(request) !== null || cookies.length > 0) countFailure(request)
      throw new Refusal(401, 'unauthorized', UNAUTHORIZED, {
        'www-authenticate': 'Bearer realm="vitrine"',
      })
    },
    createLoginLink: () => `${address.urls(port)[0] ?? ''}/login?code=${codes.issue('answer')}`,
    logIn(request, code) {
      const role = codes.redeem(code)
      if (role !== null) return cookie.open(role)
      countFailure(request)
      throw new Refusal(403, 'bad-login-code', 'This login link was already used or has expired.')
    },
    logOut: cookie.close,
  }

  /** `null` without valid credentials. A token decides alone, even beside a valid cookie. The URL is never considered. */
  function readRights(request: IncomingMessage): Rights | null {
    const presented = findToken(request)
    return presented === null ? cookie.read(request.headers.cookie) : readToken(token, presented)
  }
}

function keyOf({socket}: IncomingMessage): string {
  return addressKey(socket.remoteAddress)
}

function slowDown(waitMs: number): void {
  if (waitMs === 0) return
  const headers = {'retry-after': String(Math.ceil(waitMs / 1000))}
  throw new Refusal(429, 'too-many-requests', describeRateLimit(waitMs), headers)
}

const UNAUTHORIZED =
  'Authentication required. Send the token as "Authorization: Bearer <token>", or open a login link.'
