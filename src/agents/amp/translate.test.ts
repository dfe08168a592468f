import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {amp} from './index.ts'

function read(lines: string[]): AgentEvent[] {
  const parser = createEventParser(amp, {now: () => 0})
  return [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
}

function readFixture(name: string): AgentEvent[] {
  return read(readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8').split('\n'))
}

const call = (name: string, input: unknown) =>
  JSON.stringify({
    type: 'assistant',
    message: {role: 'assistant', content: [{type: 'tool_use', id: 't', name, input}]},
  })
const answer = (content: string) =>
  JSON.stringify({
    type: 'user',
    message: {role: 'user', content: [{type: 'tool_result', tool_use_id: 't', content}]},
  })

test('the documented run has tools, thinking and a sub-agent', () => {
  expect(readFixture('documented/tools_thinking_subagent')).toMatchObject([
    {type: 'session-start', sessionId: 'T-00000000-0000-4000-8000-000000000001'},
    {type: 'thinking', text: 'Run the tests first.'},
    {type: 'tool-start', tool: 'Bash', summary: 'npm test'},
    {type: 'tool-end', ok: false, exitCode: 1, output: '1 failing', error: '1 failing'},
    {type: 'tool-start', toolId: 'toolu_2', tool: 'Task', summary: 'look'},
    {type: 'text', text: 'Found it in a.js.', parentToolId: 'toolu_2'},
    {type: 'tool-end', toolId: 'toolu_2', ok: true},
    {type: 'text', text: 'Fixed.'},
    {type: 'usage', tokens: {input: 1200, output: 20, cacheRead: 900, cacheWrite: 100}},
    {type: 'turn-end', ok: true, text: 'Fixed.', turns: 3},
  ])
})

test('the error of a result is a string', () => {
  expect(readFixture('documented/error').at(-1)).toMatchObject({
    ok: false,
    errors: ['Out of credits'],
  })
})

test('a prompt for the user on stdout is kept line by line', () => {
  const events = readFixture('0.0.1790142911/no_login')
  expect(events.map(({type}) => type)).toEqual(Array.from({length: 4}, () => 'malformed'))
})

test('the JSON of a command result becomes its output and exit code', () => {
  expect(read([call('Bash', {cmd: 'ls'}), answer('{"output":"a","exitCode":0}')])).toMatchObject([
    {},
    {ok: true, output: 'a', exitCode: 0},
  ])
  expect(read([call('Bash', {cmd: 'ls'}), answer('{"no":"report"}')])[1]).toMatchObject({
    output: '{"no":"report"}',
  })
})

test('files are created and edited', () => {
  expect(read([call('create_file', {path: 'a', content: 'x\n'}), answer('ok')])[1]).toMatchObject({
    type: 'file-change',
    action: 'created',
    added: 1,
  })
  expect(read([call('edit_file', {path: 'a'}), answer('ok')])[1]).toMatchObject({
    type: 'file-change',
    action: 'modified',
  })
  expect(read([call('Read', {path: 'a'}), answer('ok')])).toHaveLength(2)
})

test.each([
  ['Read', 'Read'],
  ['create_file', 'Write'],
  ['undo_edit', 'Edit'],
  ['oracle', 'Task'],
  ['mcp__lab__echo', 'Mcp'],
  ['mermaid', 'Other'],
])('the tool %s has the kind %s', (name, tool) => {
  expect(read([call(name, {})])[0]).toMatchObject({type: 'tool-start', name, tool})
})

test('a written file without content has 0 lines', () => {
  expect(read([call('create_file', {path: 'a'}), answer('ok')])[1]).toMatchObject({
    type: 'file-change',
    path: 'a',
    action: 'created',
    added: 0,
  })
  expect(read([call('create_file', {}), answer('ok')])).toHaveLength(2)
})
