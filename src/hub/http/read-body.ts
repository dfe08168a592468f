import type {IncomingMessage} from 'node:http'
import {refuse, type Refusal} from './refusal.ts'

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  maxBytes: number
  timeoutMs: number
}

/** A body that was read, or why not. */
export type Body<T> = {type: 'body'; content: T} | Refusal

/** Reads the whole body of a request, within limits; what is refused is left unread. */
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
    // Stays, since an error that nobody hears ends the process.
    request.on('error', onCut)
    request.on('data', onData).on('end', onEnd).on('close', onCut)
  })
}

/**
 * Reads the bytes of a body that is declared as JSON, which a form of another site cannot send without a preflight
 * request.
 */
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
  // To unpack would be to read more than was counted.
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
