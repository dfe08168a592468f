import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {copilot} from './index.ts'

/** The events of some lines, without where and when. */
function read(...records: object[]): object[] {
  const parser = createEventParser(copilot, {now: () => 0})
  const events = [
    ...records.flatMap((record) => parser.parse(JSON.stringify(record))),
    ...parser.end(),
  ]
  expect(parser.drift()).toEqual([])
  return events.map(({line: _line, at: _at, agent: _agent, ...rest}) => rest)
}

function event(type: string, data: object, agentId?: string): object {
  return {type, data, id: 'i', timestamp: '2026-11-15T02:32:32.272Z', parentId: 'p', agentId}
}

function tool(name: string, input: unknown, outcome: object, agentId?: string): object[] {
  return [
    event('tool.execution_start', {toolCallId: 't', toolName: name, arguments: input}, agentId),
    event('tool.execution_complete', {toolCallId: 't', ...outcome}, agentId),
  ]
}

const result = {
  type: 'result',
  timestamp: '2026-11-15T02:32:32.685Z',
  sessionId: 'session-1',
  exitCode: 0,
  usage: {
    premiumRequests: 0,
    totalApiDurationMs: 46,
    sessionDurationMs: 682,
    codeChanges: {linesAdded: 0, linesRemoved: 0, filesModified: []},
  },
}

test('a message is emitted once, although it is printed as deltas and in full', () => {
  expect(
    read(
      event('assistant.message_delta', {messageId: 'm', deltaContent: 'Hello '}),
      event('assistant.message_delta', {messageId: 'm', deltaContent: 'there'}),
      event('assistant.message', {messageId: 'm', content: 'Hello there', toolRequests: []}),
    ),
  ).toEqual([
    {type: 'text-delta', text: 'Hello ', messageId: 'm'},
    {type: 'text-delta', text: 'there', messageId: 'm'},
  ])
})

test('thinking is emitted once, although it is printed three times, twice trimmed', () => {
  expect(
    read(
      event('model.call_start', {turnId: '0', model: 'mock-1'}),
      event('assistant.reasoning_delta', {reasoningId: 'r', deltaContent: 'hmm '}),
      event('assistant.message', {messageId: 'm', content: 'Yes.', reasoningText: 'hmm'}),
      event('assistant.reasoning', {reasoningId: 'r', content: 'hmm', rte: false}),
      event('model.call_start', {turnId: '1', model: 'mock-1'}),
      event('assistant.message', {messageId: 'n', content: 'No.', reasoningText: 'hmm'}),
    ),
  ).toEqual([
    {type: 'thinking-delta', text: 'hmm '},
    {type: 'text', text: 'Yes.', messageId: 'm'},
    {type: 'thinking', text: 'hmm', messageId: 'n'},
    {type: 'text', text: 'No.', messageId: 'n'},
  ])
})

test('the last line has the session id and ends the turn', () => {
  expect(
    read(
      event('session.tools_updated', {model: 'mock-1'}),
      event('assistant.message', {messageId: 'm', content: 'Done.'}),
      result,
    ),
  ).toEqual([
    {type: 'text', text: 'Done.', messageId: 'm'},
    {type: 'session-start', sessionId: 'session-1', model: 'mock-1'},
    {type: 'turn-end', ok: true, text: 'Done.', durationMs: 682},
  ])
})

test('a failed run has a reason, and a retried request is not the end', () => {
  const failure = {
    model: 'mock-1',
    statusCode: 500,
    retryAttempt: 0,
    errorMessage: '{"message":"The server had an error","type":"server_error"}',
  }
  expect(
    read(
      event('model.call_failure', failure),
      event('assistant.turn_retry', {turnId: '0', model: 'mock-1', reason: 'api_error'}),
      event('session.info', {infoType: 'model_retry', message: 'Retrying...'}),
      event('model.call_failure', {...failure, retryAttempt: 1}),
      event('session.error', {errorType: 'query', message: 'Failed', statusCode: 500}),
      {...result, exitCode: 1},
    ),
  ).toEqual([
    {type: 'status', status: 'api-retry', detail: 'The server had an error (500)', attempt: 1},
    {type: 'session-start', sessionId: 'session-1'},
    {type: 'turn-end', ok: false, text: '', errors: ['Failed'], durationMs: 682},
  ])
})

