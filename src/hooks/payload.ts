import {isRecord, type JsonObject} from '../core/wire/json.ts'
import {RunError} from '../recording/run-error.ts'
import {isNestedDeeper} from './json-depth.ts'

/** A payload of a Claude Code hook. */
export interface HookPayload {
  name: string
  sessionId: string
  fields: JsonObject
  /** The payload on one line, with its newline. */
  line: string
}

export const MAX_PAYLOAD_BYTES: number = 16 * 1024 * 1024

/** `JSON.parse` accepts any depth, but `JSON.stringify` does not. */
const MAX_DEPTH = 500

/**
 * Parses a payload.
 *
 * @throws RunError when it is not a hook payload.
 */
export function readHookPayload(payload: string | Uint8Array): HookPayload {
  if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
    throw new RunError('bad-options', 'the payload is larger than 16 MiB')
  }
  const text = (typeof payload === 'string' ? payload : decode(payload)).trim()
  const fields = parse(text)
  const {hook_event_name: name, session_id: sessionId} = fields
  if (typeof sessionId !== 'string' || sessionId === '') {
    throw new RunError(
      'bad-options',
      'the payload has no session_id. Expected the JSON that Claude Code sends to hooks',
    )
  }
  if (typeof name !== 'string' || name === '') {
    throw new RunError(
      'bad-options',
      'the payload has no hook_event_name, as with Claude Code before 1.0.41',
    )
  }
  return {name, sessionId, fields, line: `${toOneLine(text)}\n`}
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw new RunError('bad-json', 'the payload is not UTF-8')
  }
}

function parse(text: string): JsonObject {
  if (text === '') throw new RunError('bad-json', 'the payload is empty')
  if (isNestedDeeper(text, MAX_DEPTH))
    throw new RunError('bad-options', `the payload is nested deeper than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new RunError('bad-json', 'the payload is not JSON')
  }
  if (!isRecord(value)) throw new RunError('bad-options', 'the payload is not a JSON object')
  return value
}

/** Removes line breaks, which JSON allows only between tokens, and keeps all other text, such as long numbers. */
function toOneLine(json: string): string {
  return json.replaceAll(/[\r\n][ \t\r\n]*/g, '')
}
