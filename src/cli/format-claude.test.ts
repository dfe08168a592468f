import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createClaudeDecoder, parseRawEvent} from '../agents/claude/index.ts'
import {plain} from '../terminal/colors.ts'
import {formatClaudeEvent} from './format-claude.ts'

function format(value: unknown): string[] {
  return formatClaudeEvent(parseRawEvent(JSON.stringify(value)).event, plain)
}

const failure = {type: 'tool_result', tool_use_id: 't', is_error: true}

test.each<[string, unknown, string[]]>([
  [
    'an error in a field of its own',
    {type: 'user', message: {content: [{...failure, content: '', error: 'Permission denied'}]}},
    ['[claude] ERROR: Permission denied'],
  ],
  [
    'an error in a tag',
    {
      type: 'user',
      message: {content: [{...failure, content: '<tool_use_error>No.</tool_use_error>'}]},
    },
    ['[claude] ERROR: No.'],
  ],
  [
    'an error without a word',
    {type: 'user', message: {content: [failure]}},
    ['[claude] ERROR: no reason given'],
  ],
  [
    'a tool call on a line of its own',
    {type: 'tool_use', id: 't', name: 'Read', input: {file_path: 'a.txt'}},
    ['[claude] Read: a.txt'],
  ],
  [
    'the first line of a text',
    {type: 'assistant', message: {content: 'one\n\ntwo'}},
    ['[claude] "one …"'],
  ],
  [
    'no text',
    {type: 'assistant', message: {content: [{type: 'text'}, {type: 'text', text: 5}]}},
    [],
  ],
  [
    'a tool without a name',
    {type: 'assistant', message: {content: [{type: 'tool_use'}]}},
    ['[claude] '],
  ],
  [
    'the cost of old versions',
    {type: 'result', total_cost: 0.5},
    ['[claude] Complete (cost: $0.5000)'],
  ],
  ['no cost that is no number', {type: 'result', total_cost_usd: '1'}, ['[claude] Complete']],
  ['a subtype that is no text', {type: 'result', subtype: 5}, ['[claude] Complete']],
  [
    'errors that are not a list',
    {type: 'result', is_error: true, errors: 'boom'},
    ['[claude] Failed: boom'],
  ],
  [
    'errors that are not text',
    {type: 'result', is_error: true, errors: [{a: 1}], subtype: 'error_x'},
    ['[claude] Failed: error_x'],
  ],
  ['what it does not show', {type: 'system', subtype: 'init'}, []],
])('shows %s', (_, value, lines) => {
  expect(format(value)).toEqual(lines)
})

test('tells a line that is gone from one that is kept', () => {
  const [long, bad] = createClaudeDecoder({maxLineBytes: 5}).push('123456\n{\n')
  expect([long, bad].flatMap((record) => record && formatClaudeEvent(record.event, plain))).toEqual(
    [
      '[claude] Malformed: a line of 6 bytes, too long to keep',
      '[claude] Malformed: a line of 1 bytes, not JSON, kept',
    ],
  )
})

test('never throws, and gives lines without line ends, whatever the event', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.string({unit: 'binary'}))
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'tool_use', 'tool_result'),
      text: odd,
      name: odd,
      input: odd,
      content: odd,
      is_error: fc.boolean(),
      error: odd,
    },
    {requiredKeys: ['type']},
  )
  const event = fc.record(
    {
      type: fc.constantFrom('assistant', 'user', 'result', 'tool_use', 'tool_result'),
      message: fc.oneof(odd, fc.record({content: fc.oneof(odd, fc.array(block))})),
      subtype: odd,
      is_error: odd,
      errors: odd,
      result: odd,
      total_cost_usd: odd,
      parent_tool_use_id: odd,
      name: odd,
      input: odd,
    },
    {requiredKeys: ['type']},
  )
  fc.assert(
    fc.property(event, (value) => {
      expect(format(value).join('')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }),
    {numRuns: 1000},
  )
})
