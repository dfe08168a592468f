import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {cline} from './index.ts'

/** The events of some lines, without where and when. */
function read(...records: object[]): object[] {
  const parser = createEventParser(cline, {now: () => 0})
  const events = [
    ...records.flatMap((record) => parser.parse(JSON.stringify(record))),
    ...parser.end(),
  ]
  expect(parser.drift()).toEqual([])
  return events.map(({line: _line, at: _at, agent: _agent, ...rest}) => rest)
}

function event(type: string, fields: object): object {
  return {ts: '2026-11-15T02:42:27.221Z', type: 'agent_event', event: {type, ...fields}}
}

function tool(id: string, toolName: string, input: object, output: unknown, more = {}): object[] {
  const call = {contentType: 'tool', toolName, toolCallId: id}
  return [
    event('content_start', {...call, input}),
    event('content_end', {...call, output, ...more}),
  ]
}

const hook = {
  ts: '2026-11-15T02:42:27.221Z',
  type: 'hook_event',
  hookEventName: 'agent_start',
  agentId: 'agent_1',
  taskId: 'conv_1',
  parentAgentId: null,
}

test('the session starts once: sub-agents have tasks of their own', () => {
  expect(read(hook, {...hook, taskId: 'conv_2'})).toEqual([
    {type: 'session-start', sessionId: 'conv_1'},
  ])
})

test('deltas of content_start are emitted once, and thinking may end after the text', () => {
  expect(
    read(
      event('content_start', {contentType: 'reasoning', reasoning: 'Let me ', redacted: false}),
      event('content_start', {contentType: 'reasoning', reasoning: 'think.', redacted: false}),
      event('content_start', {contentType: 'text', text: 'Ans', accumulated: 'Ans'}),
      event('content_start', {contentType: 'text', text: 'wer.', accumulated: 'Answer.'}),
      event('content_end', {contentType: 'text', text: 'Answer.'}),
      event('content_end', {contentType: 'reasoning', reasoning: 'Let me think.'}),
    ),
  ).toEqual([
    {type: 'thinking-delta', text: 'Let me '},
    {type: 'thinking-delta', text: 'think.'},
    {type: 'text-delta', text: 'Ans'},
    {type: 'text-delta', text: 'wer.'},
  ])
})

test('a command fails when one of its results does', () => {
  const output = [
    {query: 'echo a', result: 'a\n', success: true},
    {
      query: 'exit 2',
      result: '[Command exited with code 2]',
      error: 'Command exited with code 2',
      success: false,
    },
  ]
  const [, end] = read(
    ...tool('t', 'run_commands', {commands: ['echo a', 'exit 2']}, output, {durationMs: 5}),
  )
  expect(end).toEqual({
    type: 'tool-end',
    toolId: 't',
    ok: false,
    output: 'a\n\n[Command exited with code 2]',
    outputLength: 31,
    error: 'Command exited with code 2',
    exitCode: 2,
    durationMs: 5,
  })
})

test('a tool without the required approval is denied', () => {
  const error = 'Tool "editor" requires approval in a TTY session -- NOT a tool or system failure.'
  const input = {path: '/p/n.txt', new_text: 'a'}
  const [, ...events] = read(
    ...tool('t', 'editor', input, {error}, {error: JSON.stringify({error})}),
  )
  expect(events).toEqual([
    {type: 'permission-denied', toolId: 't', name: 'editor', input, reason: error},
    {
      type: 'tool-end',
      toolId: 't',
      ok: false,
      output: error,
      outputLength: error.length,
      error,
      denied: true,
    },
  ])
})

