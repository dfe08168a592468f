import type {IncomingMessage} from 'node:http'
import {escapeControls} from '../../core/text/text.ts'
import {findToken} from './find-token.ts'
import {Refusal} from '../http/refusal.ts'
import {listCookies} from './session-cookie.ts'

const MAX_URL_LENGTH = 8192
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/**
 * Creates the check that every request and upgrade must pass first: Host, Origin and size, independent of
 * credentials. It returns the URL of an acceptable request.
 *
 * @param origins - The origins of the hub, such as `http://127.0.0.1:4310`; requests for other names are rejected.
 * @param cookieName - The name of the session cookie.
 */
export function createRequestCheck(
  origins: readonly string[],
  cookieName: string,
): (request: IncomingMessage) => URL | Refusal {
  const originsByHost = indexByHost(origins)
  return (request) => {
    const {method = '', url: target = ''} = request
    if (target.length > MAX_URL_LENGTH) {
      const message = `The URL is longer than ${MAX_URL_LENGTH} characters.`
      return new Refusal(414, 'url-too-long', message)
    }
    const host = readHost(request)
    const own = host === null ? undefined : originsByHost.get(host)
    if (host === null || own === undefined) return new Refusal(421, 'bad-host', BAD_HOST)
    if (!METHODS.includes(method)) {
      const allow = METHODS.join(', ')
      return new Refusal(405, 'method-not-allowed', `Method not allowed. Use ${allow}.`, {allow})
    }
    const url = readTarget(target, host, own[0] ?? '')
    if (url === null) return new Refusal(400, 'bad-url', BAD_URL)
    if (isOtherUpgrade(request)) return new Refusal(400, 'bad-upgrade', BAD_UPGRADE)
    if (isOtherOrigin(request, own)) return new Refusal(403, 'bad-origin', BAD_ORIGIN)
    if (isFromOtherPage(request)) return new Refusal(403, 'other-site', OTHER_SITE)
    if (isCookieAlone(request, cookieName)) return new Refusal(403, 'no-origin', NO_ORIGIN)
    if (TOKEN_NAMES.some((name) => url.searchParams.has(name)))
      return new Refusal(400, 'token-in-url', TOKEN_IN_URL)
    return url
  }
}

const BAD_HOST = 'Unknown Host header. Add the host name with: vitrine serve --allow-host <name>'
const BAD_URL = 'Invalid request URL: expected a path, or a URL with the host of the Host header.'
const BAD_UPGRADE = 'Invalid upgrade: only GET requests can be upgraded, and only to a WebSocket.'
const BAD_ORIGIN = 'Cross-origin request rejected: unknown Origin header.'
const OTHER_SITE = 'Cross-site request rejected (Sec-Fetch-Site).'
const NO_ORIGIN = 'Cookie authentication needs an Origin header. Programs should send a token.'
const TOKEN_IN_URL =
  'Do not send the token in the URL, which is logged: use "Authorization: Bearer <token>". Replace the token if this was a valid one.'

/** Formats a request for a log: without its query, which may contain secrets, and with control characters escaped. */
export function describeRequest({method, url}: IncomingMessage): string {
  const [path = ''] = (url ?? '').split(/[?#]/)
  return escapeControls(`${method ?? ''} ${path.slice(0, 200)}`)
}

/** The origins that a `Host` can mean: a proxy may terminate TLS before the hub. */
function indexByHost(origins: readonly string[]): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const text of origins) {
    const {protocol, hostname, port, origin} = new URL(text)
    const usual = protocol === 'https:' ? '443' : '80'
    const hosts = port === '' ? [hostname, `${hostname}:${usual}`] : [`${hostname}:${port}`]
    for (const host of hosts) index.set(host, [...(index.get(host) ?? []), origin])
  }
  return index
}

const HOST = /^(?<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?|\[[0-9a-f:.]+\])\.?(?<port>:\d{1,5})?$/

/** The normalized `Host` of a request; `null` when it is missing, malformed or repeated. */
function readHost({headersDistinct}: IncomingMessage): string | null {
  const [host = '', ...others] = headersDistinct['host'] ?? []
  return others.length > 0 ? null : toHost(host)
}

function toHost(text: string): string | null {
  const {name, port = ''} = HOST.exec(text.toLowerCase())?.groups ?? {}
  return name === undefined ? null : `${name}${port}`
}

/** The URL of a request; an absolute one must name the `Host`. */
function readTarget(target: string, host: string, origin: string): URL | null {
  const [, named, path = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(target) ?? []
  if (!target.startsWith('/') && (named === undefined || toHost(named) !== host)) return null
  const text = `${origin}${named === undefined ? target : path}`
  return URL.canParse(text) ? new URL(text) : null
}

function isOtherUpgrade({method, headers: {upgrade}}: IncomingMessage): boolean {
  if (upgrade === undefined) return false
  return upgrade.toLowerCase() !== 'websocket' || method !== 'GET'
}

/** Browsers state the page that a request comes from; if stated, it must be ours. */
function isOtherOrigin({headersDistinct}: IncomingMessage, own: readonly string[]): boolean {
  const given = headersDistinct['origin'] ?? []
  if (given.length === 0) return false
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/]+)$/i.exec(given.join()) ?? []
  return !own.includes(`${scheme.toLowerCase()}://${toHost(host)}`)
}

/** Another page may link to ours, but not call it. */
function isFromOtherPage({method, headers}: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const isLink =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return method !== 'GET' || !isLink
}

/** A cookie is sent automatically, so it counts only if the browser states the origin. */
function isCookieAlone(request: IncomingMessage, cookieName: string): boolean {
  const {method, headers} = request
  const isHarmless = (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined
  if (isHarmless || headers.origin !== undefined) return false
  return listCookies(headers.cookie, cookieName).length > 0 && findToken(request) === null
}

const TOKEN_NAMES = ['token', 'access_token', 'auth', 'authorization', 'bearer']
