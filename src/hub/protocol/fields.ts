import * as z from 'zod'

/** The schemas that have a name in the OpenAPI description. */
export const named = z.registry<{id: string}>()

const SHORT_TEXT = 'expected a string of 1 to 10,000 characters'
const COUNT = 'expected a whole number of at least 0'

export function text(description?: string) {
  return describe(z.string(), description)
}

/** A text with a limited length, from a client. */
export function shortText(description?: string, error = SHORT_TEXT) {
  return describe(z.string(error).min(1, error).max(10_000, error), description)
}

export function count(description?: string) {
  return describe(z.int(COUNT).min(0, COUNT), description)
}

/** Any number; a time is in milliseconds since 1970. */
export function number(description?: string) {
  return describe(z.number(), description)
}

export function flag(description?: string) {
  return describe(z.boolean('expected true or false'), description)
}

/** An object with a name. */
export function object<S extends z.ZodRawShape>(id: string, fields: S, description?: string) {
  return describe(z.object(fields), description).register(named, {id})
}

/** A message: an object with the `type` that names it. */
export function message<T extends string, S extends z.ZodRawShape>(
  type: T,
  description: string,
  fields: S,
) {
  return object(type, {type: z.literal(type), ...fields}, description)
}

function describe<T extends z.ZodType>(schema: T, description: string | undefined): T {
  return description === undefined ? schema : schema.describe(description)
}