test('file changes are read from the output of the editor', () => {
  const changes = read(
    ...tool(
      'a',
      'editor',
      {path: '/p/new.txt', new_text: 'made\nit\n'},
      {
        query: 'edit:/p/new.txt',
        result: 'File created successfully at: /p/new.txt',
        success: true,
      },
    ),
    ...tool(
      'b',
      'editor',
      {path: '/p/keep.txt', old_text: 'two', new_text: 'TWO'},
      {
        query: 'edit:/p/keep.txt',
        result: 'Edited /p/keep.txt\n```diff\n-2: two\n+2: TWO\n```',
        success: true,
      },
    ),
    ...tool(
      'c',
      'editor',
      {path: '/p/keep.txt', old_text: 'x', new_text: 'y'},
      {
        query: 'edit:/p/keep.txt',
        result: '',
        error: 'text not found',
        success: false,
      },
    ),
    ...tool(
      'd',
      'apply_patch',
      {input: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch'},
      {
        result: 'done',
        success: true,
      },
    ),
  ).filter((item) => 'type' in item && item.type === 'file-change')
  expect(changes).toEqual([
    {type: 'file-change', path: '/p/new.txt', action: 'created', toolId: 'a', added: 2},
    {
      type: 'file-change',
      path: '/p/keep.txt',
      action: 'modified',
      toolId: 'b',
      added: 1,
      removed: 1,
    },
    {type: 'file-change', path: 'a.txt', action: 'deleted', toolId: 'd'},
  ])
})

test('texts and tools of a sub-agent belong to its call', () => {
  const call = {contentType: 'tool', toolName: 'spawn_agent', toolCallId: 's'}
  expect(
    read(
      event('content_start', {...call, input: {task: 'count'}}),
      event('content_start', {contentType: 'text', text: 'Sub', accumulated: 'Sub'}),
      event('content_end', {...call, output: {text: 'Sub', iterations: 1}}),
      event('content_start', {contentType: 'text', text: 'Main', accumulated: 'Main'}),
    ),
  ).toEqual([
    {
      type: 'tool-start',
      toolId: 's',
      name: 'spawn_agent',
      tool: 'Task',
      input: {task: 'count'},
      summary: expect.any(String),
    },
    {type: 'text-delta', text: 'Sub', parentToolId: 's'},
    {type: 'tool-end', toolId: 's', ok: true, output: 'Sub', outputLength: 3},
    {type: 'text-delta', text: 'Main'},
  ])
})

const result = {
  ts: '2026-11-15T02:43:03.682Z',
  type: 'run_result',
  finishReason: 'error',
  iterations: 1,
  usage: {inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, totalCost: 0.5},
  durationMs: 425,
  text: 'Unsupported parameter',
  model: {id: 'mock-1', provider: 'openai-compatible'},
}

test('an error that repeats the result is ignored', () => {
  const error = {ts: '2026-11-15T02:43:03.683Z', type: 'error', message: 'Unsupported parameter'}
  const fatal = event('error', {
    error: {name: 'Error', message: 'Unsupported parameter'},
    errorClass: 'unknown',
    recoverable: false,
    iteration: 1,
  })
  expect(read(fatal, result, error)).toEqual([
    {
      type: 'turn-end',
      ok: false,
      subtype: 'error',
      text: 'Unsupported parameter',
      errors: ['Unsupported parameter'],
      costUsd: 0.5,
      durationMs: 425,
      turns: 1,
    },
  ])
  expect(read(error)).toEqual([
    {type: 'turn-end', ok: false, text: '', errors: ['Unsupported parameter']},
  ])
})

test('a recoverable error is a warning', () => {
  const error = event('error', {error: {message: 'tool failed'}, recoverable: true, iteration: 1})
  expect(read(error)).toEqual([{type: 'status', status: 'warning', detail: 'tool failed'}])
})

test('a stream that just stops has no turn end', () => {
  expect(read(hook, event('iteration_start', {iteration: 1}))).toEqual([
    {type: 'session-start', sessionId: 'conv_1'},
  ])
})

const ts = '2026-11-15T02:42:27.221Z'

function changesOf(...records: object[]): object[] {
  return read(...records).filter((item) => 'type' in item && item.type === 'file-change')
}

test('a patch of several files counts the lines of each', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.txt',
    '+one',
    '+two',
    '*** Update File: src/keep.txt',
    '@@',
    ' one',
    '-two',
    '+TWO',
    '+three',
    '*** Delete File: gone.txt',
    '*** End Patch',
  ].join('\n')
  const changes = [
    {
      type: 'file-change',
      path: 'new.txt',
      action: 'created',
      toolId: 'p',
      added: 2,
      removed: 0,
    },
    {
      type: 'file-change',
      path: 'src/keep.txt',
      action: 'modified',
      toolId: 'p',
      added: 2,
      removed: 1,
    },
    {type: 'file-change', path: 'gone.txt', action: 'deleted', toolId: 'p'},
  ]
  const done = {query: 'apply_patch', result: 'Patch applied', success: true}
  expect(changesOf(...tool('p', 'apply_patch', {input: patch}, done))).toEqual(changes)
  const call = {contentType: 'tool', toolName: 'apply_patch', toolCallId: 'p'}
  expect(
    changesOf(
      event('content_start', {...call, input: patch}),
      event('content_end', {...call, output: done}),
    ),
  ).toEqual(changes)
})

