import type {IncomingMessage} from 'node:http'

const SUBPROTOCOL = 'vitrine'

/** The token in a header of a request; empty when it is malformed, `null` when there is none. */
export function findToken(request: IncomingMessage): string | null {
  const given = request.headersDistinct['authorization'] ?? []
  if (given.length > 1) return ''
  if (given[0] !== undefined) return /^bearer +(\S+)\s*$/i.exec(given[0])?.[1] ?? ''
  return request.headers.upgrade === undefined ? null : findProtocolToken(request)
}

/** Selects a subprotocol for `handleProtocols`: never the one that carries the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false
}

/** Browsers cannot set headers of a WebSocket, but they can set subprotocols. */
function findProtocolToken({headers}: IncomingMessage): string | null {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const [token, ...others] = protocols.filter((name) => name.startsWith('token.'))
  if (token === undefined) return null
  const isPair = others.length === 0 && protocols.includes(SUBPROTOCOL)
  return isPair ? token.slice('token.'.length) : ''
}
