import type {AgentEvent} from '../core/events/events.ts'

/**
 * Creates a function that adds the answer before the result of an agent that prints nothing else, as with
 * `--output-format json`. Other agents have said it before.
 */
export function createResultTextInserter(): (event: AgentEvent) => AgentEvent[] {
  let isFirst = true
  return (event) => {
    if (event.type === 'usage' || !isFirst) return [event]
    isFirst = false
    if (event.type !== 'turn-end' || !event.ok || event.text === '') return [event]
    const {line, at, agent, text, durationMs} = event
    // A result without a duration is no report of a whole run.
    if (durationMs === undefined) return [event]
    return [{type: 'text', text, line, at, agent}, event]
  }
}
