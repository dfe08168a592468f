import type {AgentEvent} from '../core/events/events.ts'
import {maskSecrets, maskSecretsIn} from '../secrets/mask-secrets.ts'
import {HIDDEN_LINE} from './hide-requests.ts'
import type {FullRecord, SlimEvent} from './run-item.ts'
import {FULL, slimEvent, type Slimness} from './slim-event.ts'

/** Events as those get them who look closely: not too long, without secrets, and what is asked only for who may answer. */
export function showEvents(
  events: readonly AgentEvent[],
  slimness: Slimness,
  mayAnswer: boolean,
): SlimEvent[] {
  const seen = mayAnswer ? events : events.filter(({type}) => type !== 'permission-request')
  return seen.map((event) => maskEvent(slimEvent(event, slimness, maskSecrets)))
}

/** A line in full. */
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

/** What a program prints that is no known agent: it says it. */
export function toPrinted(text: string, line: number, at: number): AgentEvent {
  return {type: 'text', line, at, agent: '', text}
}

/** No secret is shorter. */
const SHORTEST_SECRET = 6

/** A text without secrets. */
export function maskText(text: string): string {
  return text.length < SHORTEST_SECRET ? text : maskSecrets(text)
}

/**
 * Takes the secrets out of an event that is ours alone. Its fields are named by us, so that only what is in them has to
 * be looked at: a long run has a hundred thousand of them.
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

/** The end of a key that is cut off would not be known for one, so it is masked before it is cut. */
function cutRaw(raw: string): string {
  const masked = maskSecrets(raw.slice(0, FULL.output * 2))
  return masked.slice(0, FULL.output)
}
