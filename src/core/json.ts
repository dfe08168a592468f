/** Any JSON object. */
export type JsonObject = Record<string, unknown>

/** Tells whether a value is an object whose fields can be read, and not a list or null. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a field; an empty one when there is none, so that reading on is safe. */
export function objectAt(value: unknown, name: string): JsonObject {
  const field = fieldOf(value, name)
  return isRecord(field) ? field : NOTHING
}

/** The objects of the list in a field. */
export function objectsAt(value: unknown, name: string): JsonObject[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) && field.length > 0 ? field.filter((item) => isRecord(item)) : []
}

/** The text in a field, if it is one. */
export function textAt(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** The number in a field, if it is one. */
export function numberAt(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : undefined
}

/** A value as text: text as it is, nothing for null, JSON for the rest. */
export function toText(value: unknown, indent = 0): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    // JSON can be parsed at any depth, but not written at any depth.
    return '[nested too deeply to print]'
  }
}

/** The value of a text that is JSON; the text itself when it is not. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A time in a field as milliseconds: a number, or a date in ISO form. */
export function timeAt(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  const time = typeof field === 'string' ? Date.parse(field) : field
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

const NOTHING: JsonObject = Object.freeze({})

/** The names that are asked for are those of records, which no list and no prototype has. */
function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
