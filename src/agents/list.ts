import type {Adapter} from '../core/index.ts'
import {claude} from './claude/adapter.ts'

/** The agents that Vitrine knows. */
export const agents: readonly Adapter[] = [claude]
