import type {IncomingMessage} from 'node:http'
import {escapeControls} from '../../core/text/text.ts'
import {findToken} from './authorize.ts'
import {refuse, type Refusal} from '../http/refusal.ts'
import {listCookies} from './session-cookie.ts'

export interface RequestCheckOptions {
  /** The origins of the hub, such as `http://127.0.0.1:4310`; requests for other names are rejected. */
  origins: readonly string[]
  /** The name of the session cookie. */
  cookieName: string
}

/** An acceptable request with its URL, or the rejection. */
export type Admission = {type: 'pass'; url: URL} | Refusal

const MAX_URL_LENGTH = 8192
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/**
 * Creates the check that every request and upgrade must pass first: Host, Origin and size, independent of
 * credentials.
 */
export function createRequestCheck(
  options: RequestCheckOptions,
): (request: IncomingMessage) => Admission {
  const {origins, cookieName} = options
  const originsByHost = indexByHost(origins)
  return (request) => {
    const {method = '', url: target = ''} = request
    if (target.length > MAX_URL_LENGTH) {
      return refuse(414, 'url-too-long', `The URL is longer than ${MAX_URL_LENGTH} characters.`)
    }
    const host = readHost(request)
    const own = host === null ? undefined : originsByHost.get(host)
    if (host === null || own === undefined) {
      return refuse(
        421,
        'bad-host',
        'Unknown Host header. Add the host name with: vitrine serve --allow-host <name>',
      )
    }
    if (!METHODS.includes(method)) {
      const headers = {allow: METHODS.join(', ')}
      return refuse(
        405,
        'method-not-allowed',
        `Method not allowed. Use ${METHODS.join(', ')}.`,
        headers,
      )
    }
    const url = readTarget(target, host, own[0] ?? '')
    if (url === null)
      return refuse(
        400,
        'bad-url',
        'Invalid request URL: expected a path, or a URL with the host of the Host header.',
      )
    return (
      refuseUpgradeTo(request) ??
      refuseOrigin(request, own) ??
      refuseOtherSite(request) ??
      refuseCookieAlone(request, cookieName) ??
      refuseTokenInUrl(url) ?? {type: 'pass', url}
    )
  }
}

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
  const [host, ...others] = headersDistinct['host'] ?? []
  return host === undefined || others.length > 0 ? null : toHost(host)
}

function toHost(text: string): string | null {
  const {name, port = ''} = HOST.exec(text.toLowerCase())?.groups ?? {}
  return name === undefined ? null : `${name}${port}`
}

/** The URL of a request; an absolute one must name the `Host`. */
function readTarget(target: string, host: string, origin: string): URL | null {
  if (target.startsWith('/')) return tryUrl(`${origin}${target}`)
  const [, named, path = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(target) ?? []
  if (named === undefined || toHost(named) !== host) return null
  return tryUrl(`${origin}${path}`)
}

function tryUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function refuseUpgradeTo({method, headers}: IncomingMessage): Refusal | null {
  const {upgrade} = headers
  if (upgrade === undefined) return null
  if (upgrade.toLowerCase() === 'websocket' && method === 'GET') return null
  return refuse(
    400,
    'bad-upgrade',
    'Invalid upgrade: only GET requests can be upgraded, and only to a WebSocket.',
  )
}

/** Browsers state the page that a request comes from; if stated, it must be ours. */
function refuseOrigin({headersDistinct}: IncomingMessage, own: readonly string[]): Refusal | null {
  const given = headersDistinct['origin'] ?? []
  if (given.length === 0) return null
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/]+)$/i.exec(given.join()) ?? []
  const origin = `${scheme.toLowerCase()}://${toHost(host)}`
  if (own.includes(origin)) return null
  return refuse(403, 'bad-origin', 'Cross-origin request rejected: unknown Origin header.')
}

/** Another page may link to ours, but not call it. */
function refuseOtherSite({method, headers}: IncomingMessage): Refusal | null {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return null
  const isLink =
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  if (isLink) return null
  return refuse(403, 'other-site', 'Cross-site request rejected (Sec-Fetch-Site).')
}

/** A cookie is sent automatically, so it counts only if the browser states the origin. */
function refuseCookieAlone(request: IncomingMessage, cookieName: string): Refusal | null {
  const {method, headers} = request
  const isHarmless = (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined
  const hasCookie = listCookies(headers.cookie, cookieName).length > 0
  if (isHarmless || headers.origin !== undefined) return null
  if (!hasCookie || findToken(request) !== null) return null
  return refuse(
    403,
    'no-origin',
    'Cookie authentication needs an Origin header. Programs should send a token.',
  )
}

const TOKEN_NAMES = ['token', 'access_token', 'auth', 'authorization', 'bearer']

function refuseTokenInUrl({searchParams}: URL): Refusal | null {
  if (!TOKEN_NAMES.some((name) => searchParams.has(name))) return null
  return refuse(
    400,
    'token-in-url',
    'Do not send the token in the URL, which is logged: use "Authorization: Bearer <token>". Replace the token if this was a valid one.',
  )
}
