import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {kimi} from './index.ts'

const FOLDER = new URL('fixtures/2.1.0/', import.meta.url)
const OLDER = new URL('fixtures/documented/', import.meta.url)

function read(lines: string[]) {
  const parser = createEventParser(kimi, {now: () => 0})
  const events = [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
  return {events: events.map((event) => strip(event)), drift: parser.drift()}
}

function strip({line: _line, at: _at, agent: _agent, ...event}: AgentEvent) {
  return event
}

function capture(name: string, folder = FOLDER) {
  return read(readFileSync(new URL(`${name}.jsonl`, folder), 'utf8').split('\n')).events
}

function records(...list: object[]) {
  return read(list.map((record) => JSON.stringify(record))).events
}

const VERSION = {role: 'meta', type: 'system.version', version: '2.1.0'}
const HINT = {role: 'meta', type: 'session.resume_hint', session_id: 's', command: '', content: ''}

function endOf(name: string, input: object, content: unknown) {
  const call = {type: 'function', id: 't', function: {name, arguments: JSON.stringify(input)}}
  const events = records(
    VERSION,
    {role: 'assistant', tool_calls: [call]},
    {role: 'tool', tool_call_id: 't', content},
  )
  return events.filter(({type}) => type !== 'tool-start')
}

function outcome(name: string, input: object, content: unknown) {
  return endOf(name, input, content).flatMap((event) =>
    event.type === 'tool-end' ? [event.exitCode ?? event.ok] : [],
  )[0]
}

test('every line and field of every capture is known', () => {
  for (const folder of [FOLDER, OLDER])
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
      const {events, drift} = read(readFileSync(new URL(name, folder), 'utf8').split('\n'))
      expect(drift).toEqual([])
      expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
    }
})

test('a conversation is read, and the session is known at its end', () => {
  const command = 'cat does-not-exist.txt; exit 3'
  const output =
    'cat: does-not-exist.txt: No such file or directory\nCommand failed with exit code: 3.'
  expect(capture('shell_fail')).toEqual([
    {
      type: 'tool-start',
      toolId: 'call_000002',
      name: 'Bash',
      tool: 'Bash',
      input: {command, description: 'lab'},
      summary: command,
    },
    {
      type: 'tool-end',
      toolId: 'call_000002',
      ok: false,
      output,
      outputLength: 84,
      error: output,
      exitCode: 3,
    },
    {type: 'text', text: 'It failed.'},
    {
      type: 'session-start',
      sessionId: 'session_8d4a23a5-d89a-418c-a428-8bda9ebabc5f',
      agentVersion: '2.1.0',
    },
    {type: 'turn-end', ok: true, text: 'It failed.'},
  ])
})

test('a failed or interrupted run has no turn end', () => {
  expect(capture('error_400')).toEqual([])
  expect(capture('error_after_tool').map(({type}) => type)).toEqual(['tool-start', 'tool-end'])
  expect(capture('sigint_during_command').at(-1)).toEqual({
    type: 'tool-end',
    toolId: 'call_000009',
    ok: false,
    output: 'begin\nSession closed',
    outputLength: 20,
    error: 'begin\nSession closed',
  })
  expect(records(VERSION, {role: 'assistant', content: 'Hi.'})).toEqual([
    {type: 'text', text: 'Hi.'},
  ])
})

test('the turn of the older program ends with its response', () => {
  expect(capture('python-print', OLDER)).toEqual([
    {type: 'text', text: 'Let me look.'},
    {
      type: 'tool-start',
      toolId: 'tc_1',
      name: 'Shell',
      tool: 'Bash',
      input: {command: 'ls'},
      summary: 'ls',
    },
    {type: 'tool-end', toolId: 'tc_1', ok: true, output: 'a.py', outputLength: 4},
    {type: 'text', text: 'One Python file.'},
    {type: 'turn-end', ok: true, text: 'One Python file.'},
  ])
  const lines = readFileSync(new URL('python-print.jsonl', OLDER), 'utf8').split('\n')
  expect(read(lines.slice(0, 2)).events.at(-1)?.type).toBe('tool-end')
})

test('the older program may print a message in parts', () => {
  const content = [
    {type: 'think', think: 'Hm.'},
    {type: 'text', text: 'Hi.'},
  ]
  expect(records({role: 'assistant', content})).toEqual([
    {type: 'thinking', text: 'Hm.'},
    {type: 'text', text: 'Hi.'},
    {type: 'turn-end', ok: true, text: 'Hi.'},
  ])
})

