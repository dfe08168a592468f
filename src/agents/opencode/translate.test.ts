import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {opencode} from './index.ts'

const FOLDER = new URL('fixtures/1.18.33/', import.meta.url)

function read(lines: string[]) {
  const parser = createEventParser(opencode, {now: () => 0})
  const events = [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
  return {events, drift: parser.drift()}
}

function strip({line: _line, at: _at, agent: _agent, ...event}: AgentEvent) {
  return event
}

function capture(name: string) {
  const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8').split('\n')
  return read(lines).events.map((event) => strip(event))
}

let count = 0

/** Lines of one session, each with a part of its own. */
function records(...list: {type: string; part?: object; [field: string]: unknown}[]) {
  const lines = list.map(({part, ...record}) => {
    const own = part === undefined ? {} : {part: {id: `p${count++}`, messageID: 'm', ...part}}
    return JSON.stringify({timestamp: 1, sessionID: 'ses_1', ...record, ...own})
  })
  return read(lines)
    .events.map((event) => strip(event))
    .slice(1)
}

function tool(name: string, state: object) {
  return {type: 'tool_use', part: {type: 'tool', tool: name, callID: 'c', state}}
}

function endOf(name: string, state: object) {
  return records(tool(name, {status: 'completed', ...state})).filter(
    ({type}) => type !== 'tool-start',
  )
}

const START = {type: 'step_start', part: {}}
const USAGE = {
  type: 'usage',
  tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0},
}

test.each(readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl')))(
  'every line and field of %s is known',
  (name) => {
    const {events, drift} = read(readFileSync(new URL(name, FOLDER), 'utf8').split('\n'))
    expect(drift).toEqual([])
    expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
  },
)

test('a tool that is printed when it ended has both times, and the turn ends with the stream', () => {
  const {events} = read(
    readFileSync(new URL('shell_fail.jsonl', FOLDER), 'utf8').trim().split('\n'),
  )
  const input = {command: 'cat does-not-exist.txt; exit 3', description: 'Lab command'}
  const output = 'cat: does-not-exist.txt: No such file or directory\n'
  const tokens = {input: 800, output: 40, cacheRead: 200, cacheWrite: 0, reasoning: 10}
  const agent = 'opencode'
  expect(events).toEqual([
    {
      type: 'session-start',
      sessionId: 'ses_e22fd9b5affe7KY0VjuJMBcJwZ',
      line: 1,
      at: expect.any(Number),
      agent,
    },
    {
      type: 'tool-start',
      toolId: 'call_000002',
      name: 'bash',
      tool: 'Bash',
      input,
      summary: input.command,
      line: 2,
      at: 1794709287997,
      agent,
    },
    {
      type: 'tool-end',
      toolId: 'call_000002',
      ok: false,
      output,
      outputLength: 51,
      error: output,
      exitCode: 3,
      durationMs: 241,
      line: 2,
      at: 1794709288238,
      agent,
    },
    {type: 'usage', tokens, costUsd: 0.00306, line: 3, at: 1794709288372, agent},
    {
      type: 'text',
      text: 'It failed.',
      messageId: 'msg_1dd027659001Dj54PyhFVcYU5o',
      line: 5,
      at: 1794709288892,
      agent,
    },
    {type: 'usage', tokens, costUsd: 0.00306, line: 6, at: 1794709289054, agent},
    {
      type: 'turn-end',
      ok: true,
      text: 'It failed.',
      costUsd: 0.00612,
      reason: 'stop',
      line: 6,
      at: 1794709289054,
      agent,
    },
  ])
})

test('thinking is reported when it is printed', () => {
  expect(capture('thinking')[1]).toEqual({
    type: 'thinking',
    text: 'Considering the question. The user wants a short answer.',
    messageId: 'msg_1dd01f9c7001bOYzXhcPqG94Q5',
  })
})

test('the cost of a turn is the sum of its steps, also when it is 0', () => {
  const costs = (name: string) =>
    capture(name).flatMap((event) => (event.type === 'turn-end' ? [event.costUsd] : []))
  expect(costs('todos')).toEqual([0.00918])
  expect(costs('text_free_model')).toEqual([0])
})

