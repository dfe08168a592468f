// The strict parser of contract v1 of stream-json. Where the contract and the real program disagree (`result` subtypes,
// `is_error`), this file follows the contract and parse-event.ts follows the program.

import {isRecord} from '../../core/wire/json.ts'

/** The kind of error: not JSON, not the shape of the contract, or a contradictory result. */
export type ClaudeStreamJsonErrorCode = 'json_parse' | 'typed_parse' | 'normalize' | 'unknown'

/** A line that the contract does not allow. The error contains no part of the line. */
export class ClaudeStreamJsonParseError extends Error {
  override readonly name = 'ClaudeStreamJsonParseError'
  readonly code: ClaudeStreamJsonErrorCode

  constructor(code: ClaudeStreamJsonErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** The error as data: an `Error` alone would be `{}` in JSON. */
  toJSON(): {name: string; code: ClaudeStreamJsonErrorCode; message: string} {
    return {name: this.name, code: this.code, message: this.message}
  }
}

/** The content of a `stream_event` line. */
export interface ClaudeStreamEvent {
  eventType: string
  raw: Record<string, unknown>
}

/** An event of contract v1; `raw` is the parsed line. */
export type ClaudeStreamJsonEvent =
  | {kind: 'system_init'; sessionId: string; raw: Record<string, unknown>}
  | {kind: 'system_other'; sessionId: string; subtype: string; raw: Record<string, unknown>}
  | {kind: 'user_message'; sessionId: string; raw: Record<string, unknown>}
  | {kind: 'assistant_message'; sessionId: string; raw: Record<string, unknown>}
  | {kind: 'result_success'; sessionId: string; raw: Record<string, unknown>}
  | {kind: 'result_error'; sessionId: string; raw: Record<string, unknown>}
  | {
      kind: 'stream_event'
      sessionId: string
      stream: ClaudeStreamEvent
      raw: Record<string, unknown>
    }
  | {kind: 'unknown'; sessionId: string | null; raw: Record<string, unknown>}

/** An event, `null` for a line of white space, or an error. */
export type ParseOutcome =
  | {ok: true; event: ClaudeStreamJsonEvent | null}
  | {ok: false; error: ClaudeStreamJsonParseError}

/**
 * The strict parser of contract v1: one line in, one event or one error out, each line on its own.
 *
 * @example
 * ```ts
 * const parser = new ClaudeStreamJsonParser()
 * const outcome = parser.parseLine('{"type":"user","session_id":"s1"}')
 * if (outcome.ok) console.log(outcome.event?.kind) // user_message
 * ```
 */
export class ClaudeStreamJsonParser {
  /** Resets the state. Version 1 of the contract has none between lines. */
  reset(): void {}

  /** Parses a line without its newline; a carriage return at its end is ignored. */
  parseLine(line: string): ParseOutcome {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (!/\P{White_Space}/u.test(text)) return {ok: true, event: null}
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // The error of the engine quotes the line, so it is dropped.
      return fail('json_parse', 'the line is not valid JSON')
    }
    return this.parseJson(value)
  }

  /** Reads a parsed line, with the same outcome as {@link parseLine}. */
  parseJson(value: unknown): ParseOutcome {
    try {
      return readEvent(value)
    } catch {
      // Only values that are not JSON get here, such as a getter that throws.
      return fail('unknown', 'the value could not be read')
    }
  }
}

function readEvent(raw: unknown): ParseOutcome {
  if (!isRecord(raw)) return fail('typed_parse', 'the line is not a JSON object')
  const type = own(raw, 'type')
  if (typeof type !== 'string') return fail('typed_parse', '`type` is missing or not a string')
  const sessionId = readSessionId(raw)
  if (!isKnownType(type)) return succeed({kind: 'unknown', sessionId, raw})
  if (sessionId === null) return fail('typed_parse', '`session_id` is missing or not a string')
  return readers[type](raw, sessionId)
}

type Reader = (raw: Record<string, unknown>, sessionId: string) => ParseOutcome

const readers = {
  system(raw, sessionId) {
    const subtype = own(raw, 'subtype')
    if (typeof subtype !== 'string')
      return fail('typed_parse', '`subtype` is missing or not a string')
    if (subtype === 'init') return succeed({kind: 'system_init', sessionId, raw})
    return succeed({kind: 'system_other', sessionId, subtype, raw})
  },

  user: (raw, sessionId) => succeed({kind: 'user_message', sessionId, raw}),

  assistant: (raw, sessionId) => succeed({kind: 'assistant_message', sessionId, raw}),

  result(raw, sessionId) {
    const subtype = own(raw, 'subtype')
    const isError = own(raw, 'is_error')
    if (subtype !== 'success' && subtype !== 'error') {
      return fail('typed_parse', '`subtype` of a result is neither success nor error')
    }
    if (isError !== undefined && typeof isError !== 'boolean') {
      return fail('typed_parse', '`is_error` is not a boolean')
    }
    if (isError !== undefined && isError !== (subtype === 'error')) {
      return fail('normalize', '`is_error` contradicts `subtype`')
    }
    return succeed({kind: `result_${subtype}`, sessionId, raw})
  },

  stream_event(raw, sessionId) {
    const event = own(raw, 'event')
    if (!isRecord(event)) return fail('typed_parse', '`event` is missing or not an object')
    const eventType = own(event, 'type')
    if (typeof eventType !== 'string') {
      return fail('typed_parse', '`type` of `event` is missing or not a string')
    }
    return succeed({kind: 'stream_event', sessionId, stream: {eventType, raw: event}, raw})
  },
} as const satisfies Record<string, Reader>

function isKnownType(type: string): type is keyof typeof readers {
  return Object.hasOwn(readers, type)
}

function readSessionId(raw: Record<string, unknown>): string | null {
  const candidates = [own(raw, 'session_id'), own(raw, 'sessionId')]
  return candidates.find((candidate) => typeof candidate === 'string') ?? null
}

/** Reads own fields only, even if the prototype was modified. */
function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function succeed(event: ClaudeStreamJsonEvent): ParseOutcome {
  return {ok: true, event}
}

function fail(code: ClaudeStreamJsonErrorCode, message: string): ParseOutcome {
  return {ok: false, error: new ClaudeStreamJsonParseError(code, message)}
}
