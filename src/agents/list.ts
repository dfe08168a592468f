import type {Adapter} from '../core/events/adapter.ts'
import * as adapters from './adapters.ts'

/** The agents that Vitrine supports, in alphabetical order. */
export const agents: readonly Adapter[] = Object.values(adapters)

/** The labels of the agents whose permission requests can be answered, for messages to users. */
export function listAnswerableAgents(): string {
  return agents.flatMap(({label, control}) => (control === undefined ? [] : label)).join(', ')
}
