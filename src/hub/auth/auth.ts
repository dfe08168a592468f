import type {IncomingMessage, ServerOptions} from 'node:http'
import type {ServerOptions as SocketOptions} from 'ws'
import {authorize, chooseProtocol, findToken} from './authorize.ts'
import {createGuard, type Admission} from './check-request.ts'
import type {ListenAddress} from './listen-address.ts'
import {createLoginCodes} from './login-codes.ts'
import {
  addressKey,
  createRateLimit,
  describeRateLimit,
  type RateLimitOptions,
} from './rate-limit.ts'
import {refuse, type Refusal} from '../http/refusal.ts'
import {createSessionCookie, listCookies} from './session-cookie.ts'
import type {Rights} from './tokens.ts'

/** What the doors of a hub are made for. */
export interface DoorOptions {
  /** The main token. */
  token: string
  address: ListenAddress
  /** The port that it listens on. */
  port: number
  /** For each token at each network address, and for all requests without a valid one. @defaultValue 500 a second, 2,000 at once */
  requests?: RateLimitOptions | undefined
  /** Tokens, cookies and codes that are wrong, for each network address. @defaultValue 10 a minute */
  failures?: RateLimitOptions | undefined
  /** A request has shown a valid token or cookie. */
  onKnown?: ((request: IncomingMessage) => void) | undefined
  now?: (() => number) | undefined
}

/** A login that succeeded: the `Set-Cookie` to answer with. */
interface Login {
  type: 'login'
  setCookie: string
}

/** The ways into a hub, and everything that is asked there, in its order. */
export interface Doors {
  /** The first question, for every request and every upgrade: can this be one of ours at all? */
  pass: (request: IncomingMessage) => Admission
  /** The second, for all that is not for everybody: what may they do, and is this part of it? */
  permit: (request: IncomingMessage, right: keyof Rights) => Permission
  /** A link that logs one browser in, once and soon. */
  createLoginLink: () => string
  /** Makes a session of a login code. */
  logIn: (request: IncomingMessage, code: string) => Login | Refusal
  /** The `Set-Cookie` that ends the session of a browser. */
  logOut: () => string
}

/** All that somebody may do, or why it is not enough. */
type Permission = {type: 'permit'; rights: Rights} | Refusal

/** How the server is to be made, so that nobody keeps it busy before the doors are reached. */
export const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  insecureHTTPParser: false,
  requireHostHeader: true,
}

/** How the WebSocket server is to be made: what clients say is short, and packing it costs more than it saves. */
export const SOCKET_OPTIONS: SocketOptions = {
  noServer: true,
  maxPayload: 256 * 1024,
  perMessageDeflate: false,
  handleProtocols: chooseProtocol,
}

/** Makes the doors of a hub that listens. */
export function createDoors(options: DoorOptions): Doors {
  const {token, address, port, now} = options
  const cookie = createSessionCookie({token, port, isSecure: address.scheme === 'https', now})
  const guard = createGuard({origins: address.origins(port), cookieName: cookie.name})
  const codes = createLoginCodes({now})
  const requests = createRateLimit(options.requests ?? {perSecond: 500, burst: 2000})
  const failures = createRateLimit(options.failures ?? {perSecond: 10 / 60, burst: 10})
  // Only failures are counted and slowed down, so that nobody can lock out those who have the token.
  const fail = (request: IncomingMessage, refusal: Refusal): Refusal =>
    slowDown(failures.take(keyOf(request))) ?? refusal
  return {
    pass(request) {
      const admission = guard(request)
      const isKnown = admission.type === 'pass' && authorize(request, {token, cookie}) !== null
      if (isKnown) options.onKnown?.(request)
      // Requests that are refused must not use up the rate of those that are not, also where all have one address.
      const key = isKnown ? `${keyOf(request)} ${findToken(request) ?? 'cookie'}` : keyOf(request)
      return slowDown(requests.take(key)) ?? admission
    },
    permit(request, right) {
      const rights = authorize(request, {token, cookie})
      if (rights?.[right] === true) return {type: 'permit', rights}
      if (rights !== null)
        return refuse(403, 'forbidden', `This request needs a token with the right \`${right}\`.`)
      const cookies = listCookies(request.headers.cookie, cookie.name)
      const isGuess = findToken(request) !== null || cookies.length > 0
      return isGuess ? fail(request, unauthorized()) : unauthorized()
    },
    createLoginLink: () => `${address.urls(port)[0] ?? ''}/login?code=${codes.issue('answer')}`,
    logIn(request, code) {
      const role = codes.redeem(code)
      if (role !== null) return {type: 'login', setCookie: cookie.open(role)}
      const message = 'This login link was already used or has expired.'
      return fail(request, refuse(403, 'bad-login-code', message))
    },
    logOut: () => cookie.close(),
  }
}

function keyOf({socket}: IncomingMessage): string {
  return addressKey(socket.remoteAddress)
}

function slowDown(waitMs: number): Refusal | null {
  if (waitMs === 0) return null
  const headers = {'retry-after': String(Math.ceil(waitMs / 1000))}
  return refuse(429, 'too-many-requests', describeRateLimit(waitMs), headers)
}

function unauthorized(): Refusal {
  return refuse(
    401,
    'unauthorized',
    'Authentication required. Send the token as "Authorization: Bearer <token>", or open a login link.',
    {'www-authenticate': 'Bearer realm="vitrine"'},
  )
}
