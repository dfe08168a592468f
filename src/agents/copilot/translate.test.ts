import {expect, test} from 'vitest'
import {createEventParser} from '../../core/index.ts'
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

test('A message is said once, though it comes in pieces and whole', () => {
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

test('A thought comes three times, twice without the spaces around it, and is thought once', () => {
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

test('The session has its name in the last line, which also ends the turn', () => {
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

test('A failed run tells why, and a request that is tried again is not the end', () => {
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

test('A command that failed is not ok, though its tool is a success', () => {
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

test('What was not allowed is denied', () => {
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

test('Output is given as it grows, until the tool is done', () => {
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

test('A patch of several files counts each', () => {
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

test('What a sub-agent says belongs to its call, also where only its name is told', () => {
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

test('Commands and sub-agents that nobody waits for are tasks', () => {
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

test('A broken run tells so once and has no end of a turn', () => {
  expect(
    read(
      event('agent.interrupted', {activity: 'tool_call', turn: 0, elapsedMs: 1}),
      event('abort', {reason: 'user_abort'}),
      event('session.info', {infoType: 'cancellation', message: 'Operation cancelled by user'}),
    ),
  ).toEqual([{type: 'status', status: 'interrupted', detail: 'tool_call'}])
})
