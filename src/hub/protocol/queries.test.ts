import {HonoRequest} from 'hono/request'
import {expect, test} from 'vitest'
import {readHeaders, readQuery} from '../http/read-request.ts'
import {
  cursorOf,
  eventsQuery,
  recordsQuery,
  runsQuery,
  searchQuery,
  streamHeaders,
} from './queries.ts'

const none = toRequest({})

function toRequest(query: Record<string, string>, headers: Record<string, string> = {}) {
  return new HonoRequest(new Request(`http://hub/?${new URLSearchParams(query)}`, {headers}))
}

test.each([0, 1_700_000_000_000, 1e15, 8.64e15, -1, -8.64e15])(
  'continues a list after a run that started at %d',
  (startedAt) => {
    const cursor = {startedAt, runId: 'a.b-1'}
    expect(readQuery(runsQuery, toRequest({before: cursorOf(cursor)})).before).toEqual(cursor)
  },
)

test.each([
  ...['', 'a', '1', '1.', '1e5.a', '--1.a', '12345678901234567.a'].map((text) => ['before', text]),
  ['state', 'dead'],
  ...['0', '-1', '1.5', 'x', ''].map((text) => ['limit', text]),
])('rejects the parameter %s of a list with the value %j', (name, text) => {
  const expected: Record<string, string> = {
    before: '`next` of the previous page',
    state: '`live`, `over`, `failed`, or `needs-you`',
    limit: '1–500',
  }
  expect(() => readQuery(runsQuery, toRequest({[name]: text}))).toThrow(
    `Invalid query parameter \`${name}\`: expected ${expected[name]}.`,
  )
})

test('treats empty texts as absent', () => {
  const query = {agent: '', verdict: '', state: '', workOrderId: '', q: ''}
  expect(readQuery(runsQuery, toRequest(query))).toEqual({limit: 50})
  expect(readQuery(runsQuery, toRequest({...query, state: 'over'})).state).toBe('over')
  expect(readQuery(searchQuery, none)).toEqual({q: '', limit: 50})
})

test('reduces a large limit to the maximum', () => {
  const limits = ['7', '501'].map((limit) => readQuery(runsQuery, toRequest({limit})).limit)
  expect(limits).toEqual([7, 500])
})

test('reads each type of messages once', () => {
  const types = 'agent_output,run_ended,agent_output'
  expect(readQuery(eventsQuery, toRequest({types})).types).toEqual(['agent_output', 'run_ended'])
  expect(readQuery(eventsQuery, none)).toEqual({since: 0, limit: 500, includeThinking: false})
})

test.each(['', ',', ','.repeat(7000), 'a,,b', 'A', 'x'.repeat(41), 'a b'])(
  'rejects %j as types of messages',
  (types) => {
    expect(() => readQuery(eventsQuery, toRequest({types}))).toThrow(
      'Invalid query parameter `types`: expected message types separated by commas, such as `agent_output,run_ended`.',
    )
  },
)

test('names the parameter or header that is not a number', () => {
  const expected = 'expected a whole number of at least 0.'
  expect(() => readQuery(eventsQuery, toRequest({since: '-1'}))).toThrow(
    `Invalid query parameter \`since\`: ${expected}`,
  )
  expect(() => readHeaders(streamHeaders, toRequest({}, {'last-event-id': 'x'}))).toThrow(
    `Invalid header \`Last-Event-ID\`: ${expected}`,
  )
  expect(() => readQuery(searchQuery, toRequest({before: 'x'}))).toThrow(
    'Invalid query parameter `before`: expected `next` of the previous page.',
  )
})

test.each([{}, {lines: ''}, {lines: '2-1'}, {lines: '1-1001'}, {lines: '1,x'}])(
  'rejects the lines of %j',
  (query) => {
    expect(() => readQuery(recordsQuery, toRequest(query))).toThrow(
      'Invalid query parameter `lines`: expected at most 1,000 line numbers, such as `3,17,20-25`.',
    )
  },
)

test('reads a line that is asked for a thousand times once', () => {
  const lines = Array.from({length: 999}, () => '3001').join(',')
  expect(readQuery(recordsQuery, toRequest({lines}))).toEqual({lines: [[3001, 3001]]})
})

test('sorts ranges of lines and joins those that touch or overlap', () => {
  const {lines} = readQuery(recordsQuery, toRequest({lines: '20-25,3,24-30,4-6,3,32'}))
  expect(lines).toEqual([
    [3, 6],
    [20, 30],
    [32, 32],
  ])
})
