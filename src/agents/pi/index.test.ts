import {expect, test} from 'vitest'
import {pi} from './index.ts'

const session = {type: 'session', version: 3, id: 's', timestamp: '', cwd: '/p'}

test.each([
  ['its first line', session, 2],
  ['a message', {type: 'message_end', message: {role: 'user', content: [], timestamp: 1}}, 2],
  ['a message as Claude may stream it', {type: 'message_start', message: {role: 'assistant'}}, 0],
  ['an update', {type: 'message_update', assistantMessageEvent: {type: 'start'}}, 2],
  ['a tool', {type: 'tool_execution_start', toolCallId: 't', toolName: 'ls', args: {}}, 2],
  ['a start, which anybody may print', {type: 'agent_start'}, 1],
  ['a retry', {type: 'auto_retry_start', attempt: 1}, 1],
  ['a session without a folder', {type: 'session', version: 3, id: 's'}, 0],
  ['a session without an id', {...session, id: null}, 0],
  ['a session of another agent', {type: 'session', id: 's', cwd: '/p'}, 0],
  ['a message without a role', {type: 'message_start', message: {id: 'm'}}, 0],
  ['a message of the Messages API', {type: 'message_stop'}, 0],
  ['an update without an event', {type: 'message_update', message: {role: 'assistant'}}, 0],
  ['a tool without an id', {type: 'tool_execution_end', toolName: 'ls'}, 0],
  ['a type that is not known', {type: 'thread.started'}, 0],
  ['no type', {role: 'assistant'}, 0],
])('detects a line of Pi: %s', (_, record, sureness) => {
  expect(pi.detect(record)).toBe(sureness)
})

test.each([
  [['do it'], ['--mode', 'json']],
  [['--mode', 'json', 'do it'], []],
  [['--mode=rpc'], []],
  [
    ['--', '--mode'],
    ['--mode', 'json'],
  ],
])('adds only missing flags to %j', (args, flags) => {
  expect(pi.flags(args)).toEqual(flags)
})
