import type {HonoRequest} from 'hono'
import type * as z from 'zod'
import {Refusal} from './refusal.ts'

/** Reads the query parameters of a schema. */
export function readQuery<S extends z.ZodObject>(schema: S, request: HonoRequest): z.infer<S> {
  return read(schema, (name) => request.query(name), 'query parameter')
}

/** Reads the headers of a schema. */
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
