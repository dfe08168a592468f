import {readdirSync, readFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {extname, join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {securityHeaders} from './security-headers.ts'

/** The built dashboard: a page and its assets. */
export interface Dashboard {
  /** Sends the page, for any path; false when it was not built. */
  sendPage(request: IncomingMessage, response: ServerResponse): boolean
  /** Sends an asset; false when there is no such file. */
  sendFile(path: string, request: IncomingMessage, response: ServerResponse): boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const PAGE = 'index.html'
/** Assets whose names contain a hash of their content. */
const FOREVER = 'private, max-age=31536000, immutable'

/** Opens the dashboard in a folder. Only files that existed at the start are sent, so no path leads out of it. */
export function openDashboard(dir: string): Dashboard {
  const names = new Set(listFiles(dir))
  const sent = new Map<string, {plain: Buffer; packed: Buffer}>()

  return {
    sendPage: (request, response) => send(PAGE, request, response, 'no-store'),
    sendFile: (path, request, response) => {
      const name = path.slice(1)
      return name !== PAGE && send(name, request, response, FOREVER)
    },
  }

  function send(
    name: string,
    {method, headers}: IncomingMessage,
    response: ServerResponse,
    caching: string,
  ): boolean {
    const type = TYPES[extname(name)]
    if (!names.has(name) || type === undefined) return false
    const {plain, packed} = load(name)
    const isPacked = /\bgzip\b/.test(String(headers['accept-encoding']))
    const body = isPacked ? packed : plain
    response.writeHead(200, {
      ...securityHeaders('asset'),
      'content-type': type,
      'content-length': body.length,
      'cache-control': caching,
      vary: 'accept-encoding',
      ...(isPacked && {'content-encoding': 'gzip'}),
    })
    response.end(method === 'HEAD' ? undefined : body)
    return true
  }

  function load(name: string): {plain: Buffer; packed: Buffer} {
    const known = sent.get(name)
    if (known !== undefined) return known
    const plain = readFileSync(join(dir, name))
    const loaded = {plain, packed: gzipSync(plain)}
    sent.set(name, loaded)
    return loaded
  }
}

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir, {recursive: true, encoding: 'utf8'}).map((name) =>
      name.replaceAll('\\', '/'),
    )
  } catch {
    // The dashboard was not built.
    return []
  }
}
