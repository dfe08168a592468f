import {PROMPT_PREFIX} from '../core/events/drafts.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {isRecord} from '../core/wire/json.ts'
import type {SlimEvent} from './run-item.ts'

/** Limits of the texts in an event, in characters. */
export interface TextLimits {
  /** Limit for text and thinking. */
  maxText: number
  /** Limit for the output of a tool; a longer one is left out. */
  maxOutput: number
  /** Limit for an input as JSON; a longer one is left out. */
  maxInput: number
}

/** Enough for a row in a list, so that 100,000 events fit into a browser. */
export const SLIM: TextLimits = {maxText: 400, maxOutput: 160, maxInput: 240}
/** Enough for reading; the recording has the rest. */
export const FULL: TextLimits = {maxText: 65_536, maxOutput: 65_536, maxInput: 262_144}

/** A user must see the complete request before answering it. */
const MAX_REQUEST_LENGTH = 65_536
/** The first lines of an error identify it. */
const MAX_ERROR_LENGTH = 400
/** Secrets are shorter than this, except multi-line keys, which are recognized by their start. */
const MAX_SECRET_LENGTH = 8192

/**
 * Cuts or leaves out long texts of an event.
 *
 * @param mask - Masks secrets before a text is cut, so that no part of one remains.
 */
export function slimEvent(
  event: AgentEvent,
  limits: TextLimits,
  mask: (text: string) => string,
): SlimEvent {
  const {line: _line, at: _at, agent: _agent, ...rest} = event
  const {maxText, maxOutput, maxInput} = limits
  switch (rest.type) {
    case 'text':
    case 'text-delta':
    case 'thinking':
    case 'thinking-delta':
    case 'turn-end':
      if (rest.text.length <= maxText) return rest
      return {...rest, text: cut(rest.text, maxText), isCut: true, length: rest.text.length}
    case 'session-start':
      // The full record has the tools.
      return {...rest, tools: undefined}
    case 'tool-start':
    case 'permission-denied':
      return fits(rest.input, maxInput) ? rest : {...rest, input: undefined, isCut: true}
    case 'permission-request':
      return fits(rest.input, MAX_REQUEST_LENGTH) ? rest : {...rest, input: undefined, isCut: true}
    case 'tool-update':
      if (rest.text === undefined || rest.text.length <= maxText) return rest
      return {...rest, text: cutStart(rest.text, maxText), isCut: true, length: rest.text.length}
    case 'tool-end': {
      const {error} = rest
      const maxError = Math.max(MAX_ERROR_LENGTH, maxOutput)
      const isLongError = error !== undefined && error.length > maxError
      const slim = isLongError ? {...rest, error: cut(error, maxError)} : rest
      if (rest.output.length <= maxOutput) return isLongError ? {...slim, isCut: true} : slim
      // Part of a long output is useless in a list; the full record has it all.
      const kept = maxOutput < FULL.maxOutput ? '' : cut(rest.output, maxOutput)
      return {...slim, output: kept, isCut: true}
    }
    case 'status':
      // Lists show the first line of a prompt.
      if (!rest.detail.startsWith(PROMPT_PREFIX) || rest.detail.length <= maxText) return rest
      return {...rest, detail: cut(rest.detail, maxText)}
    case 'unknown':
    case 'malformed':
      if (rest.raw.length <= maxText) return rest
      return {...rest, raw: cut(rest.raw, maxText), isCut: true, length: rest.raw.length}
    default:
      return rest
  }

  function cut(text: string, length: number): string {
    return mask(text.slice(0, length + MAX_SECRET_LENGTH)).slice(0, length)
  }

  function cutStart(text: string, length: number): string {
    return mask(text.slice(-length - MAX_SECRET_LENGTH)).slice(-length)
  }
}

/** Whether a value has at most `length` characters as JSON; stops early instead of serializing a long one. */
function fits(value: unknown, length: number): boolean {
  let left = length
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') left -= next.length + 2
    else if (Array.isArray(next)) {
      left -= next.length + 2
      if (left < 0) return false
      open.push(...next)
    } else if (isRecord(next)) {
      const entries = Object.entries(next)
      left -= 2
      for (const [name, item] of entries) {
        left -= name.length + 4
        if (left < 0) return false
        open.push(item)
      }
    } else left -= 5
    if (left < 0) return false
  }
  return true
}