test.each([
  ['a patch without text', 'apply_patch', {}, 'Patch applied', []],
  ['a patch of nothing', 'apply_patch', {input: '*** Begin Patch\n*** End Patch'}, 'ok', []],
  ['an edit without a path', 'editor', {new_text: 'x'}, 'File created', []],
  [
    'a new file without text',
    'editor',
    {path: '/p/a'},
    'File created successfully at: /p/a',
    [{type: 'file-change', path: '/p/a', action: 'created', toolId: 'e', added: 0}],
  ],
])('file changes need a path: %s', (_, name, input, output, changes) => {
  expect(changesOf(...tool('e', name, input, {result: output, success: true}))).toEqual(changes)
})

test.each([
  ['read_files', 'Read'],
  ['editor', 'Edit'],
  ['apply_patch', 'Edit'],
  ['run_commands', 'Bash'],
  ['search_codebase', 'Grep'],
  ['fetch_web_content', 'WebFetch'],
  ['spawn_agent', 'Task'],
  ['team_run_task', 'Task'],
  ['lab__echo', 'Mcp'],
  ['ask_question', 'Other'],
])('the tool %s has the kind %s', (name, kind) => {
  expect(read(...tool('t', name, {}, ''))[0]).toMatchObject({type: 'tool-start', name, tool: kind})
})

test.each([
  ['text as it is', 'plain', 'plain'],
  ['nothing', null, ''],
  ['a result without text', {query: 'true', result: '', success: true}, ''],
  [
    'a result in parts',
    {
      query: 'echo',
      result: [
        {type: 'text', text: 'one'},
        {type: 'text', text: 'two'},
      ],
      success: true,
    },
    'one\ntwo',
  ],
  ['several results', [{result: 'one', success: true}, 'two'], 'one\ntwo'],
  ['an answer', {text: 'Sub', iterations: 1}, 'Sub'],
  ['what has no text, as JSON', {answer: 42}, '{"answer":42}'],
])('a tool returns %s', (_, given, output) => {
  expect(read(...tool('t', 'lab__echo', {}, given))[1]).toEqual({
    type: 'tool-end',
    toolId: 't',
    ok: true,
    output,
    outputLength: output.length,
  })
})

test.each([
  ['in the result', {result: '', error: 'no match', success: false}, {}, 'no match', 'no match'],
  [
    'beside the result',
    {result: 'half', success: false},
    {error: 'Unknown tool: fly'},
    'half',
    'Unknown tool: fly',
  ],
  ['only beside it', null, {error: 'Unknown tool: fly'}, '', 'Unknown tool: fly'],
  ['in what was given back', {result: 'it broke', success: false}, {}, 'it broke', 'it broke'],
])('the reason of a failed tool is read %s', (_, given, more, output, error) => {
  expect(read(...tool('t', 'lab__echo', {}, given, more))[1]).toEqual({
    type: 'tool-end',
    toolId: 't',
    ok: false,
    output,
    outputLength: output.length,
    error,
  })
})

test('a denied call without a start has the name from its end', () => {
  const error = 'Tool execution was denied by the user'
  const end = {type: 'tool-end', toolId: 't', ok: false, output: error, error, denied: true}
  const denied = {type: 'permission-denied', toolId: 't', reason: error}
  const call = {contentType: 'tool', toolCallId: 't', output: {error}}
  expect(read(event('content_end', {...call, toolName: 'editor'}))).toEqual([
    {...denied, name: 'editor'},
    {...end, outputLength: error.length},
  ])
  expect(read(event('content_end', call))).toEqual([
    {...denied, name: ''},
    {...end, outputLength: error.length},
  ])
})

