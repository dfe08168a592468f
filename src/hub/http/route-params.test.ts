import {expect, test} from 'vitest'
import {cursorOf, readCursor, readTypes} from './route-params.ts'
import type {RunRow} from '../index/store.ts'

test.each([0, 1_700_000_000_000, 1e15, 8.64e15, -1, -8.64e15])(
  'a list goes on after a run that started at %d',
  (startedAt) => {
    const row = {startedAt, runId: 'a.b-1'} as RunRow
    expect(readCursor(cursorOf(row))).toEqual({startedAt, runId: 'a.b-1'})
  },
)

test.each(['', 'a', '1', '1.', '1e5.a', '--1.a', '12345678901234567.a'])(
  'rejects %j as a cursor',
  (text) => {
    expect(readCursor(text)).toBe(null)
  },
)

test('reads each type of messages once', () => {
  expect(readTypes('agent_output,run_ended,agent_output')).toEqual(['agent_output', 'run_ended'])
  expect(readTypes(null)).toBe(undefined)
})

test.each(['', ',', ','.repeat(7000), 'a,,b', 'A', 'x'.repeat(41), 'a b'])(
  'rejects %j as types of messages',
  (text) => {
    expect(readTypes(text)).toBe(null)
  },
)
