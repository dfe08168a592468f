import type {Adapter} from '../core/events/adapter.ts'
import * as adapters from './adapters.ts'

/** The agents that Vitrine knows, by their names. */
export const agents: readonly Adapter[] = Object.values(adapters)
