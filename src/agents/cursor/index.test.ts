import {expect, test} from 'vitest'
import {cursor} from './index.ts'

const init = {type: 'system', subtype: 'init', apiKeySource: 'login', cwd: '/p', session_id: 's'}

test.each([
  ['its first line', init, 3],
  ['a tool', {type: 'tool_call', subtype: 'started', call_id: 'c', tool_call: {}}, 3],
  ['a tool of Droid, which has another id', {type: 'tool_call', id: 'c', toolName: 'x'}, 0],
  ['a tool without an id', {type: 'tool_call', subtype: 'started'}, 0],
  ['the first line of Claude Code, which has tools', {...init, tools: []}, 0],
  ['the first line of Amp', {type: 'system', subtype: 'init', session_id: 'T-1'}, 0],
  ['a message, which others print too', {type: 'assistant', message: {}, session_id: 's'}, 0],
  ['no type', {role: 'assistant'}, 0],
])('detects a line of Cursor: %s', (_, record, sureness) => {
  expect(cursor.detect(record)).toBe(sureness)
})

test.each([
  [
    ['-p', 'do it'],
    ['--output-format', 'stream-json'],
  ],
  [['-p', '--output-format', 'stream-json', 'do it'], []],
  [['-p', '--output-format=text', 'do it'], []],
])('adds only missing flags to %j', (args, flags) => {
  expect(cursor.flags(args)).toEqual(flags)
})
