import {expect, test} from 'vitest'
import {createEventParser} from '../../core/index.ts'
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

test('The session starts once: those who work for the agent have tasks of their own', () => {
  expect(read(hook, {...hook, taskId: 'conv_2'})).toEqual([
    {type: 'session-start', sessionId: 'conv_1'},
  ])
})

test('Pieces that are called starts are said once, and thinking may end after the text', () => {
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

test('A command fails when any of its results does', () => {
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

test('What needs approval and gets none is denied', () => {
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

test('Files are told by what the editor says of them', () => {
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

test('What a sub-agent says and does belongs to the call of it', () => {
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

test('The error after the result tells nothing new', () => {
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

test('An error that the run survives is a warning', () => {
  const error = event('error', {error: {message: 'tool failed'}, recoverable: true, iteration: 1})
  expect(read(error)).toEqual([{type: 'status', status: 'warning', detail: 'tool failed'}])
})

test('A stream that just stops has no end of a turn', () => {
  expect(read(hook, event('iteration_start', {iteration: 1}))).toEqual([
    {type: 'session-start', sessionId: 'conv_1'},
  ])
})