test('an error from which it recovered is a warning, and inserted text is omitted', () => {
  const events = capture('error_context_then_ok')
  expect(events.filter(({type}) => type === 'status')).toEqual([
    {
      type: 'status',
      status: 'warning',
      detail: "This model's maximum context length is 128000 tokens.",
    },
    {type: 'status', status: 'compacting', phase: 'end', detail: 'compacted, continuing'},
  ])
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
    'Lab title',
    'Recovered after compaction.',
  ])
  expect(events.at(-1)).toEqual({
    type: 'turn-end',
    ok: true,
    text: 'Recovered after compaction.',
    costUsd: 0.00612,
    reason: 'stop',
  })
})

test('a turn that was to continue when the stream stopped has no turn end', () => {
  const ends = (name: string) => capture(name).filter(({type}) => type === 'turn-end')
  expect(ends('error_context_loop')).toEqual([])
  expect(ends('sigint_during_command')).toEqual([])
})

test('an error that comes last ends the turn', () => {
  expect(capture('error_400').slice(1)).toEqual([
    {type: 'status', status: 'warning', detail: 'Unsupported parameter'},
    {type: 'turn-end', ok: false, text: '', errors: ['Unsupported parameter'], reason: 'APIError'},
  ])
})

test('an abort is an interruption, and an error without a message has its name', () => {
  expect(records({type: 'error', error: {name: 'MessageAbortedError', data: {}}})).toEqual([
    {type: 'status', status: 'interrupted', detail: 'MessageAbortedError'},
    {
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['MessageAbortedError'],
      reason: 'MessageAbortedError',
    },
  ])
})

test('a turn is not ok when the model stopped for another reason', () => {
  expect(records(START, {type: 'step_finish', part: {reason: 'length'}})).toEqual([
    USAGE,
    {
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['the model stopped: length'],
      reason: 'length',
    },
  ])
})

test('a denial ends the turn when no step follows', () => {
  const error = 'The user rejected permission to use this specific tool call.'
  const refused = tool('bash', {status: 'error', input: {command: 'ls'}, error})
  const finish = {type: 'step_finish', part: {reason: 'tool-calls'}}
  const denied = [
    {
      type: 'tool-start',
      toolId: 'c',
      name: 'bash',
      tool: 'Bash',
      input: {command: 'ls'},
      summary: 'ls',
    },
    {type: 'permission-denied', toolId: 'c', name: 'bash', input: {command: 'ls'}, reason: error},
    {type: 'tool-end', toolId: 'c', ok: false, output: '', outputLength: 0, error, denied: true},
    USAGE,
  ]
  expect(records(START, refused, finish)).toEqual([
    ...denied,
    {type: 'turn-end', ok: false, text: '', errors: [error], reason: 'tool-calls'},
  ])
  expect(records(START, refused, finish, START)).toEqual(denied)
})

test('an invalid call is a failed call with the requested name', () => {
  const error =
    "Model tried to call unavailable tool 'no_such_tool'. Available tools: bash, edit, glob, grep, invalid, read, skill, task, todowrite, webfetch, write."
  const input = {tool: 'no_such_tool', error}
  expect(capture('tool_unknown').slice(1, 3)).toEqual([
    {
      type: 'tool-start',
      toolId: 'call_000005',
      name: 'no_such_tool',
      tool: 'Other',
      input,
      summary: '',
    },
    {
      type: 'tool-end',
      toolId: 'call_000005',
      ok: false,
      output: `The arguments provided to the tool are invalid: ${error}`,
      outputLength: 197,
      error,
      durationMs: 36,
    },
  ])
})

