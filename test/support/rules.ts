import {expect} from 'vitest'
import {findBrokenRule} from '../../scripts/fuzz/rules.js'
import type {AgentEvent} from '../../src/core/events/events.ts'

/** What holds for every stream, good or bad. */
export function expectRules(events: AgentEvent[], agent: string): void {
  expect(findBrokenRule(events, agent)).toBeUndefined()
}
