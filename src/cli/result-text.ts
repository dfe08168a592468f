import type {AgentEvent} from '../core/events/events.ts'

/**
 * Creates a function that inserts the result as text before the result event of an agent that prints nothing else, as
 * with `--output-format json`. Other agents have printed that text before.
 */
export function createResultTextInserter(): (event: AgentEvent) => AgentEvent[] {
  let isFirst = true
  return (event) => {
    if (event.type === 'usage' || !isFirst) return [event]
    isFirst = false
    if (event.type !== 'turn-end' || !event.ok || event.text === '') return [event]
    const {line, at, agent, text, durationMs} = event
    // A result without a duration does not report a complete run.
    if (durationMs === undefined) return [event]
    return [{type: 'text', text, line, at, agent}, event]
  }
}
