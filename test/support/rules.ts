import {expect} from 'vitest'
import {findBrokenRule} from '../../scripts/fuzz/rules.js'
import type {AgentEvent} from '../../src/core/events/events.ts'

/** Expects the invariants of every event stream, valid or not. */
export function expectRules(events: AgentEvent[], agent: string): void {
  expect(findBrokenRule(events, agent)).toBeUndefined()
}
