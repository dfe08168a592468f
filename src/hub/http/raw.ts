import {createReadStream} from 'node:fs'
import {pipeline} from 'node:stream'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import {sizeOf} from '../../recording/completeness.ts'
import type {Call} from './app.ts'
import {SECURITY_HEADERS} from './security-headers.ts'

/** Sends a file of a recording byte for byte, or the requested range. */
export function sendRaw(call: Call, path: string): Response {
  const size = sizeOf(path)
  const range = parseRange(call.req.header('range'), size)
  const headers = {'content-type': 'application/octet-stream', 'accept-ranges': 'bytes'}
  if (range === null) {
    return call.body(null, 416, {...headers, 'content-range': `bytes */${size}`})
  }
  const {start, end} = range ?? {start: 0, end: size - 1}
  const status = range === undefined ? 200 : 206
  const all = {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range && {'content-range': `bytes ${start}-${end}/${size}`}),
  }
  if (call.req.method === 'HEAD' || end < start) return call.body(null, status, all)
  const {outgoing} = call.env
  outgoing.writeHead(status, {...SECURITY_HEADERS, ...all})
  // The end is fixed, so that bytes written meanwhile are excluded. An aborted download is not an error.
  pipeline(createReadStream(path, {start, end}), outgoing, () => {})
  return RESPONSE_ALREADY_SENT
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