test('a failed command is not ok, although its tool is a success', () => {
  const output = 'cat: no such file\n<shellId: 0 completed with exit code 3>'
  const [, end] = read(
    ...tool(
      'bash',
      {command: 'cat x; exit 3'},
      {
        success: true,
        shellExecution: {exitCode: 3},
        result: {content: output, detailedContent: output},
      },
    ),
  )
  expect(end).toEqual({
    type: 'tool-end',
    toolId: 't',
    ok: false,
    output,
    outputLength: output.length,
    error: output,
    exitCode: 3,
  })
})

test('a tool without permission is denied', () => {
  const message = 'Permission denied because no interactive user response was available.'
  const input = {command: 'touch x'}
  const [, ...events] = read(
    ...tool('bash', input, {success: false, error: {message, code: 'denied'}}),
  )
  expect(events).toEqual([
    {type: 'permission-denied', toolId: 't', name: 'bash', input, reason: message},
    {
      type: 'tool-end',
      toolId: 't',
      ok: false,
      output: message,
      outputLength: message.length,
      error: message,
      denied: true,
    },
  ])
})

test('new output is an update until the tool ends', () => {
  const [start = {}, complete = {}] = tool('bash', {command: 'echo A'}, {success: true})
  const shell = (text: string, sequence: number): object =>
    event('tool.shell_output', {toolCallId: 't', stream: 'stdout', text, sequence})
  const snapshot = event('tool.execution_partial_result', {
    toolCallId: 't',
    partialOutput: 'A\nB\n',
  })
  const events = read(
    start,
    shell('A\n', 0),
    snapshot,
    shell('B\n', 1),
    complete,
    shell('C\n', 2),
    snapshot,
  )
  expect(events.slice(1)).toEqual([
    {type: 'tool-update', toolId: 't', text: 'A\n'},
    {type: 'tool-update', toolId: 't', text: 'B\n'},
    {type: 'tool-end', toolId: 't', ok: true, output: '', outputLength: 0},
  ])
})

test('a patch of several files counts each', () => {
  const detailedContent =
    '\ndiff --git a/p/a.txt b/p/a.txt\n--- a/dev/null\n+++ b/p/a.txt\n@@ -1,0 +1,2 @@\n+one\n+two\n\n' +
    '\ndiff --git a/p/keep.txt b/p/keep.txt\n--- a/p/keep.txt\n+++ b/p/keep.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n'
  const events = read(
    ...tool('apply_patch', '*** Begin Patch\n*** End Patch', {
      success: true,
      fileEdits: [
        {path: '/p/a.txt', kind: 'create'},
        {path: '/p/keep.txt', kind: 'edit'},
      ],
      result: {content: 'done', detailedContent},
    }),
  )
  expect(events.slice(1, 3)).toEqual([
    {type: 'file-change', path: '/p/a.txt', action: 'created', toolId: 't', added: 2, removed: 0},
    {
      type: 'file-change',
      path: '/p/keep.txt',
      action: 'modified',
      toolId: 't',
      added: 1,
      removed: 1,
    },
  ])
})

test('texts of a sub-agent belong to its call, also when only its id is given', () => {
  expect(
    read(
      event('subagent.started', {toolCallId: 'c', executionMode: 'sync'}, 'agent-1'),
      event('assistant.reasoning_delta', {reasoningId: 'r', deltaContent: 'hm'}, 'agent-1'),
      event(
        'assistant.message',
        {messageId: 'm', content: 'Sub', parentToolCallId: 'c'},
        'agent-1',
      ),
      event('subagent.completed', {toolCallId: 'c', totalTokens: 1}, 'agent-1'),
      {...result},
    ),
  ).toEqual([
    {type: 'thinking-delta', text: 'hm', parentToolId: 'c'},
    {type: 'text', text: 'Sub', messageId: 'm', parentToolId: 'c'},
    {type: 'session-start', sessionId: 'session-1'},
    {type: 'turn-end', ok: true, text: '', durationMs: 682},
  ])
})

