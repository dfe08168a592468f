import {isRecord} from '../../core/wire/json.ts'
import type {LineFlaw} from '../../core/wire/lines.ts'
import {parseRecord, type LineRecord} from '../../core/wire/records.ts'
import type {ClaudeEvent, KnownEvent, RawClaudeEvent} from './events.ts'
import {fieldsOf} from './fields.ts'

/**
 * Parses one line of the output of Claude Code. Never throws: a malformed line gives a `malformed` event, an unknown type an
 * `other` event with its value.
 *
 * @example
 * ```ts
 * const {event} = parseRawEvent('{"type":"result","subtype":"success","result":"done"}')
 * if (event.type === 'result') console.log(event.result) // done
 * ```
 */
export function parseRawEvent(line: string): RawClaudeEvent {
  return readLine(line)
}

/** Parses one line of a stream; `flaw` is the reason why its text is not exact. */
export function readLine(raw: string, flaw?: LineFlaw): RawClaudeEvent {
  const record = parseRecord(raw, flaw)
  const event = toClaudeEvent(record)
  return record.bytes === undefined ? {raw, event} : {raw, event, bytes: record.bytes}
}

function toClaudeEvent(record: LineRecord): ClaudeEvent {
  if (record.type === 'json') return readValue(record.value)
  if (record.type === 'blank') return {type: 'blank'}
  const {type, reason, size, position} = record
  return position === undefined ? {type, reason, size} : {type, reason, size, position}
}

function readValue(value: unknown): ClaudeEvent {
  if (!isRecord(value) || fieldsOf(value) === undefined) return {type: 'other', value}
  if ('extras' in value) replaceExtras(value)
  else Object.defineProperty(value, 'extras', lazyExtras)
  return value as unknown as KnownEvent
}

/**
 * Not enumerable, so that the event equals its line in JSON and in comparisons; computed on first use, because it is rarely
 * used.
 */
const lazyExtras: PropertyDescriptor = {
  get(this: Record<string, unknown>) {
    return readExtras(this)
  },
  configurable: true,
}

/** A field of the line with the name `extras` is one of the extras, and stays in JSON. */
function replaceExtras(event: Record<string, unknown>): void {
  const line = {...event}
  Object.defineProperty(event, 'extras', {value: readExtras(event), enumerable: false})
  Object.defineProperty(event, 'toJSON', {value: () => line})
}

function readExtras(event: Record<string, unknown>): Record<string, unknown> {
  const known = fieldsOf(event)
  // Unlike an assignment, `fromEntries` does not run the setter of `__proto__`.
  return Object.fromEntries(Object.entries(event).filter(([name]) => !known?.has(name)))
}
