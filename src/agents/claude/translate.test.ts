import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {claude} from './index.ts'

/** The events of records, without what every event has. */
function read(...records: unknown[]): Record<string, unknown>[] {
  const parser = createEventParser(claude, {now: () => 0})
  const events = records.flatMap((record) => parser.parse(JSON.stringify(record)))
  return events.map(strip)
}

function readCapture(name: string): AgentEvent[] {
  const text = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')
  const parser = createEventParser(claude, {now: () => 0})
  return [...text.split('\n').flatMap((line) => parser.parse(line)), ...parser.end()]
}

function strip({
  line: _line,
  at: _at,
  agent: _agent,
  ...event
}: AgentEvent): Record<string, unknown> {
  return JSON.parse(JSON.stringify(event)) as Record<string, unknown>
}

const assistant = (content: unknown, more = {}) => ({
  type: 'assistant',
  message: {role: 'assistant', content},
  ...more,
})
const user = (content: unknown, more = {}) => ({
  type: 'user',
  message: {role: 'user', content},
  ...more,
})
const use = (id: string, name: string, input: unknown) => ({type: 'tool_use', id, name, input})
const result = (id: string, content: unknown, more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const streamEvent = (event: unknown, more = {}) => ({type: 'stream_event', event, ...more})
const delta = (text: string, more = {}) =>
  streamEvent({type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}}, more)

describe('a message', () => {
  test.each([
    ['a list of blocks', assistant([{type: 'text', text: 'Hi'}])],
    ['a string', assistant('Hi')],
    ['a list with a string', assistant(['Hi', null, 5])],
    ['a block in its place', {type: 'assistant', message: {type: 'text', text: 'Hi'}}],
  ])('may be %s', (_, record) => {
    expect(read(record)).toEqual([{type: 'text', text: 'Hi'}])
  })

  test('is omitted when Claude Code inserted it instead of a response', () => {
    const text = 'No response requested.'
    const message = {role: 'assistant', model: '<synthetic>', content: [{type: 'text', text}]}
    expect(read({type: 'assistant', message})).toEqual([])
    expect(read({type: 'assistant', message: {...message, model: 'claude-opus-5-5'}})).toEqual([
      {type: 'text', text},
    ])
    const content = [{type: 'text', text: 'API Error: 400'}]
    expect(read({type: 'assistant', message: {...message, content}})).toEqual([
      {type: 'text', text: 'API Error: 400'},
    ])
  })

  test('may be missing', () => {
    expect(read({type: 'assistant'}, {type: 'assistant', message: null}, {type: 'user'})).toEqual(
      [],
    )
  })

  test('is not a text of the agent when it is from the user', () => {
    expect(read(user('Fix the tests'), user([{type: 'text', text: 'two'}]))).toEqual([])
  })
})

