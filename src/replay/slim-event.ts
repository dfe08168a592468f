import type {AgentEvent} from '../core/events/events.ts'
import {isRecord} from '../core/wire/json.ts'
import type {SlimEvent} from './run-item.ts'

/** How much of an event is shown. */
export interface Slimness {
  /** The most characters of what is said or thought. */
  speech: number
  /** The most characters of what a tool gave back; longer ones are left out whole. */
  output: number
  /** The most characters of an input in JSON; longer ones are left out whole. */
  input: number
}

/** Enough for a line in a list: a run of 100,000 events fits into a browser. */
export const SLIM: Slimness = {speech: 400, output: 160, input: 240}
/** All that a person reads of one thing; the bytes are there for the rest. */
export const FULL: Slimness = {speech: 65_536, output: 65_536, input: 262_144}

/** What is asked for is seen whole before it is answered. */
const MOST_ASKED = 65_536
/** An error says what it is in its first lines. */
const MOST_ERROR = 400
/** No secret that begins in what is kept is longer than this, but for keys of many lines, which are known by their beginning. */
const LONGEST_SECRET = 8192

/**
 * An event without what is too long for a list.
 *
 * @param mask - Takes secrets out of a text before it is cut, so that no part of one is left.
 */
export function slimEvent(
  event: AgentEvent,
  slimness: Slimness,
  mask: (text: string) => string,
): SlimEvent {
  const {line: _line, at: _at, agent: _agent, ...rest} = event
  const {speech, output, input} = slimness
  switch (rest.type) {
    case 'text':
    case 'text-delta':
    case 'thinking':
    case 'thinking-delta':
    case 'turn-end':
      if (rest.text.length <= speech) return rest
      return {...rest, text: cut(rest.text, speech), isCut: true, length: rest.text.length}
    case 'session-start':
      // What it could use is in its line.
      return {...rest, tools: undefined}
    case 'tool-start':
    case 'permission-denied':
      return fits(rest.input, input) ? rest : {...rest, input: undefined, isCut: true}
    case 'permission-request':
      return fits(rest.input, MOST_ASKED) ? rest : {...rest, input: undefined, isCut: true}
    case 'tool-update':
      if (rest.text === undefined || rest.text.length <= speech) return rest
      return {...rest, text: cutStart(rest.text, speech), isCut: true, length: rest.text.length}
    case 'tool-end': {
      const {error} = rest
      const most = Math.max(MOST_ERROR, output)
      const isLongError = error !== undefined && error.length > most
      const slim = isLongError ? {...rest, error: cut(error, most)} : rest
      if (rest.output.length <= output) return isLongError ? {...slim, isCut: true} : slim
      // Of a long one a part tells nothing in a list, and where it is shown all of it is wanted.
      const kept = output < FULL.output ? '' : cut(rest.output, output)
      return {...slim, output: kept, isCut: true}
    }
    case 'unknown':
    case 'malformed':
      if (rest.raw.length <= speech) return rest
      return {...rest, raw: cut(rest.raw, speech), isCut: true, length: rest.raw.length}
    default:
      return rest
  }

  function cut(text: string, length: number): string {
    return mask(text.slice(0, length + LONGEST_SECRET)).slice(0, length)
  }

  function cutStart(text: string, length: number): string {
    return mask(text.slice(-length - LONGEST_SECRET)).slice(-length)
  }
}

/** Whether a value is no longer than so many characters in JSON, without making it when it is far too long. */
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