test('background commands and sub-agents are tasks', () => {
  const started = '<command started in background with shellId: 0>'
  const events = read(
    ...tool(
      'bash',
      {command: 'sleep 1; exit 4', description: 'job'},
      {
        success: true,
        result: {content: started},
      },
    ),
    event(
      'subagent.started',
      {toolCallId: 'c', agentDescription: 'Count', executionMode: 'background'},
      'agent-1',
    ),
    event('system.notification', {
      content: 'x',
      kind: {type: 'shell_completed', shellId: '0', exitCode: 4},
    }),
    event('subagent.completed', {toolCallId: 'c'}, 'agent-1'),
  )
  expect(events.slice(2)).toEqual([
    {type: 'task-start', taskId: 'shell 0', toolId: 't', description: 'job'},
    {type: 'task-start', taskId: 'agent-1', toolId: 'c', description: 'Count'},
    {type: 'task-end', taskId: 'shell 0', toolId: 't', description: 'job', ok: false},
    {type: 'task-end', taskId: 'agent-1', toolId: 'c', description: 'Count', ok: true},
  ])
})

test('an interrupted run is reported once and has no turn end', () => {
  expect(
    read(
      event('agent.interrupted', {activity: 'tool_call', turn: 0, elapsedMs: 1}),
      event('abort', {reason: 'user_abort'}),
      event('session.info', {infoType: 'cancellation', message: 'Operation cancelled by user'}),
    ),
  ).toEqual([{type: 'status', status: 'interrupted', detail: 'tool_call'}])
})

test('a session that is reported first is not reported again at its end', () => {
  const session = {
    sessionId: 'session-1',
    copilotVersion: '1.0.102',
    selectedModel: 'mock-1',
    context: {cwd: '/p', branch: 'main'},
  }
  const servers = [{name: 'lab', status: 'connected'}, {source: 'user'}]
  expect(
    read(
      event('session.mcp_servers_loaded', {servers}),
      event('session.start', session),
      event('session.start', {selectedModel: 'mock-1'}),
      result,
    ),
  ).toEqual([
    {
      type: 'session-start',
      sessionId: 'session-1',
      model: 'mock-1',
      cwd: '/p',
      mcpServers: [{name: 'lab', status: 'connected'}, {name: ''}],
      agentVersion: '1.0.102',
    },
    {type: 'turn-end', ok: true, text: '', durationMs: 682},
  ])
})