test('output of a tool is an update, as text or as a chunk', () => {
  const call = {contentType: 'tool', toolName: 'run_commands', toolCallId: 't'}
  const events = read(
    event('content_update', {...call, update: 'too early'}),
    event('content_start', {...call, input: {commands: ['tick']}}),
    event('content_update', {...call, update: 'tick 1\n'}),
    event('content_update', {...call, update: {stream: 'stdout', chunk: 'tick 2\n'}}),
    event('content_update', {...call, update: {stream: 'stdout'}}),
    event('content_update', {contentType: 'tool', update: 'whose?'}),
    event('content_end', {...call, output: {result: 'tick 1\ntick 2\n', success: true}}),
    event('content_update', {...call, update: 'too late'}),
  )
  expect(events.slice(1)).toEqual([
    {type: 'tool-update', toolId: 't', text: 'tick 1\n'},
    {type: 'tool-update', toolId: 't', text: 'tick 2\n'},
    {type: 'tool-end', toolId: 't', ok: true, output: 'tick 1\ntick 2\n', outputLength: 14},
  ])
})

test('ignores content of unknown types and content without text', () => {
  expect(
    read(
      event('content_start', {contentType: 'media', text: 'x'}),
      event('content_end', {contentType: 'media', text: 'x'}),
      event('content_start', {contentType: 'text'}),
      event('content_end', {contentType: 'reasoning', redacted: true}),
    ),
  ).toEqual([])
})

test('the model is read from the result when no earlier line names it', () => {
  expect(read(hook, result).slice(0, 2)).toEqual([
    {type: 'session-start', sessionId: 'conv_1'},
    {type: 'session-start', sessionId: 'conv_1', model: 'mock-1'},
  ])
})

test('a cost of 0 is unknown: Cline does not know the price of every model', () => {
  expect(read(event('usage', {inputTokens: 5, cost: 0}))).toMatchObject([{costUsd: undefined}])
  const usage = {inputTokens: 5, totalCost: 0}
  expect(read({...result, usage})).toMatchObject([{costUsd: undefined}])
})

test('the first line has the model and the session, if it is printed', () => {
  const run = {ts, type: 'run_start', providerId: 'p', modelId: 'mock-1', mode: 'act'}
  expect(read({...run, sessionId: 'run_1'}, hook)).toEqual([
    {type: 'session-start', sessionId: 'run_1', model: 'mock-1'},
  ])
  expect(read(run, hook)).toEqual([{type: 'session-start', sessionId: 'conv_1', model: 'mock-1'}])
})

test.each([
  ['a retry', {reason: 'api_error', noticeType: 'recovery'}, 'api-retry'],
  [
    'a summary of the conversation',
    {reason: 'auto_compaction', noticeType: 'status'},
    'compacting',
  ],
  ['a remark', {noticeType: 'status'}, 'notice'],
  ['a remark for a reason', {reason: 'other', noticeType: 'status'}, 'notice'],
  ['a warning', {noticeType: 'recovery'}, 'warning'],
])('a notice has the right status: %s', (_, fields, status) => {
  expect(read(event('notice', {...fields, message: 'Look.', displayRole: 'status'}))).toEqual([
    {type: 'status', status, detail: 'Look.'},
  ])
  expect(read(event('notice', fields))).toEqual([])
})

test.each([
  ['in words', {reason: 'sigint', message: 'Stopped by the user'}, 'Stopped by the user'],
  ['by its reason', {reason: 'sigint'}, 'sigint'],
])('an aborted run is reported as interrupted %s', (_, fields, detail) => {
  const requested = {ts, type: 'run_abort_requested', reason: 'sigint'}
  expect(read(requested, {ts, type: 'run_aborted', ...fields})).toEqual([
    {type: 'status', status: 'interrupted', detail},
  ])
})

test('a run that continues in the background is a notice, and its failure an error', () => {
  const hub = {hubUrl: 'http://127.0.0.1:1', workspaceRoot: '/p'}
  expect(
    read(
      {ts, type: 'team_restored', teamName: 'a'},
      {ts, type: 'zen_dispatched', sessionId: 'zen_1', ...hub},
      {ts, type: 'zen_error', sessionId: 'zen_1', message: 'The hub is gone'},
    ),
  ).toEqual([
    {type: 'status', status: 'notice', detail: 'continues in the background: zen_1'},
    {type: 'turn-end', ok: false, text: '', errors: ['The hub is gone']},
  ])
})

