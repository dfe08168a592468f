import type {IncomingMessage} from 'node:http'
import type {SessionCookie} from './session-cookie.ts'
import {readToken, type Rights} from './tokens.ts'

const SUBPROTOCOL = 'vitrine'

/**
 * The rights of a request; `null` when it has no valid credentials. A token decides alone, even beside a valid
 * cookie. The URL is never considered.
 */
export function authorize(
  request: IncomingMessage,
  mainToken: string,
  cookie: SessionCookie,
): Rights | null {
  const token = findToken(request)
  return token === null ? cookie.read(request.headers.cookie) : readToken(mainToken, token)
}

/** The token in a header of a request; empty when it is malformed, `null` when there is none. */
export function findToken(request: IncomingMessage): string | null {
  const given = request.headersDistinct['authorization'] ?? []
  if (given.length > 0) {
    const [, token = ''] =
      /^bearer +(\S+)\s*$/i.exec(given.length === 1 ? (given[0] ?? '') : '') ?? []
    return token
  }
  return request.headers.upgrade === undefined ? null : findProtocolToken(request)
}

/** Selects a subprotocol for `handleProtocols`: never the one that carries the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false
}

/** Browsers cannot set headers of a WebSocket, but they can set subprotocols. */
function findProtocolToken({headers}: IncomingMessage): string | null {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const tokens = protocols.filter((name) => name.startsWith('token.'))
  if (tokens.length === 0) return null
  const [token = ''] = tokens
  const isPair = tokens.length === 1 && protocols.includes(SUBPROTOCOL)
  return isPair ? token.slice('token.'.length) : ''
}
