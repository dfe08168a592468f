import {expect, test} from 'vitest'
import {formatState} from './format-state.ts'
import {ascii, unicode} from './symbols.ts'

test.each([
  [{isStuck: true, why: 'silent'}, '▲ stuck', 'stuck'],
  [{why: 'waiting-for-permission'}, '! needs you', 'needsYou'],
  [{why: 'waiting-for-tool'}, '● working', 'working'],
  [{}, '● starting', 'working'],
  [{why: 'background'}, '● working', 'working'],
  [{why: 'rate-limited'}, '◔ limited', 'waiting'],
  [{why: 'api-retry'}, '↻ retrying', 'waiting'],
  [{verdict: 'failed'}, '✗ failed', 'bad'],
  [{verdict: 'succeeded', why: 'lingering'}, '✓ succeeded', 'good'],
  [{verdict: 'truncated'}, '✗ truncated', 'bad'],
  [{verdict: 'timed-out'}, '✗ timed out', 'bad'],
  [{verdict: 'stopped'}, '■ stopped', 'waiting'],
] as const)('formatState shows a run with %j', (run, text, role) => {
  expect(formatState(run, unicode)).toEqual({text, role})
})

test('formatState uses ASCII signs when asked to', () => {
  expect(formatState({verdict: 'succeeded'}, ascii).text).toBe('+ succeeded')
})
