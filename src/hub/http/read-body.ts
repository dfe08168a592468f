import type {IncomingMessage} from 'node:http'
import {refuse, type Refusal} from './refusal.ts'

/** Limits for reading a body. */
export interface BodyLimits {
  maxBytes: number
  timeoutMs: number
}

/** A body, or the rejection. */
export type Body<T> = {type: 'body'; content: T} | Refusal

/** Reads the body of a request within limits; a rejected body is left unread. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body<Buffer>> {
  const refusal = refuseUnread(request, limits)
  if (refusal !== null) return Promise.resolve(refusal)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limits.maxBytes) settle(tooLarge(limits))
    }
    const onEnd = (): void => settle({type: 'body', content: Buffer.concat(chunks)})
    const onCut = (): void => settle(refuse(400, 'bad-body', 'The request body is incomplete.'))
    const onLate = (): void =>
      settle(
        refuse(
          408,
          'too-slow',
          `The request body was not received within ${limits.timeoutMs / 1000} s.`,
        ),
      )
    const timer = setTimeout(onLate, limits.timeoutMs)
    const settle = (result: Body<Buffer>): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onCut)
      request.pause()
      resolve(result)
    }
    // Stays, since an unhandled error event ends the process.
    request.on('error', onCut)
    request.on('data', onData).on('end', onEnd).on('close', onCut)
  })
}

/** Reads a body with the content type JSON, which a form of another site cannot send without a preflight request. */
export async function readJsonText(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<Body<Buffer>> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    return refuse(
      415,
      'bad-content-type',
      'Invalid header `Content-Type`: expected application/json.',
    )
  }
  return readBody(request, limits)
}

function refuseUnread({headers}: IncomingMessage, limits: BodyLimits): Refusal | null {
  if (Number(headers['content-length'] ?? 0) > limits.maxBytes) return tooLarge(limits)
  // Decompressing would exceed the counted bytes.
  if ((headers['content-encoding'] ?? 'identity') === 'identity') return null
  return refuse(
    415,
    'bad-body',
    'Invalid header `Content-Encoding`: compressed bodies are not supported.',
  )
}

function tooLarge({maxBytes}: BodyLimits): Refusal {
  return refuse(413, 'body-too-large', `The request body is larger than ${maxBytes} bytes.`)
}
