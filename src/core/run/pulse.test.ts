import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {createPulse, type Pulse} from './pulse.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'

const base = {line: 1, at: 0, agent: 'claude'}
const starts = (tool: 'Bash' | 'Read', toolId = 't'): AgentEvent => {
  return {...base, type: 'tool-start', toolId, name: tool, tool, input: {}, summary: ''}
}
const ends = (ok: boolean, toolId = 't'): AgentEvent => {
  return {...base, type: 'tool-end', toolId, ok, output: '', outputLength: 0}
}
const text: AgentEvent = {...base, type: 'text', text: 'x'}

/** Plays events at times, in seconds from the start. */
function play(...played: [seconds: number, event: AgentEvent][]): {pulse: Pulse; state: RunState} {
  const pulse = createPulse(1_000_000)
  let state = initialRunState
  for (const [seconds, event] of played) {
    const at = 1_000_000 + seconds * 1000
    state = reduceRunState(state, {...event, at})
    pulse.record(state, at, event)
  }
  return {pulse, state}
}

const at = (seconds: number) => 1_000_000 + seconds * 1000

describe('the pulse of a run', () => {
  test('shows the activity, with the current one last', () => {
    const {pulse} = play([0, text], [10, starts('Bash')], [20, ends(true)], [24, text])
    expect(pulse.readRecent(at(29))).toBe('mmrrrm')
  })

  test('shows where a tool failed', () => {
    const {pulse} = play([0, text], [10, starts('Bash')], [12, ends(false)])
    expect(pulse.readRecent(at(20))).toBe('mmRmm')
  })

  test('shows the last ten minutes only', () => {
    const {pulse} = play([0, starts('Read')], [1, ends(true)], [2000, starts('Bash')])
    const recent = pulse.readRecent(at(2000))
    expect(recent.length).toBe(120)
    expect(recent).toMatch(/^m{119}r$/)
  })

  test('shows waits, and nothing between turns', () => {
    const asks: AgentEvent = {...base, type: 'permission-request', name: 'Bash', input: {}}
    const turn: AgentEvent = {...base, type: 'turn-end', ok: true, text: ''}
    const {pulse} = play([0, text], [10, asks], [20, turn])
    expect(pulse.readRecent(at(34))).toBe('mmwww..')
  })

  test('shows a rate limit as a wait only while it blocks the agent', () => {
    const limit = (isBlocking: boolean): AgentEvent => {
      return {...base, type: 'status', status: 'rate-limit', detail: '', until: 1e12, isBlocking}
    }
    expect(play([0, text], [10, limit(true)]).pulse.readRecent(at(14))).toBe('mmw')
    expect(play([0, text], [10, limit(false)]).pulse.readRecent(at(14))).toBe('mmm')
  })

  test('covers the all run after its end', () => {
    const {pulse} = play([0, text], [30, starts('Bash')], [60, ends(false)], [61, text])
    // Two seconds to a slot: there would be too many of one.
    expect(pulse.readAll(at(120))).toMatch(/^m{15}r{15}Rm{30}$/)
  })

  test('never exceeds its maximum length, and never drops a failure', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.nat(100_000),
            fc.constantFrom(
              text,
              starts('Bash'),
              ends(true),
              ends(false),
              starts('Read', 'u'),
              ends(false, 'u'),
            ),
          ),
          {maxLength: 40},
        ),
        (steps) => {
          let seconds = 0
          const timed = steps.map(([pause, event]): [number, AgentEvent] => [
            (seconds += pause),
            event,
          ])
          const {pulse, state} = play(...timed)
          const all = pulse.readAll(at(seconds))
          expect(all.length).toBeLessThanOrEqual(120)
          expect(all).toMatch(/^[.mwolcrxhOLCRXH]+$/)
          expect(pulse.readRecent(at(seconds)).length).toBeLessThanOrEqual(120)
          expect(/[A-Z]/.test(all)).toBe(state.failedToolCount > 0)
        },
      ),
    )
  })
})

test('a clock that is thousands of years ahead costs no time', () => {
  const pulse = createPulse(1000)
  expect(pulse.readAll(8e15)).toMatch(/^\.{60,120}$/)
  expect(pulse.readRecent(8e15)).toHaveLength(120)
})

test.each([1e21, 1e300, Number.POSITIVE_INFINITY])('a time of %d ends the pulse', (time) => {
  const pulse = createPulse(1000)
  expect(pulse.readAll(time)).toMatch(/^\.{60,120}$/)
  expect(pulse.readRecent(time)).toHaveLength(120)
})
