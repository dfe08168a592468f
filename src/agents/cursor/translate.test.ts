import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {cursor} from './index.ts'

function read(...records: unknown[]): AgentEvent[] {
  const parser = createEventParser(cursor, {now: () => 0})
  return [...records.flatMap((record) => parser.parse(JSON.stringify(record))), ...parser.end()]
}

const call = (subtype: string, tool_call: unknown) => ({
  type: 'tool_call',
  subtype,
  call_id: 'c',
  tool_call,
})

test('the documented run is translated', () => {
  const text = readFileSync(new URL('fixtures/documented/tools.jsonl', import.meta.url), 'utf8')
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(read(...records)).toMatchObject([
    {type: 'session-start', model: 'Some Model', permissionMode: 'default'},
    {type: 'text', text: 'I will read it.'},
    {type: 'tool-start', name: 'read', tool: 'Read', input: {path: 'README.md'}},
    {type: 'tool-end', ok: true, output: '# Hi'},
    {type: 'tool-start', name: 'write', tool: 'Write'},
    {type: 'file-change', path: '/home/u/project/sum.txt', action: 'created', added: 1},
    {type: 'tool-end', ok: true, output: ''},
    {type: 'text', text: 'Done.'},
    {type: 'turn-end', ok: true, text: 'I will read it.Done.'},
  ])
})

test.each([
  ['an error', {error: {message: 'no'}}, {ok: false, error: 'no'}],
  ['a failure of another kind', {fileNotFound: {}}, {ok: false, error: 'fileNotFound'}],
  ['a refusal', {rejected: {reason: 'x'}}, {ok: false, denied: true, error: 'x'}],
  [
    'an exit code',
    {success: {exitCode: 2, stdout: 'a', stderr: 'b'}},
    {ok: false, exitCode: 2, output: 'a\nb'},
  ],
  ['no result', undefined, {ok: true, output: ''}],
  ['a result that is text', {success: 'done'}, {ok: true, output: 'done'}],
])('a tool may end with %s', (_, result, end) => {
  const started = call('started', {shellToolCall: {args: {command: 'x'}}})
  expect(
    read(started, call('completed', {shellToolCall: {args: {}, result}})).at(-1),
  ).toMatchObject(end)
})

test('a tool without a type is a function', () => {
  const tool = {function: {name: 'custom', arguments: '{"a":1}'}}
  expect(read(call('started', tool))[0]).toMatchObject({
    name: 'custom',
    tool: 'Other',
    input: {a: 1},
  })
})

test('an edit changes a file', () => {
  const edit = {editToolCall: {args: {path: 'a'}, result: {success: {}}}}
  expect(read(call('started', edit), call('completed', edit))[1]).toMatchObject({
    type: 'file-change',
    path: 'a',
    action: 'modified',
  })
  const nameless = {editToolCall: {args: {}, result: {success: {}}}}
  expect(read(call('completed', nameless))).toHaveLength(1)
})

test('thinking is printed as deltas', () => {
  expect(
    read(
      {type: 'thinking', subtype: 'delta', text: 'hm'},
      {type: 'thinking', subtype: 'completed'},
    ),
  ).toMatchObject([{type: 'thinking-delta', text: 'hm'}])
})

test('reports a call without a tool and a call without an id', () => {
  expect(read(call('started', {}), {type: 'tool_call', subtype: 'started'})).toMatchObject([
    {type: 'unknown', reason: 'tool_call without a tool'},
    {type: 'unknown', reason: 'tool_call without call_id'},
  ])
})

test.each([
  ['readToolCall', 'read', 'Read'],
  ['shellToolCall', 'shell', 'Bash'],
  ['lsToolCall', 'ls', 'Glob'],
  ['updateTodosToolCall', 'updateTodos', 'Todo'],
  ['mcpToolCall', 'mcp', 'Mcp'],
  ['semSearchToolCall', 'semSearch', 'Other'],
])('the tool %s is named by its field', (key, name, tool) => {
  expect(read(call('started', {[key]: {args: {a: 1}}}))[0]).toMatchObject({
    type: 'tool-start',
    toolId: 'c',
    name,
    tool,
    input: {a: 1},
  })
})

test('a function without details has the name function', () => {
  expect(read(call('started', {function: {}}))[0]).toMatchObject({
    type: 'tool-start',
    name: 'function',
    tool: 'Other',
    summary: '',
  })
})

test('a tool in a message is read as in any message', () => {
  const message = (type: string, block: unknown) => ({
    type,
    message: {role: type, content: [block]},
    session_id: 's',
  })
  const use = (name: string) =>
    message('assistant', {type: 'tool_use', id: name, name, input: {path: 'a'}})
  const result = {type: 'tool_result', tool_use_id: 'read', content: 'hi', is_error: false}
  expect(read(use('read'), use('fly'), message('user', result))).toMatchObject([
    {type: 'tool-start', toolId: 'read', tool: 'Read', summary: 'a'},
    {type: 'tool-start', toolId: 'fly', tool: 'Other'},
    {type: 'tool-end', toolId: 'read', ok: true, output: 'hi'},
    {type: 'tool-end', toolId: 'fly', ok: false, unfinished: true},
  ])
})

test('a denial is reported before the end of its tool, with its reason', () => {
  const shell = {shellToolCall: {args: {command: 'x'}, result: {rejected: {reason: 'no'}}}}
  expect(read(call('started', shell), call('completed', shell)).slice(1)).toMatchObject([
    {type: 'permission-denied', name: 'shell', input: {command: 'x'}, reason: 'no'},
    {type: 'tool-end', denied: true, error: 'no'},
  ])
})

test('a deleted file is a file change', () => {
  const gone = {deleteToolCall: {args: {path: 'a'}, result: {success: {}}}}
  expect(read(call('completed', gone))[0]).toMatchObject({path: 'a', action: 'deleted'})
})

test('the to-do list is a plan', () => {
  const args = {todos: [{content: 'One', status: 'pending'}]}
  const todos = {updateTodosToolCall: {args, result: {success: {}}}}
  expect(read(call('completed', todos))[0]).toMatchObject({
    type: 'plan',
    items: [{text: 'One', status: 'pending'}],
  })
})

test('empty thinking emits no event', () => {
  expect(read({type: 'thinking', subtype: 'delta'})).toEqual([])
})