test('a failed tool is detected by its text', () => {
  const path = '/a'
  expect(outcome('Bash', {}, 'a\n')).toBe(true)
  expect(outcome('Bash', {}, 'Command failed with exit code: 3. Or did it?')).toBe(true)
  expect(outcome('Bash', {}, 'Process exited with code 1\nCommand failed with exit code: 1.')).toBe(
    1,
  )
  const long = 'Tool output exceeded 50000 characters;\n1\n\nCommand failed with exit code: 2.'
  expect(outcome('Bash', {}, `${long}\ntask_id: b\noutput_size_bytes: 9`)).toBe(2)
  expect(outcome('Bash', {}, 'a\nCommand killed by timeout (60s)')).toBe(false)
  expect(outcome('Read', {path}, '1\t"/a" does not exist.')).toBe(true)
  expect(outcome('Read', {path}, '"/a" is not a file.')).toBe(false)
  expect(outcome('Write', {path}, 'Wrote 9 bytes to /a')).toBe(true)
  expect(outcome('Write', {path}, 'EACCES: permission denied')).toBe(false)
  expect(outcome('Edit', {path}, 'Replaced 2 occurrences in /a')).toBe(true)
  expect(outcome('Edit', {path}, 'old_string not found')).toBe(false)
  expect(outcome('Glob', {}, '/x does not exist')).toBe(false)
  expect(outcome('Grep', {}, 'Failed to grep: bad regex')).toBe(false)
  expect(outcome('FetchURL', {}, 'Failed to fetch URL. Status: 404. no')).toBe(false)
  expect(outcome('WebSearch', {}, 'Search failed: no')).toBe(false)
  expect(outcome('Fly', {}, 'Tool "Fly" not found')).toBe(false)
  expect(outcome('Glob', {}, 'Invalid args for tool "Glob": no pattern')).toBe(false)
  expect(outcome('ReadFile', {path}, '<system>ERROR: no such file</system>')).toBe(false)
})

test('a denied call did not run', () => {
  const reason = 'Tool "Bash" was denied by permission rule.'
  expect(endOf('Bash', {command: 'ls'}, reason)).toEqual([
    {type: 'permission-denied', toolId: 't', name: 'Bash', input: {command: 'ls'}, reason},
    {
      type: 'tool-end',
      toolId: 't',
      ok: false,
      output: reason,
      outputLength: 42,
      error: reason,
      denied: true,
    },
  ])
})

test('file changes and plans are read from the input of successful tools', () => {
  const effects = (name: string, input: object, content: string) =>
    endOf(name, input, content).filter(({type}) => type !== 'tool-end')
  expect(capture('write_and_edit').filter(({type}) => type === 'file-change')).toEqual([
    {
      type: 'file-change',
      path: '/home/dev/project/new.txt',
      action: 'created',
      toolId: 'call_000012',
      added: 1,
    },
    {
      type: 'file-change',
      path: '/home/dev/project/keep.txt',
      action: 'modified',
      toolId: 'call_000016',
    },
  ])
  const input = {path: '/a', content: 'x', mode: 'append'}
  expect(effects('Write', input, 'Appended 1 bytes to /a')).toEqual([
    {type: 'file-change', path: '/a', action: 'modified', toolId: 't', added: 1},
  ])
  expect(effects('Write', input, 'Failed to write /a')).toEqual([])
  const todos = [
    {title: 'Read', status: 'done'},
    {title: 'Fix', status: 'in_progress'},
  ]
  expect(effects('TodoList', {todos}, 'Todo list updated.')).toEqual([
    {
      type: 'plan',
      items: [
        {text: 'Read', status: 'completed'},
        {text: 'Fix', status: 'in-progress'},
      ],
    },
  ])
  expect(effects('TodoList', {}, 'Todo list is empty.')).toEqual([])
})

test('output in parts is converted to text, unless it is from a command', () => {
  const parts = [
    {type: 'text', text: 'echo'},
    {type: 'image_url', image_url: {url: 'data:'}},
  ]
  const content = JSON.stringify(parts)
  const output = (name: string, value: unknown) =>
    endOf(name, {}, value).flatMap((event) => (event.type === 'tool-end' ? [event.output] : []))
  expect(output('mcp__lab__echo', content)).toEqual(['echo\n[image]'])
  expect(output('mcp__lab__echo', parts)).toEqual(['echo\n[image]'])
  expect(output('Bash', content)).toEqual([content])
  expect(output('mcp__lab__echo', '[{"a":1}]')).toEqual(['[{"a":1}]'])
})