test('a tool that a rule removed is denied', () => {
  const denied = (name: string, available: string) => {
    const error = `Model tried to call unavailable tool '${name}'. Available tools: ${available}.`
    return endOf('invalid', {input: {tool: name, error}}).some(
      ({type}) => type === 'permission-denied',
    )
  }
  expect(denied('bash', 'edit, read')).toBe(true)
  expect(denied('write', 'bash, read')).toBe(true)
  expect(denied('write', 'apply_patch, bash, read')).toBe(false)
  expect(denied('fly', 'bash')).toBe(false)
  const error =
    'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []'
  expect(endOf('bash', {status: 'error', error}).map(({type}) => type)).toEqual([
    'permission-denied',
    'tool-end',
  ])
})

test('a killed command failed', () => {
  expect(endOf('bash', {output: 'a', metadata: {exit: null}})).toEqual([
    {type: 'tool-end', toolId: 'c', ok: false, output: 'a', outputLength: 1, error: 'a'},
  ])
})

test('tools of MCP servers have the name of the server as a prefix', () => {
  expect(records(tool('lab_echo', {status: 'completed', output: 'echo'}))).toEqual([
    {type: 'tool-start', toolId: 'c', name: 'lab_echo', tool: 'Mcp', input: undefined, summary: ''},
    {type: 'tool-end', toolId: 'c', ok: true, output: 'echo', outputLength: 4},
  ])
})

test('file changes have their action', () => {
  const changes = (name: string, state: object) =>
    endOf(name, state).filter(({type}) => type === 'file-change')
  const change = {type: 'file-change', toolId: 'c'}
  const input = {filePath: '/a', content: 'x\ny'}
  expect(changes('write', {input, metadata: {filepath: '/a', exists: false}})).toEqual([
    {...change, path: '/a', action: 'created', added: 2},
  ])
  expect(changes('write', {input, metadata: {filepath: '/a', exists: true}})).toEqual([
    {...change, path: '/a', action: 'modified'},
  ])
  const filediff = {file: '/a', patch: '', additions: 1, deletions: 2}
  expect(changes('edit', {input: {filePath: '/a', oldString: 'x'}, metadata: {filediff}})).toEqual([
    {...change, path: '/a', action: 'modified', added: 1, removed: 2},
  ])
  expect(changes('edit', {input: {filePath: '/a', oldString: ''}, metadata: {}})).toEqual([
    {...change, path: '/a', action: 'created'},
  ])
  const files = [
    {filePath: '/a', type: 'add', additions: 3, deletions: 0},
    {filePath: '/b', type: 'delete', additions: 0, deletions: 4},
    {filePath: '/c', type: 'update', additions: 1, deletions: 1},
    {filePath: '/d', type: 'move', movePath: '/e', additions: 0, deletions: 0},
  ]
  expect(changes('apply_patch', {metadata: {files}})).toEqual([
    {...change, path: '/a', action: 'created', added: 3, removed: 0},
    {...change, path: '/b', action: 'deleted', added: 0, removed: 4},
    {...change, path: '/c', action: 'modified', added: 1, removed: 1},
    {...change, path: '/d', action: 'deleted'},
    {...change, path: '/e', action: 'created', added: 0, removed: 0},
  ])
  expect(changes('edit', {status: 'error', error: 'no', input: {filePath: '/a'}})).toEqual([])
})

test('the to-do list is a plan', () => {
  expect(capture('todos').filter(({type}) => type === 'plan')).toEqual([
    {
      type: 'plan',
      items: [
        {text: 'Read', status: 'in-progress'},
        {text: 'Fix', status: 'pending'},
      ],
    },
    {
      type: 'plan',
      items: [
        {text: 'Read', status: 'completed'},
        {text: 'Fix', status: 'completed'},
      ],
    },
  ])
})

test('a repeated part is ignored', () => {
  const text = {type: 'text', part: {id: 'p', text: 'Hi.'}}
  expect(records(text, text)).toEqual([{type: 'text', text: 'Hi.', messageId: 'm'}])
  const input = {filePath: '/a', content: ''}
  const time = {start: 1, end: 2, compacted: 3}
  expect(records(tool('write', {status: 'completed', input, time}))).toEqual([])
})