describe('a tool', () => {
  test('starts with its input and ends with its output', () => {
    expect(
      read(assistant([use('t', 'Bash', {command: 'ls'})]), user([result('t', 'a\nb')])),
    ).toEqual([
      {
        type: 'tool-start',
        toolId: 't',
        name: 'Bash',
        tool: 'Bash',
        input: {command: 'ls'},
        summary: 'ls',
      },
      {type: 'tool-end', toolId: 't', ok: true, output: 'a\nb', outputLength: 3},
    ])
  })

  test.each([
    [
      'text blocks',
      [
        {type: 'text', text: 'a'},
        {type: 'text', text: 'b'},
      ],
      'a\nb',
    ],
    [
      'pictures and documents',
      [{type: 'image', source: {data: 'AAAA'}}, {type: 'document'}],
      '[image]\n[document]',
    ],
    ['nothing', undefined, ''],
    [
      'something else',
      [{type: 'tool_reference', tool_name: 'X'}],
      '{"type":"tool_reference","tool_name":"X"}',
    ],
  ])('may return %s', (_, content, output) => {
    expect(read(user([result('t', content)]))).toMatchObject([{output}])
  })

  test.each([
    ['its content', result('t', 'No such file', {is_error: true}), 'No such file'],
    ['a tag', result('t', '<tool_use_error>No.</tool_use_error>', {is_error: true}), 'No.'],
    [
      'a field of its own',
      result('t', '', {is_error: true, error: 'Permission denied'}),
      'Permission denied',
    ],
    ['nowhere', result('t', '', {is_error: true}), 'no reason given'],
    [
      'a field that is all there is',
      result('t', '', {error: 'Permission denied'}),
      'Permission denied',
    ],
  ])('may have its error in %s', (_, block, error) => {
    expect(read(user([block]))).toMatchObject([{type: 'tool-end', ok: false, error}])
  })

  test('has the exit code of a command from its text', () => {
    expect(readCapture('2.1.325/bash-fail').map(strip)).toContainEqual(
      expect.objectContaining({
        type: 'tool-end',
        ok: false,
        exitCode: 3,
        error: 'Exit code 3\nout\nerr',
      }),
    )
  })

  test('may stand on a line of its own', () => {
    expect(
      read({...use('t', 'Read', {file_path: 'a'})}, {...result('t', 'x')}).map(({type}) => type),
    ).toEqual(['tool-start', 'tool-end'])
  })

  test('may be executed by the provider', () => {
    expect(
      read(
        assistant([
          {type: 'server_tool_use', id: 's', name: 'web_search', input: {query: 'glass'}},
        ]),
        assistant([
          {type: 'web_search_tool_result', tool_use_id: 's', content: [{type: 'text', text: 'x'}]},
        ]),
        assistant([{type: 'mcp_tool_use', id: 'm', name: 'add', input: {}, server_name: 'lab'}]),
      ),
    ).toMatchObject([
      {type: 'tool-start', tool: 'WebSearch', summary: 'glass'},
      {type: 'tool-end', toolId: 's', ok: true, output: 'x'},
      {type: 'tool-start', tool: 'Mcp'},
    ])
  })

  test('has its common name', () => {
    const names = ['Agent', 'MultiEdit', 'mcp__lab__add', 'TaskUpdate', 'Skill']
    const kinds = read(...names.map((name) => assistant([use(name, name, {})])))
    expect(kinds.map(({tool}) => tool)).toEqual(['Task', 'Edit', 'Mcp', 'Todo', 'Other'])
  })

  test('reports progress by its own id or by that of its heartbeat', () => {
    const progress = {type: 'tool_progress', elapsed_time_seconds: 30}
    expect(
      read(
        assistant([use('t', 'Bash', {})]),
        {...progress, tool_use_id: 't', parent_tool_use_id: null},
        {...progress, tool_use_id: 't-heartbeat-0', parent_tool_use_id: 't'},
        {...progress},
      ).slice(1),
    ).toEqual([
      {type: 'tool-update', toolId: 't', elapsedMs: 30_000},
      {type: 'tool-update', toolId: 't', elapsedMs: 30_000},
    ])
  })
})

describe('text in deltas', () => {
  const message = streamEvent({type: 'message_start', message: {id: 'm'}})
  const block = streamEvent({
    type: 'content_block_start',
    index: 0,
    content_block: {type: 'text', text: ''},
  })

  test('is not repeated in full', () => {
    const full = assistant([{type: 'text', text: 'Hello'}])
    expect(read(message, block, delta('Hel'), delta('lo'), full)).toEqual([
      {type: 'text-delta', text: 'Hel', messageId: 'm'},
      {type: 'text-delta', text: 'lo', messageId: 'm'},
    ])
  })

  test('may be cut off and repeated in full by the next message', () => {
    const full = assistant([{type: 'text', text: 'Hello'}])
    expect(read(message, block, delta('Hel'), message, full).map(({type}) => type)).toEqual([
      'text-delta',
      'text',
    ])
  })

  test('may be from a sub-agent at the same time', () => {
    const sub = {parent_tool_use_id: 's'}
    const full = assistant([{type: 'text', text: 'sub'}], sub)
    expect(read(delta('main'), delta('sub', sub), full, assistant('main'))).toEqual([
      {type: 'text-delta', text: 'main'},
      {type: 'text-delta', text: 'sub', parentToolId: 's'},
    ])
  })

  test('is thinking too, and may begin with its block', () => {
    expect(
      read(
        streamEvent({
          type: 'content_block_start',
          content_block: {type: 'thinking', thinking: 'h'},
        }),
        streamEvent({type: 'content_block_delta', delta: {type: 'thinking_delta', thinking: 'm'}}),
        streamEvent({
          type: 'content_block_delta',
          delta: {type: 'signature_delta', signature: 'x'},
        }),
        streamEvent({type: 'content_block_stop'}),
        streamEvent({type: 'message_stop'}),
        assistant([{type: 'thinking', thinking: 'hm', signature: 'x'}]),
      ),
    ).toEqual([
      {type: 'thinking-delta', text: 'h'},
      {type: 'thinking-delta', text: 'm'},
    ])
  })

  test('may be aborted, which is reported', () => {
    const stop = {...streamEvent({type: 'message_stop'}), abandoned_blocks: {from_block_index: 1}}
    expect(read(delta('Hel'), stop).map(({type}) => type)).toEqual(['text-delta', 'status'])
  })

  test('may be on lines of its own', () => {
    const {event} = delta('Hi')
    expect(read(event, {type: 'message_start', message: {}}, assistant('Hi'))).toHaveLength(2)
  })

  test.each([
    '2.1.325/partial-text',
    '2.1.325/partial-tool',
    '2.1.325/partial-thinking',
    '1.0.128/partial-text',
  ])('is emitted once in %s', (name) => {
    const events = readCapture(name)
    const texts = events.flatMap((event) =>
      event.type === 'text' || event.type === 'text-delta' ? [event.text] : [],
    )
    const end = events.findLast((event) => event.type === 'turn-end')
    expect(texts.join('').endsWith(end?.text ?? '?')).toBe(true)
    expect(texts.join('').split(end?.text ?? '?')).toHaveLength(2)
  })
})