test('a problem that does not end the run is a warning, and information is a notice', () => {
  expect(
    read(
      event('session.warning', {warningType: 'mcp', message: 'A server is slow'}),
      event('session.warning', {warningType: 'mcp'}),
      event('session.info', {infoType: 'mcp', message: 'A server is ready'}),
      event('session.info', {infoType: 'file_created', message: 'Made a file'}),
      event('session.compaction_start', {trigger: 'auto'}),
      event('session.error', {errorType: 'query', message: 'The sub-agent failed'}, 'agent-1'),
    ),
  ).toEqual([
    {type: 'status', status: 'warning', detail: 'A server is slow'},
    {type: 'status', status: 'notice', detail: 'A server is ready'},
    {type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'},
    {type: 'status', status: 'warning', detail: 'The sub-agent failed'},
  ])
})

test.each([
  ['its words', {errorType: 'query', message: 'Failed'}, 'Failed'],
  ['its kind', {errorType: 'query'}, 'query'],
  ['no word', {}, 'error'],
])('an error after which the stream stops is reported by %s', (_, data, detail) => {
  expect(read(event('session.error', data))).toEqual([{type: 'status', status: 'warning', detail}])
})

test.each([
  ['what it was blocked by', {exitCode: 1, blocker: {reason: 'no network'}}, ['no network']],
  ['its exit code', {exitCode: 3}, ['exit code 3']],
])('a run that failed without an error has %s', (_, fields, errors) => {
  expect(read({...result, outcome: 'blocked', ...fields}).at(-1)).toEqual({
    type: 'turn-end',
    ok: false,
    text: '',
    errors,
    durationMs: 682,
    reason: 'blocked',
  })
})

test('a result without an exit code is ok unless an error came before', () => {
  const {exitCode: _exitCode, ...untold} = result
  const error = event('session.error', {message: 'Failed'})
  expect(read(untold).at(-1)).toMatchObject({type: 'turn-end', ok: true})
  expect(read(error, untold).at(-1)).toMatchObject({ok: false, errors: ['Failed']})
})

test.each([
  ['no failure', undefined, {detail: 'api_error'}],
  [
    'a plain text',
    {errorMessage: 'fetch failed', retryAttempt: 1},
    {detail: 'fetch failed', attempt: 2},
  ],
  [
    'JSON without a message',
    {errorMessage: '{"code":5}', statusCode: 503},
    {detail: 'api_error (503)'},
  ],
])('a retried request is reported with %s', (_, failure, expected) => {
  const failed = failure === undefined ? [] : [event('model.call_failure', failure)]
  expect(
    read(...failed, event('assistant.turn_retry', {turnId: '0', reason: 'api_error'})),
  ).toEqual([{type: 'status', status: 'api-retry', ...expected}])
})

test.each([
  ['a success', {status: 'completed', result: 'Sorted.'}, {ok: true, text: 'Sorted.'}],
  [
    'a reason',
    {status: 'failed', failure: {type: 'step', message: 'Step 2 failed'}},
    {ok: false, text: '', errors: ['Step 2 failed']},
  ],
  [
    'a short reason',
    {status: 'failed', error: 'timeout'},
    {ok: false, text: '', errors: ['timeout']},
  ],
  ['an abort', {status: 'cancelled'}, {ok: false, text: '', errors: ['cancelled']}],
])('a workflow ends with a result: %s', (_, run, end) => {
  expect(read({type: 'workflow.result', data: {name: 'sort', run}})).toEqual([
    {type: 'turn-end', subtype: run.status, ...end},
  ])
})

test('the to-do list is read from successful queries', () => {
  const query = "INSERT INTO todos (id, title) VALUES ('a', 'First')"
  expect(
    read(...tool('sql', {query}, {success: true, result: {content: '1 row(s) inserted.'}})),
  ).toEqual([
    {type: 'tool-start', toolId: 't', name: 'sql', tool: 'Todo', input: {query}, summary: ''},
    {type: 'tool-end', toolId: 't', ok: true, output: '1 row(s) inserted.', outputLength: 18},
    {type: 'plan', items: [{text: 'First', status: 'pending'}]},
  ])
  const failed = {success: false, error: {message: 'no such table'}}
  expect(read(...tool('sql', {query}, failed)).map((item) => 'items' in item)).toEqual([
    false,
    false,
  ])
})

test.each([
  ['another table', {query: 'SELECT * FROM notes'}],
  ['no query', {}],
])('a query of %s is not a list', (_, input) => {
  expect(read(...tool('sql', input, {success: true}))).toMatchObject([
    {type: 'tool-start', tool: 'Other'},
    {type: 'tool-end', ok: true},
  ])
})

test('a tool of an MCP server has the kind Mcp, independent of its name', () => {
  const start = {
    toolCallId: 't',
    toolName: 'lab-view',
    mcpServerName: 'lab',
    mcpToolName: 'view',
    arguments: {message: 'hi'},
  }
  expect(read(event('tool.execution_start', start))[0]).toMatchObject({
    type: 'tool-start',
    name: 'lab-view',
    tool: 'Mcp',
    summary: 'hi',
  })
})

test.each([
  ['an object', {path: '/a'}, {path: '/a'}],
  ['JSON', ' {"path":"/a"}', {path: '/a'}],
  ['a patch', '*** Begin Patch', '*** Begin Patch'],
  ['half of an object', '{"path":', '{"path":'],
])('the input of a tool may be %s', (_, input, expected) => {
  expect(read(...tool('view', input, {success: true}))[0]).toMatchObject({input: expected})
})

test('a result in parts is converted to text', () => {
  const contents = [
    {type: 'text', text: 'one'},
    {type: 'terminal', outputPreview: 'two'},
    {type: 'image', data: 'aGk='},
  ]
  expect(read(...tool('lab-echo', {}, {success: true, result: {contents}}))[1]).toMatchObject({
    ok: true,
    output: 'one\ntwo',
  })
})

test('progress of a tool is an update if it is text', () => {
  const progress = (progressMessage: unknown): object =>
    event('tool.execution_progress', {toolCallId: 't', progressMessage})
  const [start = {}, complete = {}] = tool('lab-echo', {}, {success: true})
  expect(read(start, progress('half'), progress(50), complete).slice(1)).toEqual([
    {type: 'tool-update', toolId: 't', text: 'half'},
    {type: 'tool-end', toolId: 't', ok: true, output: '', outputLength: 0},
  ])
})

test.each([
  ['nothing is expected of the change', [{path: '/a'}], [['/a', 'modified']]],
  ['the change is of a new kind', [{path: '/a', kind: 'chmod'}], [['/a', 'modified']]],
  ['the file is gone', [{path: '/a', kind: 'delete'}], [['/a', 'deleted']]],
  [
    'a file is made and then edited',
    [
      {path: '/a', kind: 'create'},
      {path: '/a', kind: 'edit'},
    ],
    [['/a', 'created']],
  ],
  [
    'a file is made and then removed',
    [
      {path: '/a', kind: 'create'},
      {path: '/a', kind: 'delete'},
    ],
    [['/a', 'deleted']],
  ],
  [
    'there is no diff to count in',
    [{path: '/a', kind: 'create'}, {path: '/b', kind: 'edit'}, {kind: 'edit'}],
    [
      ['/a', 'created'],
      ['/b', 'modified'],
    ],
  ],
])('each file change is reported once, with its action: %s', (_, fileEdits, files) => {
  const events = read(...tool('apply_patch', '', {success: true, fileEdits}))
  expect(events.slice(1, -1)).toEqual(
    files.map(([path, action]) => ({type: 'file-change', path, action, toolId: 't'})),
  )
})

test('a file without lines in the diff has no counts', () => {
  const detailedContent =
    '\ndiff --git a/p/a.png b/p/a.png\nBinary files differ\n' +
    '\ndiff --git a/p/b.txt b/p/b.txt\n--- a/p/b.txt\n+++ b/p/b.txt\n@@ -1 +1 @@\n-a\n+b\n'
  const fileEdits = [
    {path: '/p/a.png', kind: 'edit'},
    {path: String.raw`\p\b.txt`, kind: 'edit'},
  ]
  const change = {type: 'file-change', action: 'modified', toolId: 't'}
  expect(
    read(...tool('apply_patch', '', {success: true, fileEdits, result: {detailedContent}})).slice(
      1,
      -1,
    ),
  ).toEqual([
    {...change, path: '/p/a.png'},
    {...change, path: String.raw`\p\b.txt`, added: 1, removed: 1},
  ])
})

function tasksOf(...records: object[]): object[] {
  return read(...records).filter(
    (item) => 'type' in item && (item.type === 'task-start' || item.type === 'task-end'),
  )
}

const background = {
  success: true,
  result: {content: '<command started in background with shellId: 0>'},
}
const shell = {type: 'task-start', taskId: 'shell 0', toolId: 't'}

test.each([
  ['its description', {command: 'sleep 9', description: 'Wait'}, 'Wait'],
  ['its command', {command: 'sleep 9'}, 'sleep 9'],
  ['nothing', {}, ''],
])('a background command is described by %s', (_, input, description) => {
  expect(tasksOf(...tool('bash', input, background))).toEqual([{...shell, description}])
})

test('a stopped command is not ok', () => {
  const stop = (input: object): object[] => [
    event('tool.execution_start', {toolCallId: 's', toolName: 'stop_bash', arguments: input}),
    event('tool.execution_complete', {toolCallId: 's', success: true}),
  ]
  const task = {...shell, description: 'sleep 9'}
  const sleep = tool('bash', {command: 'sleep 9'}, background)
  expect(tasksOf(...sleep, ...stop({shellId: '0'}), ...stop({shellId: '0'}))).toEqual([
    task,
    {...task, type: 'task-end', ok: false},
  ])
  expect(tasksOf(...sleep, ...stop({}))).toEqual([task])
})

test('a background command ends with its notification', () => {
  const ended = (kind: object): object => event('system.notification', {content: 'x', kind})
  const sleep = tool('bash', {command: 'sleep 9'}, background)
  const task = {...shell, description: 'sleep 9'}
  expect(tasksOf(...sleep, ended({type: 'shell_detached_completed', shellId: '0'}))).toEqual([
    task,
    {...task, type: 'task-end', ok: true},
  ])
  expect(tasksOf(...sleep, ended({type: 'agent_completed', agentId: 'a'}))).toEqual([task])
})

test('shells of different agents are different tasks', () => {
  const sleep = {command: 'sleep 9'}
  expect(tasksOf(...tool('bash', sleep, background, 'agent-1'))).toEqual([
    {...shell, taskId: 'agent-1 shell 0', description: 'sleep 9'},
  ])
})

test('long output is not mistaken for a background command', () => {
  const content = `${'x'.repeat(2000)}<command started in background with shellId: 0>`
  expect(tasksOf(...tool('bash', {command: 'cat'}, {success: true, result: {content}}))).toEqual([])
})

test('a sub-agent in the background has its name, starts once and may fail', () => {
  const data = {toolCallId: 'c', agentDisplayName: 'Explorer', executionMode: 'background'}
  const started = event('subagent.started', data, 'agent-1')
  const task = {taskId: 'agent-1', toolId: 'c', description: 'Explorer'}
  expect(
    tasksOf(
      started,
      started,
      event('subagent.failed', {toolCallId: 'c', error: 'no'}, 'agent-1'),
      event('subagent.started', {executionMode: 'background'}, 'agent-2'),
      event('subagent.completed', {cancelled: true}, 'agent-2'),
      event('subagent.started', {executionMode: 'background'}),
    ),
  ).toEqual([
    {type: 'task-start', ...task},
    {type: 'task-end', ...task, ok: false},
    {type: 'task-start', taskId: 'agent-2', description: ''},
    {type: 'task-end', taskId: 'agent-2', description: '', ok: false},
  ])
})

test.each([
  ['abort', {reason: 'user_abort'}],
  ['assistant.idle', {aborted: true}],
  ['session.idle', {aborted: true}],
])('a result after %s is not a success, although its exit code is 0', (type, data) => {
  const idle = event('assistant.idle', {})
  expect(read(event(type, data), idle, result).at(-1)).toMatchObject({
    type: 'turn-end',
    ok: false,
    errors: ['interrupted'],
  })
  const next = event('assistant.turn_start', {turnId: '1'})
  expect(read(event(type, data), next, result).at(-1)).toMatchObject({type: 'turn-end', ok: true})
})

test('an interrupted sub-agent does not interrupt the run', () => {
  expect(read(event('agent.interrupted', {activity: 'tool_call'}, 'agent-1'))).toEqual([])
})

test('a new turn can be interrupted again', () => {
  expect(
    read(
      event('abort', {}),
      event('assistant.turn_start', {turnId: '1'}),
      event('abort', {reason: 'user_abort'}),
    ),
  ).toEqual([
    {type: 'status', status: 'interrupted', detail: 'interrupted'},
    {type: 'status', status: 'interrupted', detail: 'user_abort'},
  ])
})

test('the error of a sub-agent is reported at once and is not the reason of a failed run', () => {
  const error = event('session.error', {message: 'The sub-agent failed'}, 'agent-1')
  expect(read(error, {...result, exitCode: 1})).toMatchObject([
    {type: 'status', status: 'warning', detail: 'The sub-agent failed'},
    {type: 'session-start'},
    {type: 'turn-end', ok: false, errors: ['exit code 1']},
  ])
})
