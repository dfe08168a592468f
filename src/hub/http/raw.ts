import {createReadStream} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {pipeline} from 'node:stream'
import {sizeOf} from '../../recording/completeness.ts'
import {securityHeaders} from './security-headers.ts'

/** Sends a file of a recording byte for byte, or the requested range. */
export function sendRaw(request: IncomingMessage, response: ServerResponse, path: string): void {
  const size = sizeOf(path)
  const range = parseRange(request.headers.range, size)
  const headers = {
    ...securityHeaders('api'),
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
  }
  if (range === null) {
    response.writeHead(416, {...headers, 'content-range': `bytes */${size}`}).end()
    return
  }
  const {start, end} = range ?? {start: 0, end: size - 1}
  const length = end - start + 1
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    'content-length': length,
    ...(range && {'content-range': `bytes ${start}-${end}/${size}`}),
  })
  if (request.method === 'HEAD' || length <= 0) {
    response.end()
    return
  }
  // The end is fixed, so that bytes written meanwhile are excluded. An aborted download is not an error.
  pipeline(createReadStream(path, {start, end}), response, () => {})
}

/**
 * The requested range: `undefined` for the complete file, `null` for an unsatisfiable one. Several ranges mean the
 * complete file.
 */
function parseRange(
  header: string | undefined,
  size: number,
): {start: number; end: number} | undefined | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : {start: size - length, end: size - 1}
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start >= size ? null : {start, end}
}