describe('a result', () => {
  test.each([
    [{subtype: 'success', is_error: false}, true],
    [{subtype: 'success', is_error: true}, false],
    [{subtype: 'error_max_turns', is_error: false}, false],
    [{subtype: 'error_novel'}, false],
    [{}, true],
  ])('with %j is ok: %s', (fields, ok) => {
    expect(read({type: 'result', ...fields})).toMatchObject([{type: 'turn-end', ok}])
  })

  test.each([
    [{total_cost_usd: 0.5, cost_usd: 0.4}, 0.5],
    [{cost_usd: 0.4, total_cost: 0.3}, 0.4],
    [{total_cost: 0.3}, 0.3],
    [{total_cost_usd: 0}, 0],
    [{total_cost_usd: '1'}, undefined],
  ])('with %j has the cost %j', (fields, costUsd) => {
    expect(read({type: 'result', ...fields}).at(-1)?.['costUsd']).toBe(costUsd)
  })

  test.each([
    [{errors: ['one', 'two']}, ['one', 'two']],
    [{errors: 'one'}, ['one']],
    [{errors: [], result: 'API Error'}, ['API Error']],
    [{subtype: 'error_max_turns'}, ['error_max_turns']],
    [{}, ['no reason given']],
  ])('has a reason when it failed with %j', (fields, errors) => {
    expect(read({type: 'result', is_error: true, ...fields})).toMatchObject([{errors}])
  })

  test('reports the usage of the turn', () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
      output_tokens_details: {thinking_tokens: 1},
    }
    expect(read({type: 'result', usage})[0]).toEqual({
      type: 'usage',
      tokens: {input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1},
    })
  })

  test('is printed once per turn, with the cost of all turns so far', () => {
    const ends = readCapture('2.1.325/stdin-multi').filter((event) => event.type === 'turn-end')
    expect(ends.map(({text, costUsd}) => [text, costUsd?.toFixed(4)])).toEqual([
      ['First answer.', '0.0135'],
      ['Second answer.', '0.0404'],
      ['Third answer.', '0.0539'],
    ])
  })

  test('may be the only line', () => {
    expect(readCapture('2.1.325/format-json').map(({type}) => type)).toEqual(['usage', 'turn-end'])
  })

  test('may be the last record of a run in one list', () => {
    const url = new URL('fixtures/2.1.325/write-edit-bash.jsonl', import.meta.url)
    const lines = readFileSync(url, 'utf8').trim().split('\n')
    const parser = createEventParser(claude, {now: () => 0})
    const events = parser.parse(`[${lines.join(',')}]\n`)
    expect(events.map(strip)).toEqual(readCapture('2.1.325/write-edit-bash').map(strip))
    expect(new Set(events.map(({line}) => line))).toEqual(new Set([1]))
  })
})

