import {expect} from 'vitest'
import {findBrokenInvariant} from '../../scripts/fuzz/invariants.js'
import type {AgentEvent} from '../../src/core/events/events.ts'

/** Expects the invariants of every event stream, valid or not. */
export function expectInvariants(events: AgentEvent[], agent: string): void {
  expect(findBrokenInvariant(events, agent)).toBeUndefined()
}
