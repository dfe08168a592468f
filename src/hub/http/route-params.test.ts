import {expect, test} from 'vitest'
import {
  cursorOf,
  readCursor,
  readLimit,
  readSearchCursor,
  readSince,
  readTypes,
  readWord,
} from './route-params.ts'
import type {RunRow} from '../index/store.ts'

const toParams = (name: string, value: string) => new URLSearchParams({[name]: value})
const none = new URLSearchParams()

test.each([0, 1_700_000_000_000, 1e15, 8.64e15, -1, -8.64e15])(
  'continues a list after a run that started at %d',
  (startedAt) => {
    const row = {startedAt, runId: 'a.b-1'} as RunRow
    const cursor = readCursor(toParams('before', cursorOf(row)))
    expect(cursor).toEqual({startedAt, runId: 'a.b-1'})
  },
)

test.each(['', 'a', '1', '1.', '1e5.a', '--1.a', '12345678901234567.a'])(
  'rejects %j as a cursor',
  (text) => {
    expect(() => readCursor(toParams('before', text))).toThrow(
      'Invalid query parameter `before`: expected `next` of the previous page.',
    )
  },
)

test('reads each type of messages once', () => {
  const types = readTypes(toParams('types', 'agent_output,run_ended,agent_output'))
  expect(types).toEqual(['agent_output', 'run_ended'])
  expect(readTypes(none)).toBe(undefined)
})

test.each(['', ',', ','.repeat(7000), 'a,,b', 'A', 'x'.repeat(41), 'a b'])(
  'rejects %j as types of messages',
  (text) => {
    expect(() => readTypes(toParams('types', text))).toThrow(
      'Invalid query parameter `types`: expected message types separated by commas, such as `agent_output,run_ended`.',
    )
  },
)

test('reduces a large limit to the maximum', () => {
  const size = {defaultLimit: 50, maxLimit: 500}
  expect(readLimit(none, size)).toBe(50)
  expect(readLimit(toParams('limit', '7'), size)).toBe(7)
  expect(readLimit(toParams('limit', '501'), size)).toBe(500)
})

test.each(['0', '-1', '1.5', 'x', ''])('rejects %j as a limit', (text) => {
  expect(() => readLimit(toParams('limit', text), {defaultLimit: 50, maxLimit: 500})).toThrow(
    'Invalid query parameter `limit`: expected 1–500.',
  )
})

test('prefers the header Last-Event-ID to since', () => {
  expect(readSince(none)).toBe(0)
  expect(readSince(toParams('since', '3'))).toBe(3)
  expect(readSince(toParams('since', '3'), '5')).toBe(5)
})

test('names the parameter or header that is not a number', () => {
  const expected = 'expected a whole number of at least 0.'
  expect(() => readSince(toParams('since', '-1'))).toThrow(
    `Invalid query parameter \`since\`: ${expected}`,
  )
  expect(() => readSince(none, 'x')).toThrow(`Invalid header \`Last-Event-ID\`: ${expected}`)
  expect(() => readSearchCursor(toParams('before', 'x'))).toThrow(
    'Invalid query parameter `before`: expected `next` of the previous page.',
  )
})

test('reads one of several words', () => {
  const words = ['live', 'over'] as const
  expect(readWord(toParams('state', 'over'), 'state', words)).toBe('over')
  expect(readWord(toParams('state', ''), 'state', words)).toBe(undefined)
  expect(() => readWord(toParams('state', 'dead'), 'state', words)).toThrow(
    'Invalid query parameter `state`: expected `live` or `over`.',
  )
})