describe('a file', () => {
  const write = assistant([use('t', 'Write', {file_path: '/a', content: 'x\ny\n'})])

  test('is created with a line count, before the end of its tool', () => {
    const done = user([result('t', 'ok')], {tool_use_result: {type: 'create', filePath: '/a'}})
    expect(read(write, done).slice(1)).toMatchObject([
      {type: 'file-change', path: '/a', action: 'created', toolId: 't', added: 2},
      {type: 'tool-end'},
    ])
  })

  test('is created according to the input in old versions', () => {
    expect(read(write, user([result('t', 'ok')]))).toMatchObject([
      {},
      {type: 'file-change', action: 'created'},
      {},
    ])
  })

  test('is modified by a patch', () => {
    const structuredPatch = [{lines: [' a', '-b', '+c', '+d']}]
    const edited = user([result('e', 'ok')], {tool_use_result: {filePath: '/b', structuredPatch}})
    expect(read(assistant([use('e', 'Edit', {file_path: '/b'})]), edited)[1]).toEqual({
      type: 'file-change',
      path: '/b',
      action: 'modified',
      toolId: 'e',
      added: 2,
      removed: 1,
    })
  })

  test('may be overwritten', () => {
    const done = user([result('t', 'ok')], {
      tool_use_result: {type: 'update', filePath: '/a', structuredPatch: []},
    })
    expect(read(write, done)[1]).toEqual({
      type: 'file-change',
      path: '/a',
      action: 'modified',
      toolId: 't',
    })
  })

  test('may be a notebook, which has a field of its own', () => {
    const edit = assistant([use('n', 'NotebookEdit', {notebook_path: '/n.ipynb'})])
    expect(read(edit, user([result('n', 'ok')]))[1]).toMatchObject({path: '/n.ipynb'})
  })

  test('is unchanged when its tool failed or has no path', () => {
    expect(read(write, user([result('t', 'no', {is_error: true})]))).toHaveLength(2)
    expect(read(assistant([use('x', 'Write', {})]), user([result('x', 'ok')]))).toHaveLength(2)
  })
})

describe('a denial', () => {
  test('is reported once, before the end of its tool', () => {
    const events = readCapture('2.1.325/permission-denied').map(strip)
    expect(events.filter(({type}) => type === 'permission-denied')).toMatchObject([
      {name: 'Write', input: {file_path: '/home/dev/project/x.txt', content: 'x'}},
      {name: 'Bash', input: {command: 'touch /home/dev/project'}},
    ])
    expect(events.filter(({denied}) => denied === true)).toHaveLength(2)
  })

  test('by the user is detected by the decision', () => {
    const events = readCapture('2.1.325/control-deny').map(strip)
    expect(events).toContainEqual(
      expect.objectContaining({type: 'tool-end', ok: false, denied: true, error: 'Not this one'}),
    )
    expect(events.filter(({type}) => type === 'permission-request')).toMatchObject([
      {name: 'Write', requestId: expect.any(String) as string},
      {name: 'Bash'},
    ])
  })

  test('is distinguished from a call that was stopped while it ran', () => {
    const meta = {tool_result_meta: [{id: 't', non_execution_kind: 'user-rejected'}]}
    const texts = "The user doesn't want to proceed with this tool use."
    const rejected = user([result('t', texts, {is_error: true})], meta)
    const request = {subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't', input: {}}
    const call = assistant([use('t', 'Bash', {command: 'x'})])
    const asked = read(call, {type: 'control_request', request_id: 'r', request}, rejected)
    expect(asked.at(-1)).toMatchObject({type: 'tool-end', denied: true})
    expect(asked.at(-2)).toMatchObject({type: 'permission-denied', name: 'Bash'})
    expect(read(call, rejected).at(-1)).not.toHaveProperty('denied')
    const why = "touch in '/x' was blocked. For security, Claude Code may only create files"
    expect(read(call, user([result('t', why, {is_error: true})])).at(-1)).toMatchObject({
      denied: true,
    })
  })

  test('is detected by its text or by the result in old versions', () => {
    const denial = {tool_name: 'X', tool_use_id: 'x', tool_input: {a: 1}}
    expect(
      read(
        assistant([use('t', 'Write', {file_path: 'a'})]),
        user([result('t', 'Claude requested permissions to write', {is_error: true})]),
        {type: 'result', permission_denials: [denial, {...denial, tool_use_id: 't'}]},
      ).filter(({type}) => type === 'permission-denied'),
    ).toMatchObject([
      {toolId: 't', name: 'Write', input: {file_path: 'a'}},
      {toolId: 'x', name: 'X', input: {a: 1}},
    ])
  })
})

