import type {IncomingMessage} from 'node:http'
import type {SessionCookie} from './session-cookie.ts'
import {readToken, type Rights} from './tokens.ts'

/** What credentials are held against. */
export interface AuthorizeOptions {
  /** The main token. */
  token: string
  cookie: SessionCookie
}

const SUBPROTOCOL = 'vitrine'

/**
 * What the sender of a request may do; `null` when we do not know them. A token that is shown decides alone, even
 * beside a good cookie. The URL is never looked at.
 */
export function authorize(request: IncomingMessage, options: AuthorizeOptions): Rights | null {
  const token = findToken(request)
  return token === null
    ? options.cookie.read(request.headers.cookie)
    : readToken(options.token, token)
}

/** The token that a request shows in a header; empty when it is not readable, `null` when there is none. */
export function findToken(request: IncomingMessage): string | null {
  const given = request.headersDistinct['authorization'] ?? []
  if (given.length > 0) {
    const [, token = ''] =
      /^bearer +(\S+)\s*$/i.exec(given.length === 1 ? (given[0] ?? '') : '') ?? []
    return token
  }
  return request.headers.upgrade === undefined ? null : findProtocolToken(request)
}

/** Answers the subprotocols of a client, for `handleProtocols`: never with the one that carries the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false
}

/** Browsers can give a WebSocket no header of their own, but they can name subprotocols. */
function findProtocolToken({headers}: IncomingMessage): string | null {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const tokens = protocols.filter((name) => name.startsWith('token.'))
  if (tokens.length === 0) return null
  const [token = ''] = tokens
  const isPair = tokens.length === 1 && protocols.includes(SUBPROTOCOL)
  return isPair ? token.slice('token.'.length) : ''
}
