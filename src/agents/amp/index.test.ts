import {expect, test} from 'vitest'
import {amp} from './index.ts'

const session_id = 'T-00000000-0000-4000-8000-000000000001'

test.each([
  ['its first line', {type: 'system', subtype: 'init', session_id, tools: []}, 3],
  ['a message', {type: 'assistant', message: {}, session_id}, 3],
  ['a result', {type: 'result', subtype: 'success', session_id}, 3],
  ['a message of Claude', {type: 'assistant', message: {}, session_id: 'abc'}, 0],
  ['a message without a session', {type: 'assistant', message: {}}, 0],
  ['a line of a new kind', {type: 'novelty', session_id}, 0],
  ['no type', {session_id}, 0],
])('detects a line of Amp: %s', (_, record, sureness) => {
  expect(amp.detect(record)).toBe(sureness)
})

test.each([
  [['-x', 'do it'], ['--stream-json']],
  [['-x', 'do it', '--stream-json'], []],
  [['-x', 'do it', '--stream-json-thinking'], []],
  [['-x', '--', '--stream-json'], ['--stream-json']],
])('adds only missing flags to %j', (args, flags) => {
  expect(amp.flags(args)).toEqual(flags)
})
