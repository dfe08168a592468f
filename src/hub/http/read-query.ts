import type * as z from 'zod'
import {refuse, type Refusal} from './refusal.ts'

/** An invalid query parameter or header, answered with 400. */
export class ParameterError extends Error {
  override name = 'ParameterError'
  readonly refusal: Refusal

  constructor(message: string) {
    super(message)
    this.refusal = refuse(400, 'bad-request', message)
  }
}

/** Reads the query parameters of a schema. */
export function readQuery<S extends z.ZodObject>(schema: S, params: URLSearchParams): z.infer<S> {
  return read(schema, (name) => params.get(name) ?? undefined, 'query parameter')
}

/** Reads the headers of a schema. */
export function readHeaders<S extends z.ZodObject>(
  schema: S,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): z.infer<S> {
  return read(schema, (name) => headers[name.toLowerCase()], 'header')
}

function read<S extends z.ZodObject>(
  schema: S,
  valueOf: (name: string) => unknown,
  kind: string,
): z.infer<S> {
  const names = Object.keys(schema.shape)
  const given = Object.fromEntries(names.map((name) => [name, valueOf(name)]))
  const {success, data, error} = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  throw new ParameterError(`Invalid ${kind} \`${String(issue?.path[0])}\`: ${issue?.message}.`)
}