function team(type: string, fields: object): object {
  return {ts, type: 'team_event', event: {type, ...fields}}
}

const run = {id: 'run_1', message: 'Count the lines'}

test.each([
  ['run_completed', true],
  ['run_failed', false],
  ['run_cancelled', false],
  ['run_interrupted', false],
])('the run of a teammate is a task: %s', (type, ok) => {
  expect(read(team('run_queued', {run}), team('run_started', {run}), team(type, {run}))).toEqual([
    {type: 'task-start', taskId: 'run_1', description: 'Count the lines'},
    {type: 'task-end', taskId: 'run_1', description: 'Count the lines', ok},
  ])
})

test('a run without details has neither an id nor a description', () => {
  expect(read(team('run_started', {}))).toEqual([{type: 'task-start', taskId: '', description: ''}])
})

test('texts of teammates at the same time are kept apart', () => {
  const textOf = (agentId: string, type: string, text: string): object =>
    team('agent_event', {agentId, event: {type, contentType: 'text', text}})
  expect(
    read(
      textOf('a', 'content_start', 'One '),
      textOf('b', 'content_start', 'Two '),
      textOf('a', 'content_end', 'One done'),
      textOf('b', 'content_end', 'Two done'),
      team('agent_event', {event: {type: 'content_end', contentType: 'text', text: 'Three'}}),
    ),
  ).toEqual([
    {type: 'text-delta', text: 'One '},
    {type: 'text-delta', text: 'Two '},
    {type: 'text-delta', text: 'done'},
    {type: 'text-delta', text: 'done'},
    {type: 'text', text: 'Three'},
  ])
})

test('a new error after the result is a warning', () => {
  const ok = {...result, finishReason: 'completed', text: 'Done.'}
  expect(read(ok, {ts, type: 'error', message: 'The history was not saved'})).toEqual([
    {
      type: 'turn-end',
      ok: true,
      subtype: 'completed',
      text: 'Done.',
      costUsd: 0.5,
      durationMs: 425,
      turns: 1,
    },
    {type: 'status', status: 'warning', detail: 'The history was not saved'},
  ])
})

test('a failed result with few details has a reason', () => {
  expect(read({ts, type: 'run_result', finishReason: 'max_iterations'})).toEqual([
    {type: 'turn-end', ok: false, subtype: 'max_iterations', text: '', errors: ['max_iterations']},
  ])
  expect(read({ts, type: 'run_result'})).toEqual([
    {type: 'turn-end', ok: false, text: '', errors: ['no reason given']},
  ])
})

test('usage is reported for each request, and the cost of all agents at the end', () => {
  const counts = {inputTokens: 800, outputTokens: 40, cacheReadTokens: 200, cacheWriteTokens: 10}
  expect(read(event('usage', {...counts, cost: 0.25, totalCost: 0.5}))).toEqual([
    {
      type: 'usage',
      tokens: {input: 590, output: 40, cacheRead: 200, cacheWrite: 10},
      costUsd: 0.25,
    },
  ])
  expect(read(event('usage', {}))).toEqual([
    {type: 'usage', tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}},
  ])
  const aggregateUsage = {...counts, totalCost: 0.75}
  expect(read({...result, finishReason: 'completed', aggregateUsage})).toMatchObject([
    {type: 'turn-end', ok: true, costUsd: 0.75},
  ])
})

test('calls of one iteration belong to one response, although they run one after the other', () => {
  const call = (toolCallId: string) => [
    event('content_start', {contentType: 'tool', toolName: 'run_commands', toolCallId, input: {}}),
    event('content_end', {contentType: 'tool', toolName: 'run_commands', toolCallId, output: []}),
  ]
  const events = read(
    event('iteration_start', {iteration: 1}),
    ...call('a'),
    ...call('b'),
    event('iteration_start', {iteration: 2}),
    ...call('c'),
  )
  const starts = events.filter((one) => 'summary' in one)
  expect(starts.map((start) => 'isSameAnswer' in start)).toEqual([false, true, false])
})