describe('a background task', () => {
  const started = {
    type: 'system',
    subtype: 'task_started',
    task_id: 'a',
    tool_use_id: 't',
    description: 'job',
  }

  test('begins and ends once', () => {
    expect(
      read(
        {...started, is_backgrounded: true},
        {type: 'system', subtype: 'task_updated', task_id: 'a', patch: {status: 'completed'}},
        {type: 'system', subtype: 'task_notification', task_id: 'a', status: 'completed'},
        {type: 'system', subtype: 'background_tasks_changed', tasks: []},
      ),
    ).toEqual([
      {type: 'task-start', taskId: 'a', toolId: 't', description: 'job'},
      {type: 'task-end', taskId: 'a', toolId: 't', description: 'job', ok: true},
    ])
  })

  test('is not a sub-agent in the foreground, until it is moved', () => {
    const updated = {type: 'system', subtype: 'task_updated', task_id: 'a'}
    expect(
      read({...started, is_backgrounded: false}, {...updated, patch: {status: 'completed'}}),
    ).toEqual([])
    expect(
      read(
        started,
        {...updated, patch: {is_backgrounded: true}},
        {...updated, patch: {status: 'failed'}},
      ),
    ).toMatchObject([{type: 'task-start'}, {type: 'task-end', ok: false}])
  })

  test('may be known from the list only, and may be stopped', () => {
    const list = {type: 'system', subtype: 'background_tasks_changed', tasks: [{task_id: 'a'}]}
    const stopped = {type: 'system', subtype: 'task_notification', task_id: 'a', status: 'stopped'}
    expect(read(list, started, stopped, stopped)).toEqual([
      {type: 'task-start', taskId: 'a', toolId: 't', description: 'job'},
      {type: 'task-end', taskId: 'a', toolId: 't', description: 'job'},
    ])
  })

  test('ends when it is missing on the list', () => {
    const list = (...ids: string[]) => ({
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: ids.map((task_id) => ({task_id})),
    })
    expect(
      read({...started, is_backgrounded: true}, list('a'), list(), {
        type: 'system',
        subtype: 'task_started',
      }),
    ).toEqual([
      {type: 'task-start', taskId: 'a', toolId: 't', description: 'job'},
      {type: 'task-end', taskId: 'a', toolId: 't', description: 'job'},
    ])
  })
})

describe('a plan', () => {
  test('is replaced by TodoWrite', () => {
    const todos = [{content: 'One', status: 'in_progress'}]
    const call = assistant([use('t', 'TodoWrite', {todos})])
    expect(read(call, user([result('t', 'ok')]))[1]).toEqual({
      type: 'plan',
      items: [{text: 'One', status: 'in-progress'}],
    })
    const refused = user([result('t', 'No such tool', {is_error: true})])
    expect(read(call, refused).map(({type}) => type)).toEqual(['tool-start', 'tool-end'])
  })

  test('is changed by the task tools one call at a time', () => {
    const call = (name: string, input: unknown, tool_use_result: unknown, id: string) => [
      assistant([use(id, name, input)]),
      user([result(id, 'ok')], {tool_use_result}),
    ]
    const plans = read(
      ...call('TaskCreate', {}, {task: {id: '1', subject: 'One'}}, 'a'),
      ...call('TaskCreate', {}, {task: {id: '2', subject: 'Two'}}, 'b'),
      ...call('TaskUpdate', {taskId: '1', status: 'completed'}, {}, 'c'),
      ...call('TaskUpdate', {taskId: '2', subject: '2nd'}, {}, 'd'),
      ...call('TaskUpdate', {taskId: '1', status: 'deleted'}, {}, 'e'),
      ...call('TaskUpdate', {taskId: '9', status: 'completed'}, {}, 'f'),
      ...call('TaskCreate', {}, {}, 'g'),
      ...call('TaskList', {}, {tasks: []}, 'h'),
    ).flatMap((event) => (event['type'] === 'plan' ? [event['items']] : []))
    expect(plans).toEqual([
      [{text: 'One', status: 'pending'}],
      [
        {text: 'One', status: 'pending'},
        {text: 'Two', status: 'pending'},
      ],
      [
        {text: 'One', status: 'completed'},
        {text: 'Two', status: 'pending'},
      ],
      [
        {text: 'One', status: 'completed'},
        {text: '2nd', status: 'pending'},
      ],
      [{text: '2nd', status: 'pending'}],
    ])
  })
})