test('a retry has its attempt', () => {
  const retry = {
    role: 'meta',
    type: 'turn.step.retrying',
    failed_attempt: 1,
    next_attempt: 2,
    max_attempts: 3,
    delay_ms: 500,
    error_name: 'APIStatusError',
    error_message: 'overloaded',
    status_code: 503,
  }
  expect(records(retry)).toEqual([
    {
      type: 'status',
      status: 'api-retry',
      detail: 'overloaded (503)',
      attempt: 1,
      of: 3,
      until: 500,
    },
  ])
})

test('the output of a hook is not a text of the model', () => {
  const content = 'UserPromptSubmit hook blocked\n\nnot today'
  expect(records(VERSION, {role: 'assistant', content})).toEqual([
    {type: 'status', status: 'hook', detail: 'UserPromptSubmit hook blocked: not today'},
  ])
})

test('a goal that was not reached is not a success', () => {
  const goal = {
    type: 'goal.summary',
    goalId: 'g',
    status: 'blocked',
    reason: 'no network',
    turnsUsed: 3,
    tokensUsed: 9,
    wallClockMs: 50,
  }
  expect(records(VERSION, goal, HINT)).toEqual([
    {type: 'session-start', sessionId: 's', agentVersion: '2.1.0'},
    {
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['no network'],
      durationMs: 50,
      turns: 3,
      reason: 'blocked',
    },
  ])
})

test('adds only missing flags', () => {
  expect(kimi.flags(['-p', 'hi'])).toEqual(['--output-format', 'stream-json'])
  expect(kimi.flags(['-p', 'hi', '--output-format', 'text'])).toEqual([])
})

test('its lines are distinguished from those of other agents', () => {
  expect(kimi.detect(VERSION)).toBe(2)
  expect(kimi.detect({type: 'goal.summary', goalId: null})).toBe(2)
  expect(kimi.detect({role: 'assistant', content: 'Hi.'})).toBe(1)
  expect(kimi.detect({type: 'message', role: 'assistant', content: 'Hi.'})).toBe(0)
  expect(kimi.detect({type: 'assistant', message: {}})).toBe(0)
})

test('reading a file without a name is not a failure', () => {
  expect(outcome('Read', {}, '1\tone')).toBe(true)
})

test('an empty part of output is an empty line', () => {
  const content = [{type: 'text'}, {type: 'text', text: 'two'}]
  expect(endOf('mcp__lab__echo', {}, content)).toMatchObject([{ok: true, output: '\ntwo'}])
})

test.each([
  ['what is asked', {role: 'user', content: 'Do it'}],
  ['the system prompt', {role: 'system', content: 'You are'}],
  ['an empty message', {role: 'assistant', content: ''}],
])('emits no event for %s', (_, record) => {
  expect(records(VERSION, record)).toEqual([])
})

test.each([
  ['by its name', {error_name: 'APIConnectionError'}, 'APIConnectionError'],
  ['by its code', {status_code: 529}, 'no answer (529)'],
  [
    'with its code in its words',
    {error_message: '529 overloaded', status_code: 529},
    '529 overloaded',
  ],
  ['without a word', {}, 'no answer'],
])('a retry is reported %s', (_, fields, detail) => {
  expect(records({role: 'meta', type: 'turn.step.retrying', ...fields})).toEqual([
    {type: 'status', status: 'api-retry', detail},
  ])
})

test.each([
  ['complete', undefined, {ok: true}],
  ['paused', undefined, {ok: false, errors: ['the goal is paused']}],
  ['blocked', 'no network', {ok: false, errors: ['no network']}],
])('a goal that is %s decides the result of the turn', (status, reason, end) => {
  expect(
    records(VERSION, {type: 'goal.summary', goalId: 'g', status, reason}, HINT).at(-1),
  ).toEqual({
    type: 'turn-end',
    text: '',
    reason: status,
    ...end,
  })
})

test.each([
  [['-p', 'hi', '--output-format=stream-json'], []],
  [
    ['-p', 'hi', '--', '--output-format'],
    ['--output-format', 'stream-json'],
  ],
])('an option counts only before the separator: %j', (args, flags) => {
  expect(kimi.flags(args)).toEqual(flags)
})
