import type {AgentEvent} from '../core/events/events.ts'
import {maskSecrets, maskSecretsIn} from '../secrets/mask-secrets.ts'
import {HIDDEN_LINE} from './hide-requests.ts'
import type {FullRecord, SlimEvent} from './run-item.ts'
import {FULL, slimEvent, type TextLimits} from './slim-event.ts'

/**
 * Prepares events for a client: cuts long texts, masks secrets and hides permission requests without the right to
 * answer.
 */
export function showEvents(
  events: readonly AgentEvent[],
  limits: TextLimits,
  mayAnswer: boolean,
): SlimEvent[] {
  const visible = mayAnswer ? events : events.filter(({type}) => type !== 'permission-request')
  return visible.map((event) => maskEvent(slimEvent(event, limits, maskSecrets)))
}

export function showRecord(
  line: number,
  raw: string,
  events: readonly AgentEvent[],
  mayAnswer: boolean,
): FullRecord {
  const shown = mayAnswer || !isRequest(events) ? cutRaw(raw) : HIDDEN_LINE
  return {line, raw: shown, events: showEvents(events, FULL, mayAnswer)}
}

function isRequest(events: readonly AgentEvent[]): boolean {
  return events.some(({type}) => type === 'permission-request')
}

/** Converts a line of an unknown agent to a text event. */
export function toTextEvent(text: string, line: number, at: number): AgentEvent {
  return {type: 'text', line, at, agent: '', text}
}

const MIN_SECRET_LENGTH = 6

export function maskText(text: string): string {
  return text.length < MIN_SECRET_LENGTH ? text : maskSecrets(text)
}

/**
 * Masks secrets in place. Only values are checked, because the field names are our own and long runs have 100,000
 * events.
 */
function maskEvent(event: SlimEvent): SlimEvent {
  const fields = event as unknown as Record<string, unknown>
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') {
      const masked = maskText(value)
      if (masked !== value) fields[name] = masked
    } else if (typeof value === 'object') fields[name] = maskSecretsIn(value)
  }
  return event
}

/** Masks before cutting: the rest of a key that was cut off would not be recognized. */
function cutRaw(raw: string): string {
  const masked = maskSecrets(raw.slice(0, FULL.maxOutput * 2))
  return masked.slice(0, FULL.maxOutput)
}