test.each([
  [
    {subtype: 'api_retry', attempt: 3, max_retries: 10, error: 'overloaded', error_status: 529},
    {status: 'api-retry', detail: 'overloaded (529)', attempt: 3, of: 10},
  ],
  [{subtype: 'api_retry'}, {status: 'api-retry', detail: 'no answer'}],
  [
    {subtype: 'status', status: 'compacting'},
    {status: 'compacting', phase: 'start', detail: 'compacting'},
  ],
  [
    {subtype: 'status', compact_error: 'too short'},
    {status: 'warning', detail: 'compacting failed: too short'},
  ],
  [
    {
      subtype: 'compact_boundary',
      compact_metadata: {trigger: 'auto', pre_tokens: 9, post_tokens: 3},
    },
    {status: 'compacting', phase: 'end', detail: 'compacted, auto, 9 to 3 tokens'},
  ],
  [{subtype: 'compact_boundary'}, {status: 'compacting', phase: 'end', detail: 'compacted'}],
  [
    {subtype: 'model_refusal_no_fallback', original_model: 'opus', content: ''},
    {status: 'warning', detail: 'refused by opus'},
  ],
  [
    {subtype: 'model_fallback', content: 'Switched'},
    {status: 'model-fallback', detail: 'Switched'},
  ],
  [
    {subtype: 'hook_started', hook_id: 'h', hook_name: 'PreToolUse:Bash'},
    {status: 'hook', phase: 'start', key: 'h', detail: 'PreToolUse:Bash'},
  ],
  [
    {
      subtype: 'hook_response',
      hook_id: 'h',
      hook_name: 'PreToolUse:Bash',
      outcome: 'error',
      stderr: 'no\n',
    },
    {status: 'hook', phase: 'end', key: 'h', detail: 'PreToolUse:Bash error: no', ok: false},
  ],
  [
    {subtype: 'hook_response', hook_event: 'Stop', outcome: 'success'},
    {status: 'hook', phase: 'end', detail: 'Stop success', ok: true},
  ],
  [
    {subtype: 'informational', content: 'hi'},
    {status: 'notice', detail: 'hi'},
  ],
  [
    {subtype: 'informational', content: 'hi', level: 'warning'},
    {status: 'warning', detail: 'hi'},
  ],
  [
    {subtype: 'notification', text: 'hi'},
    {status: 'notice', detail: 'hi'},
  ],
  [
    {subtype: 'vcs_state_changed', kind: 'push', branch: 'main', cwd: '/home/dev/project'},
    {status: 'notice', detail: 'git push main'},
  ],
  [
    {subtype: 'vcs_state_changed', kind: 'commit'},
    {status: 'notice', detail: 'git commit'},
  ],
  [
    {subtype: 'mirror_error', error: 'behind'},
    {status: 'warning', detail: 'behind'},
  ],
  [
    {subtype: 'worker_shutting_down', reason: 'host'},
    {status: 'notice', detail: 'shutting down: host'},
  ],
  [
    {subtype: 'session_writes_lost'},
    {status: 'warning', detail: 'the disk is full: parts of the session were not written'},
  ],
  [{type: 'conversation_reset'}, {status: 'notice', detail: 'conversation cleared'}],
  [
    {type: 'error', error: {message: 'bad'}},
    {status: 'warning', detail: 'bad'},
  ],
  [
    {
      type: 'rate_limit_event',
      rate_limit_info: {status: 'rejected', rateLimitType: 'five_hour', resetsAt: 5},
    },
    {status: 'rate-limit', detail: 'five-hour window used up', until: 5000, isBlocking: true},
  ],
  [
    {type: 'rate_limit_event', rate_limit_info: {utilization: 0.91}},
    {status: 'rate-limit', detail: 'usage window 91% used', isBlocking: false, usedShare: 0.91},
  ],
])('the line %j gives a status', (record, event) => {
  expect(read({type: 'system', ...record})).toEqual([{type: 'status', ...event}])
})

test.each([
  {type: 'system', subtype: 'status', status: 'requesting'},
  {type: 'system', subtype: 'status', status: 'compacting', compact_output_chars: 40},
  {type: 'command_lifecycle', state: 'started', command_uuid: 'c'},
  {type: 'system', subtype: 'notification'},
  {type: 'control_response', response: {}},
  {type: 'control_request', request: {subtype: 'mcp_message'}},
  {type: 'keep_alive'},
])('the line %j is known and emits no event', (record) => {
  expect(read(record)).toEqual([])
})

