import {readFileSync} from 'node:fs'
import {describe, expect, it, test} from 'vitest'
import {createEventDecoder, createEventParser} from '../../../core/events/event-parser.ts'
import type {AgentEvent} from '../../../core/events/events.ts'
import {codex} from '../index.ts'

const tokens = {input: 400, output: 60, cacheRead: 800, cacheWrite: 0, reasoning: 20}
const usage = {type: 'usage', tokens, model: 'gpt-5-codex'}
const start = {
  type: 'session-start',
  sessionId: '',
  model: 'gpt-5-codex',
  cwd: '/home/dev/project',
  permissionMode: 'never',
}

describe('the stream of Codex 0.36', () => {
  it('starts with the settings, and its turn ends when the model has responded without a call', () => {
    expect(readCapture('reasoning')).toEqual([
      start,
      {type: 'thinking', text: '**Thinking**\n\nabout it'},
      {type: 'text', text: '42.'},
      usage,
      {type: 'turn-end', ok: true, text: '42.'},
    ])
  })

  it('decodes the output of a command and its result', () => {
    expect(readCapture('shell_ok').slice(1)).toEqual([
      {
        type: 'tool-start',
        toolId: 'call_4',
        name: 'exec_command',
        tool: 'Bash',
        input: {command: ['bash', '-lc', 'echo one; echo two >&2'], cwd: '/home/dev/project'},
        summary: 'echo one; echo two >&2',
      },
      {type: 'tool-update', toolId: 'call_4', text: 'one\n'},
      {type: 'tool-update', toolId: 'call_4', text: 'two\n'},
      {
        type: 'tool-end',
        toolId: 'call_4',
        ok: true,
        output: 'one\ntwo\n',
        outputLength: 8,
        exitCode: 0,
        durationMs: 7,
      },
      usage,
      {type: 'text', text: 'ok'},
      usage,
      {type: 'turn-end', ok: true, text: 'ok'},
    ])
  })

  it('decodes a character that is split between two chunks', () => {
    const output = (chunk: string) =>
      message({type: 'exec_command_output_delta', call_id: 'a', stream: 'stdout', chunk})
    const texts = read(output('w6=='), output('qSE='), output('!not base64!')).map(({text}) => text)
    expect(texts).toEqual(['é!'])
  })

  it('fails a command by its exit code', () => {
    expect(readCapture('shell_fail')[2]).toEqual({
      type: 'tool-end',
      toolId: 'call_6',
      ok: false,
      output: '',
      outputLength: 0,
      error: 'exit code 3',
      exitCode: 3,
      durationMs: 6,
    })
  })

  it('counts the lines that a patch changed', () => {
    expect(readCapture('apply_patch').filter(({type}) => type === 'file-change')).toEqual([
      change('/home/dev/project/new.txt', 'created', {added: 1}),
      change('/home/dev/project/keep.txt', 'modified', {added: 1, removed: 1}),
      change('/home/dev/project/gone.txt', 'deleted', {removed: 1}),
    ])
  })

  it('reports both paths of a move', () => {
    const update = {unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: '/new'}
    const events = read(
      message({type: 'patch_apply_begin', call_id: 'call_8', changes: {'/old': {update}}}),
      message({type: 'patch_apply_end', call_id: 'call_8', stdout: '', stderr: '', success: true}),
    )
    expect(events.slice(1, 3)).toEqual([
      change('/old', 'deleted', {}),
      change('/new', 'created', {added: 1, removed: 1}),
    ])
  })

  it('reports a plan with the item in progress', () => {
    expect(readCapture('plan')[1]).toEqual({
      type: 'plan',
      items: [
        {text: 'A', status: 'in-progress'},
        {text: 'B', status: 'pending'},
      ],
    })
  })

  it('has failed when an error comes last, whatever the exit code', () => {
    const events = readCapture('error_400')
    const error =
      'unexpected status 400 Bad Request: {"error":{"message":"Unsupported parameter","type":"invalid_request_error"}}'
    expect(events[1]).toEqual({
      type: 'status',
      status: 'api-retry',
      detail: `stream error: ${error}; retrying 1/5 in 206ms…`,
      attempt: 1,
      of: 5,
      until: 206,
    })
    expect(events.slice(-2)).toEqual([
      {type: 'status', status: 'warning', detail: error},
      {type: 'turn-end', ok: false, text: '', errors: [error]},
    ])
  })

  it('continues after an MCP server that did not start', () => {
    const events = read(
      message({type: 'error', message: 'MCP client for `x` failed to start: no'}),
      message({type: 'task_started', model_context_window: 1}),
      message({type: 'agent_message', message: 'Done.'}),
      message({type: 'token_count', info: null}),
    )
    expect(events.map(({type, ok}) => [type, ok])).toEqual([
      ['status', undefined],
      ['text', undefined],
      ['turn-end', true],
    ])
  })

  it('has no turn end when it stops while a tool runs or its result is read', () => {
    const events = read(
      message({type: 'task_started', model_context_window: 1}),
      message({type: 'exec_command_begin', call_id: 'a', command: ['ls'], cwd: '/'}),
      message({type: 'exec_command_end', call_id: 'a', exit_code: 0, aggregated_output: 'x'}),
      message({type: 'token_count', info: null}),
    )
    expect(events.map(({type}) => type)).toEqual(['tool-start', 'tool-end'])
  })

  it('reports the result of an MCP tool, or its error', () => {
    const invocation = {server: 'lab', tool: 'echo', arguments: {text: 'hi'}}
    const call = {invocation, duration: {secs: 1, nanos: 500_000_000}}
    const end = (call_id: string, result: unknown) =>
      message({type: 'mcp_tool_call_end', call_id, ...call, result})
    const events = read(
      message({type: 'mcp_tool_call_begin', call_id: 'a', invocation}),
      end('a', {Ok: {content: [{type: 'text', text: 'hi'}]}}),
      end('b', {Ok: {content: [{type: 'text', text: 'no'}], isError: true}}),
      end('c', {Err: 'tool call failed'}),
    )
    expect(events[0]).toEqual({
      type: 'tool-start',
      toolId: 'a',
      name: 'lab/echo',
      tool: 'Mcp',
      input: {text: 'hi'},
      summary: 'hi',
    })
    expect(
      events.flatMap(({type, toolId, ok, output, error, durationMs}) =>
        type === 'tool-end' ? [[toolId, ok, output, error, durationMs]] : [],
      ),
    ).toEqual([
      ['a', true, 'hi', undefined, 1500],
      ['b', false, 'no', 'no', 1500],
      ['c', false, 'tool call failed', 'tool call failed', 1500],
    ])
  })

  it('reports a search with its query; its response can be the last', () => {
    const events = read(
      message({type: 'task_started', model_context_window: 1}),
      message({type: 'web_search_begin', call_id: 'ws_1'}),
      message({type: 'web_search_end', call_id: 'ws_1', query: 'rust'}),
      message({type: 'agent_message', message: 'Found.'}),
      message({type: 'token_count', info: null}),
    )
    expect(events.map(({type, summary}) => [type, summary])).toEqual([
      ['tool-start', 'rust'],
      ['tool-end', undefined],
      ['text', undefined],
      ['turn-end', undefined],
    ])
  })

  it('ends a search without an end with its response', () => {
    const begin = message({type: 'web_search_begin', call_id: 'ws_1'})
    const types = (...events: Plain[]) => events.map(({type, toolId, ok}) => [type, toolId, ok])
    expect(types(...read(begin, message({type: 'token_count', info: null})))).toEqual([
      ['tool-start', 'ws_1', undefined],
      ['tool-end', 'ws_1', true],
    ])
    expect(types(...read(begin))).toEqual([
      ['tool-start', 'ws_1', undefined],
      ['tool-end', 'ws_1', false],
    ])
  })

  it('reports the timeout of a command', () => {
    const events = read(
      message({type: 'exec_command_begin', call_id: 'a', command: ['sleep', '5'], cwd: '/'}),
      message({
        type: 'exec_command_end',
        call_id: 'a',
        stdout: '',
        stderr: '',
        aggregated_output: '',
        exit_code: 124,
        duration: {secs: 0, nanos: 303_288_049},
        formatted_output: 'command timed out after 303 milliseconds\n',
      }),
    )
    expect(events[1]).toEqual({
      type: 'tool-end',
      toolId: 'a',
      ok: false,
      output: '',
      outputLength: 0,
      error: 'command timed out after 303 milliseconds',
      exitCode: 124,
      durationMs: 303,
    })
  })

  it('does not repeat raw thinking after its deltas', () => {
    const events = read(
      message({type: 'agent_reasoning_raw_content_delta', delta: 'Hm'}),
      message({type: 'agent_reasoning_raw_content_delta', delta: 'm.'}),
      message({type: 'agent_reasoning_raw_content', text: 'Hmm.'}),
    )
    expect(events).toEqual([
      {type: 'thinking-delta', text: 'Hm'},
      {type: 'thinking-delta', text: 'm.'},
    ])
  })

  it('has a session id when it is reported, with the settings of its first line', () => {
    const config = {
      workdir: '/home/dev/project',
      model: 'gpt-5-codex',
      provider: 'openai',
      approval: 'never',
      sandbox: 'read-only',
    }
    const configured = {type: 'session_configured', session_id: 's_1', model: 'gpt-5-codex'}
    expect(read(config, {prompt: 'do it'}, message(configured))).toEqual([
      start,
      {...start, sessionId: 's_1'},
    ])
    expect(read(message({type: 'session_configured'}))).toEqual([
      {type: 'session-start', sessionId: ''},
    ])
  })

  it('does not repeat text after its deltas', () => {
    const events = read(
      message({type: 'agent_reasoning_delta', delta: 'Hm'}),
      message({type: 'agent_reasoning_delta', delta: 'm.'}),
      message({type: 'agent_reasoning', text: 'Hmm.'}),
      message({type: 'agent_reasoning_section_break'}),
      message({type: 'agent_message_delta', delta: 'Do'}),
      message({type: 'agent_message', message: 'Done.'}),
    )
    expect(events).toEqual([
      {type: 'thinking-delta', text: 'Hm'},
      {type: 'thinking-delta', text: 'm.'},
      {type: 'text-delta', text: 'Do'},
      {type: 'text-delta', text: 'ne.'},
    ])
  })

  test.each([
    'agent_message',
    'agent_message_delta',
    'agent_reasoning',
    'agent_reasoning_delta',
    'agent_reasoning_raw_content',
    'agent_reasoning_raw_content_delta',
    'plan_update',
    'user_message',
  ])('emits nothing for empty content: %s', (type) => {
    expect(read(message({type}))).toEqual([])
  })

  it('reports background events and an interruption', () => {
    expect(
      read(
        message({type: 'background_event', message: 'Retrying the MCP server'}),
        message({type: 'turn_aborted', reason: 'interrupted'}),
      ),
    ).toEqual([
      {type: 'status', status: 'notice', detail: 'Retrying the MCP server'},
      {type: 'status', status: 'interrupted', detail: 'interrupted'},
    ])
  })

  it('may report the end of its turn, which then ends once', () => {
    const begin = message({type: 'task_started', model_context_window: 1})
    const answer = message({type: 'agent_message', message: 'Done.'})
    const count = message({type: 'token_count', info: null})
    const done = (fields: Plain) => message({type: 'task_complete', ...fields})
    const text = {type: 'text', text: 'Done.'}
    const end = {type: 'turn-end', ok: true, text: 'Done.'}
    const bye = message({type: 'shutdown_complete'})
    expect(read(begin, answer, count, done({last_agent_message: 'Done.'}), bye)).toEqual([
      text,
      end,
    ])
    expect(read(begin, answer, count, done({last_agent_message: null}), count)).toEqual([text, end])
  })

  it('does not mistake rate limits for the end of a response', () => {
    const limits = {primary: {used_percent: 1, window_minutes: 300, resets_in_seconds: 9}}
    expect(
      read(
        message({type: 'task_started', model_context_window: 1}),
        message({type: 'token_count', info: null, rate_limits: limits}),
      ),
    ).toEqual([])
  })

  it('has failed when an error comes last, even without a message', () => {
    const events = read(
      message({type: 'task_started', model_context_window: 1}),
      message({type: 'error'}),
    )
    expect(events.at(-1)).toEqual({
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['no reason given'],
    })
  })

  it('requests permission for commands and file changes', () => {
    const command = ['bash', '-lc', 'rm x']
    const changes = {'/a': {add: {content: 'x'}}}
    expect(
      read(
        message({
          type: 'exec_approval_request',
          call_id: 'a',
          command,
          cwd: '/',
          reason: 'outside of the sandbox',
        }),
        message({type: 'apply_patch_approval_request', call_id: 'b', changes, reason: null}),
      ),
    ).toEqual([
      {
        type: 'permission-request',
        toolId: 'a',
        name: 'exec_command',
        input: {command, cwd: '/'},
        reason: 'outside of the sandbox',
      },
      {type: 'permission-request', toolId: 'b', name: 'apply_patch', input: {changes}},
    ])
  })

  test.each([
    ['a file without its text', {'/a': {add: {}}}, [change('/a', 'created', {added: 0})]],
    ['a deletion without it', {'/a': {delete: {}}}, [change('/a', 'deleted', {removed: 0})]],
    [
      'a change without its diff',
      {'/a': {update: {move_path: null}}},
      [change('/a', 'modified', {added: 0, removed: 0})],
    ],
    [
      'a move to where it was',
      {'/a': {update: {unified_diff: '@@ -1 +1 @@\n+b\n', move_path: '/a'}}},
      [change('/a', 'modified', {added: 1, removed: 0})],
    ],
    ['a change of a new kind', {'/a': {rename: {}}, '/b': 'odd'}, []],
    ['nothing', null, []],
  ])('reads the files of a patch: %s', (_, changes, expected) => {
    const events = read(
      message({type: 'patch_apply_begin', call_id: 'call_8', changes}),
      message({type: 'patch_apply_end', call_id: 'call_8', success: true}),
    )
    expect(events.slice(1)).toEqual([
      ...expected,
      {type: 'tool-end', toolId: 'call_8', ok: true, output: '', outputLength: 0},
    ])
  })

  test.each([
    [
      'its errors',
      {stdout: 'half', stderr: 'no such file\n'},
      'halfno such file\n',
      'no such file',
    ],
    ['what it printed', {stdout: 'half\n', stderr: ''}, 'half\n', 'half'],
    ['no word', {}, '', 'failed'],
  ])('has the reason of a patch that failed with %s', (_, fields, output, error) => {
    const end = message({type: 'patch_apply_end', call_id: 'a', success: false, ...fields})
    expect(read(end)).toEqual([
      {type: 'tool-end', toolId: 'a', ok: false, output, outputLength: output.length, error},
    ])
  })

  test.each([
    ['a shell', ['bash', '-lc', 'ls -l | wc'], 'ls -l | wc'],
    ['another shell', ['/bin/sh', '-c', 'ls'], 'ls'],
    ['no shell', ['git', 'log', '-1'], 'git log -1'],
    ['one word', 'ls', 'ls'],
    ['nothing', undefined, ''],
  ])('shows a command without its shell: %s', (_, command, summary) => {
    expect(read(message({type: 'exec_command_begin', call_id: 'a', command}))[0]).toMatchObject({
      type: 'tool-start',
      toolId: 'a',
      tool: 'Bash',
      summary,
    })
  })

  it('treats a command without an exit code as a success', () => {
    const end = {type: 'exec_command_end', call_id: 'a', stdout: 'x\n', duration: {secs: 2}}
    expect(read(message(end))).toEqual([
      {type: 'tool-end', toolId: 'a', ok: true, output: 'x\n', outputLength: 2, durationMs: 2000},
    ])
  })

  it('treats an MCP call without a result as a failure', () => {
    const events = read(message({type: 'mcp_tool_call_end', call_id: 'a', duration: {}}))
    expect(events).toMatchObject([
      {type: 'tool-start', toolId: 'a', tool: 'Mcp'},
      {type: 'tool-end', toolId: 'a', ok: false, output: '', error: 'failed'},
    ])
  })

  it('does not mistake the notice of a compaction for a response', () => {
    expect(read(message({type: 'agent_message', message: 'Compact task completed'}))).toEqual([
      {type: 'status', status: 'compacting', phase: 'end', detail: 'Compact task completed'},
    ])
  })
})

type Plain = Record<string, unknown>

function message(msg: Plain): Plain {
  return {id: '0', msg}
}

function change(path: string, action: string, lines: Plain): Plain {
  return {type: 'file-change', path, action, toolId: 'call_8', ...lines}
}

function read(...records: Plain[]): Plain[] {
  const parser = createEventParser(codex, {now: () => 0})
  const lines = records.map((record) => JSON.stringify(record))
  const events = [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
  expect(parser.drift()).toEqual([])
  return events.map(strip)
}

function readCapture(name: string): Plain[] {
  const decoder = createEventDecoder(codex, {now: () => 0})
  const bytes = readFileSync(new URL(`../fixtures/0.36.0/${name}.jsonl`, import.meta.url))
  const events = [...decoder.push(bytes), ...decoder.end()]
  expect(decoder.drift()).toEqual([])
  return events.map(strip)
}

function strip({line: _line, at: _at, agent: _agent, ...rest}: AgentEvent): Plain {
  return rest
}
