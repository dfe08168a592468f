/** Any JSON object. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object and neither a list nor null. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a field; an empty one when there is none, so that its fields can be read. */
export function objectAt(value: unknown, name: string): JsonObject {
  const field = fieldOf(value, name)
  return isRecord(field) ? field : NOTHING
}

/** The objects of the list in a field. */
export function objectsAt(value: unknown, name: string): JsonObject[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) && field.length > 0 ? field.filter((item) => isRecord(item)) : []
}

/** The text in a field; `undefined` for any other value. */
export function textAt(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** The finite number in a field; `undefined` for any other value. */
export function numberAt(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined
}

/** A value as text: text unchanged, null as empty text, the rest as JSON. */
export function toText(value: unknown, indent = 0): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    // JSON can be parsed at any depth, but not serialized.
    return '[nested too deeply to print]'
  }
}

/** Parses a text as JSON; returns the text itself when it is not JSON. */
export function parseText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** The object in a text; `undefined` when the text is not JSON or another value. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const BYTE_ORDER_MARK = 0xfeff

/** A file saved by some Windows tools begins with a byte order mark, which is not valid JSON. */
function parseJson(text: string): unknown {
  return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text)
}

/** A time in a field as milliseconds: a number, or a date in ISO form. */
export function timeAt(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  const time = typeof field === 'string' ? parseTime(field) : field
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

let knownDay = ''
let knownDayStart = 0

/** Caches the last day: consecutive lines nearly always have times of the same day. */
function parseTime(text: string): number {
  if (text.length !== ISO_LENGTH || !text.startsWith(knownDay) || knownDay === '') {
    const time = Date.parse(text)
    if (text.length === ISO_LENGTH && ISO_TIME.test(text)) {
      knownDay = text.slice(0, DAY_LENGTH)
      knownDayStart = Date.parse(`${knownDay}00:00:00.000Z`)
    }
    return time
  }
  return ISO_TIME.test(text) ? knownDayStart + timeOfDay(text) : Date.parse(text)
}

const DAY_LENGTH = 'YYYY-MM-DDT'.length
const ISO_LENGTH = 'YYYY-MM-DDTHH:MM:SS.mmmZ'.length
const ISO_TIME = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

function timeOfDay(text: string): number {
  const digit = (at: number) => text.charCodeAt(at) - 48
  const hours = digit(11) * 10 + digit(12)
  const minutes = digit(14) * 10 + digit(15)
  const seconds = digit(17) * 10 + digit(18)
  const milliseconds = digit(20) * 100 + digit(21) * 10 + digit(22)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

const NOTHING: JsonObject = Object.freeze({})

/** Reads no inherited field: callers only use names of record fields. */
function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

/** Serializes an object; a field that is nested too deeply becomes a placeholder. */
export function encodeJson(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
      return [name, typeof field === 'object' ? toText(field) : field]
    })
    return JSON.stringify(Object.fromEntries(fields))
  }
}
