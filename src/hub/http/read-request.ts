import type {HonoRequest} from 'hono'
import type * as z from 'zod'
import type {Call} from './app.ts'
import {Refusal} from './refusal.ts'

export function readQuery<S extends z.ZodObject>(schema: S, request: HonoRequest): z.infer<S> {
  return read(schema, (name) => request.query(name), 'query parameter')
}

export function readHeaders<S extends z.ZodObject>(schema: S, request: HonoRequest): z.infer<S> {
  return read(schema, (name) => request.header(name), 'header')
}

function read<S extends z.ZodObject>(
  schema: S,
  valueOf: (name: string) => string | undefined,
  kind: string,
): z.infer<S> {
  const names = Object.keys(schema.shape)
  const given = Object.fromEntries(names.map((name) => [name, valueOf(name)]))
  const {success, data, error} = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  const message = `Invalid ${kind} \`${String(issue?.path[0])}\`: ${issue?.message}.`
  throw new Refusal(400, 'bad-request', message)
}

/** Reads a body with the content type JSON, which a form of another site cannot send without a preflight request. */
export async function readJsonBody({req}: Call, maxBytes: number): Promise<Uint8Array> {
  if (!/^application\/json\s*(?:;|$)/i.test(req.header('content-type') ?? '')) {
    const message = 'Invalid header `Content-Type`: expected application/json.'
    throw new Refusal(415, 'bad-content-type', message)
  }
  // Decompressing would exceed the counted bytes.
  if ((req.header('content-encoding') ?? 'identity') !== 'identity') {
    const message = 'Invalid header `Content-Encoding`: compressed bodies are not supported.'
    throw new Refusal(415, 'bad-body', message)
  }
  checkSize(Number(req.header('content-length') ?? 0), maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of req.raw.body ?? []) {
    checkSize((size += chunk.length), maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function checkSize(size: number, maxBytes: number): void {
  if (size <= maxBytes) return
  const message = `The request body is larger than ${maxBytes} bytes.`
  throw new Refusal(413, 'body-too-large', message)
}