describe('a hook that ends a turn', () => {
  const done = {type: 'result', subtype: 'success', is_error: false, result: '', num_turns: 0}
  const stopsIn = (...records: object[]) =>
    read(...records).flatMap((event) => (event['type'] === 'turn-end' ? [event['stopped']] : []))
  const blocked = {
    type: 'system',
    subtype: 'informational',
    level: 'warning',
    content: 'UserPromptSubmit operation blocked by hook:\n[sh]: frozen\nask Ann',
    prompt_submit_outcome: {kind: 'blocked_by_hook', reason: 'frozen\nask Ann\n'},
  }
  const outcome = {kind: 'stopped_by_hook', reason: 'enough'}
  const response = {
    type: 'system',
    subtype: 'hook_response',
    hook_name: 'PostToolUse:Bash',
    stdout: '{"continue":false,"stopReason":"no more tools"}\n',
  }
  const stopped = {...done, terminal_reason: 'hook_stopped'}

  test.each([
    ['blocks the prompt', [blocked, done], ['prompt blocked by a hook: frozen ask Ann']],
    [
      'stops at the prompt',
      [{...blocked, prompt_submit_outcome: outcome}, done],
      ['by a hook: enough'],
    ],
    [
      'stops after a tool, with its reason where hook events are printed',
      [response, stopped],
      ['by a hook: no more tools'],
    ],
    ['stops after a tool and gives no reason', [stopped], ['by a hook']],
    [
      'ends one turn of two',
      [blocked, done, done],
      ['prompt blocked by a hook: frozen ask Ann', undefined],
    ],
    [
      'accepts the end of a complete turn',
      [response, {...done, terminal_reason: 'stop_hook_prevented'}],
      [undefined],
    ],
  ])('%s', (_, records, stops) => {
    expect(stopsIn(...records)).toEqual(stops)
  })

  test('is reported with its reason instead of its command', () => {
    expect(read(blocked)).toEqual([
      {type: 'status', status: 'warning', detail: 'prompt blocked by a hook: frozen ask Ann'},
    ])
  })
})

describe('a scheduled wake-up', () => {
  const schedule = (scheduledFor: number, id: string) => [
    assistant([use(id, 'ScheduleWakeup', {delaySeconds: 60, reason: 'build'})]),
    user([result(id, '')], {tool_use_result: {scheduledFor}}),
  ]
  const cron = (jobId: string, nextFireAt: number) => [
    assistant([use(jobId, 'CronCreate', {prompt: `do ${jobId}`})]),
    user([result(jobId, '')], {tool_use_result: {id: jobId, nextFireAt}}),
  ]
  const fired = (wakeup_source: string, scheduled_for?: number) => ({
    type: 'command_lifecycle',
    state: 'started',
    wakeup_source,
    scheduled_for,
  })
  const plansIn = (...records: object[]) =>
    read(...records).flatMap((event) =>
      event['status'] === 'wake-up' ? [[event['key'], event['phase'], event['until']]] : [],
    )

  test('starts with the result of its tool and ends when it fires', () => {
    expect(plansIn(...schedule(5000, 'a'), fired('loop_wakeup', 5000))).toEqual([
      ['loop', 'start', 5000],
      ['loop', 'end', undefined],
    ])
  })

  test('is still pending when an older one fires late', () => {
    expect(
      plansIn(...schedule(5000, 'a'), ...schedule(9000, 'b'), fired('loop_wakeup', 5000)),
    ).toEqual([
      ['loop', 'start', 5000],
      ['loop', 'start', 9000],
    ])
  })

  test('ends when the agent cancels it', () => {
    expect(plansIn(...schedule(5000, 'a'), ...schedule(0, 'b'))).toEqual([
      ['loop', 'start', 5000],
      ['loop', 'end', undefined],
    ])
  })

  test('with cron ends with the job that is due first, or when the job is deleted', () => {
    const remove = [
      assistant([use('d', 'CronDelete', {id: 'late'})]),
      user([result('d', '')], {tool_use_result: {}}),
    ]
    expect(
      plansIn(...cron('late', 9000), ...cron('soon', 5000), fired('schedule_wakeup'), ...remove),
    ).toEqual([
      ['late', 'start', 9000],
      ['soon', 'start', 5000],
      ['soon', 'end', undefined],
      ['late', 'end', undefined],
    ])
  })
})

test('a session has its servers as objects or as names', () => {
  const init = {
    type: 'system',
    subtype: 'init',
    session_id: 's',
    tools: ['Read', 5],
    mcp_servers: [{name: 'a', status: 'connected'}, 'b'],
  }
  expect(read(init)).toEqual([
    {
      type: 'session-start',
      sessionId: 's',
      tools: ['Read'],
      mcpServers: [{name: 'a', status: 'connected'}, {name: 'b'}],
    },
  ])
})