test('newer versions report the end of the turn', () => {
  const text = {type: 'text', part: {text: 'Hi.'}}
  const finish = {type: 'step_finish', part: {reason: 'stop', cost: 0.5}}
  expect(records(START, text, finish, {type: 'done', reason: 'idle'})).toEqual([
    {type: 'text', text: 'Hi.', messageId: 'm'},
    {...USAGE, costUsd: 0.5},
    {type: 'turn-end', ok: true, text: 'Hi.', costUsd: 0.5, reason: 'stop'},
  ])
  expect(records({type: 'done', reason: 'idle'})).toEqual([
    {type: 'turn-end', ok: true, text: '', reason: 'idle'},
  ])
})

test('adds only missing arguments', () => {
  expect(opencode.flags(['hi'])).toEqual(['run', '--format', 'json', '--thinking'])
  expect(opencode.flags(['run', 'hi', '--thinking'])).toEqual(['--format', 'json'])
  expect(opencode.flags(['run', '--format', 'default', 'hi'])).toEqual([])
})

test('its lines are distinguished from those of other agents', () => {
  expect(opencode.detect({type: 'text', timestamp: 1, sessionID: 's', part: {}})).toBe(2)
  expect(opencode.detect({type: 'error', timestamp: 1, sessionID: 's', error: {}})).toBe(2)
  expect(opencode.detect({type: 'done', timestamp: 1, sessionID: 's'})).toBe(1)
  expect(opencode.detect({type: 'text', sessionID: 's', part: {}})).toBe(1)
  expect(opencode.detect({type: 'text', timestamp: 1})).toBe(0)
})

test.each([
  [
    'a file written, by what was asked',
    'write',
    {input: {filePath: '/a'}},
    [{path: '/a', action: 'created', added: 0}],
  ],
  ['a written file without a path', 'write', {input: {content: 'x'}}, []],
  ['an edit without a path', 'edit', {input: {oldString: 'x'}}, []],
  [
    'a patched file, by its place in the project',
    'patch',
    {metadata: {files: [{relativePath: 'a', type: 'update', additions: 1, deletions: 0}]}},
    [{path: 'a', action: 'modified', added: 1, removed: 0}],
  ],
  [
    'a moved file without a target',
    'apply_patch',
    {metadata: {files: [{filePath: '/a', type: 'move'}]}},
    [{path: '/a', action: 'modified'}],
  ],
  ['a patched file without a name', 'apply_patch', {metadata: {files: [{type: 'add'}]}}, []],
  ['a file that was only read', 'read', {input: {filePath: '/a'}}, []],
])('file changes have the known facts: %s', (_, name, state, changes) => {
  expect(endOf(name, {output: '', ...state})).toEqual([
    ...changes.map((change) => ({type: 'file-change', toolId: 'c', ...change})),
    {type: 'tool-end', toolId: 'c', ok: true, output: '', outputLength: 0},
  ])
})

test.each([
  ['a failure without words', 'bash', {status: 'error', output: 'half'}, 'half'],
  [
    'a call that cannot be made and does not say why',
    'invalid',
    {output: 'no such tool'},
    'no such tool',
  ],
])('the output of a tool is the error of %s', (_, name, state, error) => {
  expect(endOf(name, state)).toEqual([
    {type: 'tool-end', toolId: 'c', ok: false, output: error, outputLength: error.length, error},
  ])
})

test('an invalid call without a name has the name invalid', () => {
  expect(records(tool('invalid', {status: 'completed', input: {error: 'no'}}))).toMatchObject([
    {type: 'tool-start', name: 'invalid', tool: 'Other'},
    {type: 'tool-end', ok: false, error: 'no'},
  ])
})

test('a line of another agent is not detected as its own', () => {
  expect(opencode.detect({type: 'error', message: 'no'})).toBe(0)
  expect(opencode.detect({type: 'thread.started', sessionID: 's', timestamp: 1})).toBe(0)
  expect(opencode.detect({sessionID: 's', timestamp: 1})).toBe(0)
})

test('the format of the user is kept', () => {
  expect(opencode.flags(['run', '--format=json', 'hi'])).toEqual(['--thinking'])
  expect(opencode.flags(['run', '--format', 'json', '--thinking', 'hi'])).toEqual([])
})