test('a call after the end of another of the same message is part of the same response', () => {
  const message = (id: string, toolId: string) => ({
    type: 'assistant',
    message: {id, role: 'assistant', content: [use(toolId, 'Bash', {})]},
  })
  const back = (toolId: string) => user([result(toolId, '')])
  const events = read(message('m', 'a'), back('a'), message('m', 'b'), back('b'), message('n', 'c'))
  expect(
    events.flatMap((event) => (event['type'] === 'tool-start' ? [event['isSameAnswer']] : [])),
  ).toEqual([undefined, true, undefined])
})

describe('the time of a tool', () => {
  const at = (second: number) => ({timestamp: new Date(second * 1000).toISOString()})
  const call = (id: string, second: number) => ({
    ...assistant([use(id, 'Bash', {})]),
    ...at(second),
  })
  const back = (id: string, second: number, more = {}) => ({
    ...user([{type: 'tool_result', tool_use_id: id, content: ''}]),
    ...at(second),
    ...more,
  })
  const times = (...records: object[]) =>
    read(...records).flatMap((event) =>
      event['type'] === 'tool-end' ? [[event['durationMs'], event['maxDurationMs']]] : [],
    )

  test('is exact for a single call', () => {
    expect(times(call('a', 0), back('a', 2), call('b', 3), back('b', 4))).toEqual([
      [2000, undefined],
      [1000, undefined],
    ])
  })

  test('is exact for parallel calls: each result is printed when its call ends', () => {
    const reported = {tool_use_result: {durationMs: 700}}
    expect(
      times(
        call('a', 0),
        call('b', 0),
        call('c', 0),
        back('a', 1),
        back('b', 3),
        back('c', 3, reported),
      ),
    ).toEqual([
      [1000, undefined],
      [3000, undefined],
      [700, undefined],
    ])
  })

  test('is not changed by the calls of a sub-agent', () => {
    const below = {...call('b', 1), parent_tool_use_id: 'a'}
    expect(times(call('a', 0), below, back('b', 2), back('a', 3))).toEqual([
      [1000, undefined],
      [3000, undefined],
    ])
  })
})

test('failed MCP servers are one warning until something changes', () => {
  const init = (status: string) => ({
    type: 'system',
    subtype: 'init',
    session_id: 's',
    mcp_servers: [
      {name: 'lab', status: 'connected'},
      {name: 'broken', status},
    ],
  })
  const events = read(init('failed'), init('failed'), init('needs-auth'), init('connected'))
  expect(events.filter(({type}) => type === 'status')).toEqual([
    {type: 'status', status: 'warning', detail: 'MCP server not connected: broken'},
    {type: 'status', status: 'warning', detail: 'MCP server needs authentication: broken'},
  ])
})

test('a nested sub-agent is reported by the nearest call in the stream', () => {
  const started = (task_id: string, tool_use_id: string, parent_task_id?: string) => ({
    type: 'system',
    subtype: 'task_started',
    task_id,
    tool_use_id,
    parent_task_id,
  })
  const progress = {
    type: 'system',
    subtype: 'task_progress',
    task_id: 'c',
    tool_use_id: 'hidden',
    usage: {total_tokens: 9, tool_uses: 2, duration_ms: 50},
  }
  const events = read(
    assistant([use('t', 'Task', {})]),
    started('a', 't'),
    started('b', 'unseen', 'a'),
    started('c', 'hidden', 'b'),
    progress,
    {...progress, task_id: 'unknown'},
  )
  expect(events.filter(({type}) => type === 'tool-update')).toEqual([
    {type: 'tool-update', toolId: 't', elapsedMs: 50, toolCount: 2},
  ])
})

test('an interruption is reported', () => {
  expect(
    read(user([{type: 'text', text: '[Request interrupted by user for tool use]'}])),
  ).toMatchObject([{type: 'status', status: 'interrupted'}])
})

describe('flags', () => {
  test.each([
    [[], ['--output-format', 'stream-json', '--verbose']],
    [
      ['-p', 'x', '--verbose'],
      ['--output-format', 'stream-json'],
    ],
    [['--output-format=stream-json'], ['--verbose']],
    [['--output-format', 'stream-json', '--verbose'], []],
    [['--output-format', 'json'], []],
    [
      ['-p', '--', '--verbose'],
      ['--output-format', 'stream-json', '--verbose'],
    ],
  ])('for %j are %j', (args, flags) => {
    expect(claude.flags(args)).toEqual(flags)
  })
})
