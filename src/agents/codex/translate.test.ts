import {readFileSync} from 'node:fs'
import {describe, expect, it, test} from 'vitest'
import {createEventDecoder, createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {codex} from './index.ts'

describe('a thread', () => {
  it('starts with its id and ends with its last text and its usage', () => {
    expect(readCapture('0.166.0/text')).toEqual([
      {type: 'session-start', sessionId: '01a1dd08-ac68-7611-bb2b-54ccf6bdac40'},
      {type: 'text', text: 'Hello from the mock model. All good.', messageId: 'item_0'},
      {
        type: 'usage',
        tokens: {input: 400, output: 60, cacheRead: 800, cacheWrite: 0, reasoning: 20},
      },
      {type: 'turn-end', ok: true, text: 'Hello from the mock model. All good.'},
    ])
  })

  it('has an empty text when the turn ended without a message', () => {
    expect(readCapture('0.166.0/text_no_final_message').at(-1)).toEqual({
      type: 'turn-end',
      ok: true,
      text: '',
    })
  })

  it('continues its token counts in the next turn, but not in another thread', () => {
    const usage = (input: number, output: number) => ({
      type: 'turn.completed',
      usage: {input_tokens: input, cached_input_tokens: 10, output_tokens: output},
    })
    const tokens = read(
      {type: 'thread.started', thread_id: 'a'},
      usage(100, 5),
      {type: 'thread.started', thread_id: 'a'},
      usage(250, 9),
      {type: 'thread.started', thread_id: 'b'},
      usage(50, 1),
    ).flatMap((event) => (event['type'] === 'usage' ? [event['tokens']] : []))
    expect(tokens).toEqual([
      {input: 90, output: 5, cacheRead: 10, cacheWrite: 0},
      {input: 150, output: 4, cacheRead: 0, cacheWrite: 0},
      {input: 40, output: 1, cacheRead: 10, cacheWrite: 0},
    ])
  })

  it('restarts its token counts when they decrease', () => {
    const usage = (fields: Plain) => ({type: 'turn.completed', usage: fields})
    const tokens = read(
      {type: 'thread.started', thread_id: 'a'},
      usage({input_tokens: 100, output_tokens: 9}),
      usage({input_tokens: 40, output_tokens: 4}),
      usage({input_tokens: 50, output_tokens: 7, reasoning_output_tokens: 2}),
    ).flatMap((event) => (event['type'] === 'usage' ? [event['tokens']] : []))
    expect(tokens).toEqual([
      {input: 100, output: 9, cacheRead: 0, cacheWrite: 0},
      {input: 40, output: 4, cacheRead: 0, cacheWrite: 0},
      {input: 10, output: 3, cacheRead: 0, cacheWrite: 0, reasoning: 2},
    ])
  })

  it('may use ids of items again when it continues', () => {
    const start = {type: 'thread.started', thread_id: 'a'}
    const item = {id: 'item_0', type: 'command_execution', command: 'ls', aggregated_output: ''}
    const done = {type: 'item.completed', item: {...item, exit_code: 0, status: 'completed'}}
    expect(read(start, done, start, done).map(({type}) => type)).toEqual([
      'session-start',
      'tool-start',
      'tool-end',
      'session-start',
      'tool-start',
      'tool-end',
    ])
  })

  it.each([
    [
      String.raw`/bin/bash -lc "printf 'a\\n' > \"b\" && echo \$HOME"`,
      String.raw`printf 'a\n' > "b" && echo $HOME`,
    ],
    [String.raw`bash -lc 'echo it'\''s'`, "echo it's"],
    ['bash -lc ls', 'ls'],
    ["zsh -c 'ls -l'", 'ls -l'],
    ['ls "a b"', 'ls "a b"'],
  ])('shows the command in %s without the quotes of the shell', (command, summary) => {
    const item = {id: 'item_0', type: 'command_execution', command}
    expect(read({type: 'item.started', item})[0]).toMatchObject({summary})
  })

  it('has no turn end when it was interrupted, and its command is unfinished', () => {
    expect(readCapture('0.166.0/sigint_during_command')).toEqual([
      {type: 'session-start', sessionId: '01a1dd0c-5e27-7382-9342-34e9361c350b'},
      {
        type: 'tool-start',
        toolId: 'item_0',
        name: 'command_execution',
        tool: 'Bash',
        input: {command: "/bin/bash -lc 'echo begin; sleep 30; echo end'"},
        summary: 'echo begin; sleep 30; echo end',
      },
      {
        type: 'tool-end',
        toolId: 'item_0',
        ok: false,
        output: '',
        outputLength: 0,
        error: 'unfinished when the stream ended',
        unfinished: true,
      },
    ])
  })
})

describe('an error', () => {
  it('is a retry while the turn continues, and ends the turn only with turn.failed', () => {
    expect(readCapture('0.166.0/error_500_retries').slice(1)).toEqual([
      {
        type: 'status',
        status: 'api-retry',
        detail: 'We’re currently experiencing high demand, which may cause temporary errors.',
        attempt: 1,
        of: 2,
      },
      {
        type: 'status',
        status: 'api-retry',
        detail: 'We’re currently experiencing high demand, which may cause temporary errors.',
        attempt: 2,
        of: 2,
      },
      {
        type: 'status',
        status: 'warning',
        detail: 'We’re currently experiencing high demand, which may cause temporary errors.',
      },
      {
        type: 'turn-end',
        ok: false,
        text: '',
        errors: ['We’re currently experiencing high demand, which may cause temporary errors.'],
      },
    ])
  })

  it('is a retry without a count when the network fails', () => {
    expect(readCapture('0.166.0/error_connection_refused').at(-1)).toEqual({
      type: 'status',
      status: 'api-retry',
      detail: 'Reconnecting... waiting for network (Connection failed: error sending request)',
    })
  })

  it('has the message of a JSON response of the API', () => {
    expect(readCapture('0.166.0/error_400').slice(1)).toEqual([
      {type: 'status', status: 'warning', detail: 'Unsupported parameter: mock'},
      {type: 'turn-end', ok: false, text: '', errors: ['Unsupported parameter: mock']},
    ])
  })

  it('is a rate limit that blocks when the allowance is used up', () => {
    expect(readCapture('0.166.0/error_429_quota')[1]).toEqual({
      type: 'status',
      status: 'rate-limit',
      detail: 'Quota exceeded. Check your plan and billing details.',
      isBlocking: true,
    })
  })

  it('is a rate limit with the used share when it is about the rest of the allowance', () => {
    const message = 'Heads up, you have less than 25% of your 5h limit left.'
    expect(read(complete({id: 'item_0', type: 'error', message}))).toEqual([
      {type: 'status', status: 'rate-limit', detail: message, isBlocking: false, usedShare: 0.75},
    ])
  })

  it('is the end of a compaction when it is about several compactions', () => {
    const message = 'Heads up: Long threads and multiple compactions can cause errors.'
    expect(read(complete({id: 'item_0', type: 'error', message}))).toEqual([
      {type: 'status', status: 'compacting', phase: 'end', detail: message},
    ])
  })

  test.each([
    ['in words', {message: 'No network'}, 'No network'],
    ['as text', 'No network', 'No network'],
    ['as JSON without a message', {message: '{"code":500}'}, '{"code":500}'],
    ['without a word', {message: ''}, 'no reason given'],
    ['not at all', undefined, 'no reason given'],
  ])('is the reason of a failed turn %s', (_, error, reason) => {
    expect(read({type: 'turn.failed', error})).toEqual([
      {type: 'turn-end', ok: false, text: '', errors: [reason]},
    ])
  })

  it('in an item is reported when the item is complete', () => {
    const item = {id: 'item_0', type: 'error', message: 'Half'}
    expect(read({type: 'item.started', item}, {type: 'item.updated', item})).toEqual([])
  })

  it('in an item is a warning, even before the turn', () => {
    const warn = (message: string) => complete({id: 'item_0', type: 'error', message})
    expect(
      read(
        warn('Model metadata for `x` not found.'),
        warn('model rerouted: gpt-6 -> gpt-5 (HighRiskCyberActivity)'),
      ),
    ).toEqual([
      {type: 'status', status: 'warning', detail: 'Model metadata for `x` not found.'},
      {
        type: 'status',
        status: 'model-fallback',
        detail: 'model rerouted: gpt-6 -> gpt-5 (HighRiskCyberActivity)',
        model: 'gpt-5',
      },
    ])
  })
})

describe('a command', () => {
  it('has its exit code, and its output as the error, when it failed', () => {
    expect(readCapture('0.166.0/shell_fail')[2]).toEqual({
      type: 'tool-end',
      toolId: 'item_0',
      ok: false,
      output: 'cat: does-not-exist.txt: No such file or directory\n',
      outputLength: 51,
      error: 'cat: does-not-exist.txt: No such file or directory',
      exitCode: 3,
    })
  })

  it('is denied when it was declined', () => {
    const item = {id: 'item_0', type: 'command_execution', command: 'rm x', aggregated_output: ''}
    expect(
      read(
        {type: 'item.started', item: {...item, exit_code: null, status: 'in_progress'}},
        complete({...item, exit_code: null, status: 'declined'}),
      ).slice(1),
    ).toEqual([
      {
        type: 'permission-denied',
        toolId: 'item_0',
        name: 'command_execution',
        input: {command: 'rm x'},
        reason: 'declined',
      },
      {
        type: 'tool-end',
        toolId: 'item_0',
        ok: false,
        output: '',
        outputLength: 0,
        error: 'declined',
        denied: true,
      },
    ])
  })

  it('is unfinished when it runs after the turn', () => {
    expect(readCapture('0.166.0/shell_background').map(({type}) => type)).toEqual([
      'session-start',
      'tool-start',
      'text',
      'usage',
      'turn-end',
      'tool-end',
    ])
    const item = {id: 'item_0', type: 'command_execution', command: 'x', status: 'in_progress'}
    expect(read(complete(item)).at(-1)?.['error']).toBe('unfinished when the stream ended')
  })

  it('may end after one that started later', () => {
    const item = (id: string, status: string) => ({id, type: 'command_execution', status})
    const events = read(
      {type: 'item.started', item: item('item_0', 'in_progress')},
      {type: 'item.started', item: item('item_1', 'in_progress')},
      complete({...item('item_1', 'failed'), exit_code: 1}),
      complete({...item('item_0', 'completed'), exit_code: 0}),
    )
    expect(events.map(({type, toolId, ok}) => [type, toolId, ok])).toEqual([
      ['tool-start', 'item_0', undefined],
      ['tool-start', 'item_1', undefined],
      ['tool-end', 'item_1', false],
      ['tool-end', 'item_0', true],
    ])
  })
})

describe('a patch', () => {
  it('changes files when it was applied', () => {
    const changes = readCapture('0.166.0/apply_patch').filter(({type}) => type === 'file-change')
    expect(changes.map(({path, action, toolId}) => [path, action, toolId])).toEqual([
      ['/home/dev/project/docs/new file.md', 'created', 'item_0'],
      ['/home/dev/project/gone.txt', 'deleted', 'item_0'],
      ['/home/dev/project/keep.txt', 'modified', 'item_0'],
      ['/home/dev/project/src/app.js', 'modified', 'item_0'],
    ])
  })

  it('has no file changes when it failed', () => {
    expect(readCapture('0.166.0/apply_patch_status_failed').slice(2, 4)).toEqual([
      {type: 'tool-end', toolId: 'item_0', ok: false, output: '', outputLength: 0, error: 'failed'},
      {type: 'text', text: 'The patch failed half way.', messageId: 'item_1'},
    ])
  })
})

describe('an MCP tool', () => {
  it('has its arguments as input and its text as output', () => {
    expect(readCapture('0.166.0/mcp_ok').slice(1, 3)).toEqual([
      {
        type: 'tool-start',
        toolId: 'item_0',
        name: 'lab/echo',
        tool: 'Mcp',
        input: {message: 'héllo'},
        summary: 'héllo',
      },
      {type: 'tool-end', toolId: 'item_0', ok: true, output: 'echo: héllo', outputLength: 11},
    ])
  })

  it('fails with its own message or with that of the protocol', () => {
    expect(readCapture('0.166.0/mcp_tool_error')[2]).toEqual({
      type: 'tool-end',
      toolId: 'item_0',
      ok: false,
      output: 'boom: deliberate failure',
      outputLength: 24,
      error: 'boom: deliberate failure',
    })
    expect(readCapture('0.166.0/mcp_rpc_error')[2]).toEqual({
      type: 'tool-end',
      toolId: 'item_0',
      ok: false,
      output: '',
      outputLength: 0,
      error:
        'tool call error: tool call failed for `lab/rpcfail`\n\nCaused by:\n    Mcp error: -32000: rpc level failure',
    })
  })
})

describe('a search', () => {
  const started =
    '{"type":"item.started","item":{"id":"item_0","type":"web_search","id":"ws_1","query":"","action":{"type":"other"}}}'
  const completed =
    '{"type":"item.completed","item":{"id":"item_0","type":"web_search","id":"ws_1","query":"rust","action":{"type":"search","query":"rust"}}}'

  it('is reported with its query, by the second of its two ids', () => {
    expect(readLines(started, completed)).toEqual([
      {
        type: 'tool-start',
        toolId: 'ws_1',
        name: 'web_search',
        tool: 'WebSearch',
        input: {query: 'rust', action: {type: 'search', query: 'rust'}},
        summary: 'rust',
      },
      {type: 'tool-end', toolId: 'ws_1', ok: true, output: '', outputLength: 0},
    ])
  })

  it('has its results as output, if they are reported', () => {
    const results = [
      {title: 'Rust', url: 'https://rust.example', snippet: 'A language'},
      {text: 'Oxide'},
      {score: 1},
    ]
    const item = {id: 'ws_1', type: 'web_search', query: 'rust', results}
    const output = 'Rust\nhttps://rust.example\nA language\n\nOxide\n\n{"score":1}'
    expect(read(complete(item)).at(-1)).toEqual({
      type: 'tool-end',
      toolId: 'ws_1',
      ok: true,
      output,
      outputLength: output.length,
    })
  })

  it('is reported without its query when the stream ends first', () => {
    expect(readLines(started).map(({type, toolId}) => [type, toolId])).toEqual([
      ['tool-start', 'ws_1'],
      ['tool-end', 'ws_1'],
    ])
  })
})

describe('a sub-agent', () => {
  const call = {type: 'collab_tool_call', sender_thread_id: 'a', receiver_thread_ids: ['b']}

  it('is a task from its call until its end is reported', () => {
    const events = read(
      {
        type: 'item.started',
        item: {
          ...call,
          id: 'item_0',
          tool: 'spawn_agent',
          receiver_thread_ids: [],
          prompt: 'Count',
          agents_states: {},
          status: 'in_progress',
        },
      },
      complete({
        ...call,
        id: 'item_0',
        tool: 'spawn_agent',
        prompt: 'Count',
        agents_states: {b: {status: 'pending_init', message: null}},
        status: 'completed',
      }),
      complete({
        ...call,
        id: 'item_1',
        tool: 'wait',
        prompt: null,
        agents_states: {b: {status: 'completed', message: 'Seven.'}},
        status: 'completed',
      }),
    )
    expect(events).toEqual([
      {
        type: 'tool-start',
        toolId: 'item_0',
        name: 'spawn_agent',
        tool: 'Task',
        input: {prompt: 'Count', receiver_thread_ids: []},
        summary: 'Count',
      },
      {type: 'tool-end', toolId: 'item_0', ok: true, output: 'pending_init', outputLength: 12},
      {type: 'task-start', taskId: 'b', toolId: 'item_0', description: 'Count'},
      {
        type: 'tool-start',
        toolId: 'item_1',
        name: 'wait',
        tool: 'Task',
        input: {prompt: null, receiver_thread_ids: ['b']},
        summary: '',
      },
      {type: 'tool-end', toolId: 'item_1', ok: true, output: 'Seven.', outputLength: 6},
      {type: 'task-end', taskId: 'b', toolId: 'item_0', description: 'Count', ok: true},
    ])
  })

  it('continues when it gets input, until it is closed', () => {
    const item = (id: string, tool: string, status: string) =>
      complete({
        ...call,
        id,
        tool,
        prompt: tool === 'send_input' ? 'More' : null,
        agents_states: {b: {status, message: null}},
        status: 'completed',
      })
    const events = read(
      item('item_0', 'send_input', 'completed'),
      item('item_1', 'close_agent', 'running'),
    )
    expect(events.filter(({type}) => type === 'task-start' || type === 'task-end')).toEqual([
      {type: 'task-start', taskId: 'b', toolId: 'item_0', description: 'More'},
      {type: 'task-end', taskId: 'b', toolId: 'item_0', description: 'More'},
    ])
  })

  const collab = (tool: string, fields: Plain) =>
    complete({...call, id: `item_${tool}`, tool, prompt: null, status: 'completed', ...fields})
  const tasks = (...records: Plain[]) =>
    read(...records).filter(({type}) => type === 'task-start' || type === 'task-end')
  const spawned = {
    type: 'task-start',
    taskId: 'b',
    toolId: 'item_spawn_agent',
    description: 'Count',
  }
  const spawn = collab('spawn_agent', {prompt: 'Count', agents_states: {}})

  test.each([
    ['completed', true],
    ['errored', false],
    ['interrupted', false],
    ['not_found', false],
    ['shutdown', undefined],
    ['running', undefined],
  ])('ends with its last state when it is closed: %s', (status, ok) => {
    const close = collab('close_agent', {agents_states: {b: {status, message: null}}})
    expect(tasks(spawn, close, close)).toEqual([spawned, {...spawned, type: 'task-end', ok}])
  })

  it('does not start again when it gets input while it runs', () => {
    const send = collab('send_input', {prompt: 'More', agents_states: {}})
    expect(tasks(spawn, send)).toEqual([spawned])
  })

  test.each([
    ['it is still running', 'wait', {agents_states: {b: {status: 'running', message: null}}}],
    ['its state has no status', 'wait', {agents_states: {b: {}}}],
    ['no state is reported', 'wait', {agents_states: null}],
    ['another one has ended', 'wait', {agents_states: {c: {status: 'completed', message: ''}}}],
    ['no agent is closed', 'close_agent', {receiver_thread_ids: null}],
    ['the tool is a new one', 'rename_agent', {agents_states: {b: {status: 'completed'}}}],
  ])('is running while %s', (_, tool, fields) => {
    expect(tasks(spawn, collab(tool, fields))).toEqual([spawned])
  })

  it('may be started without a prompt', () => {
    expect(tasks(collab('spawn_agent', {agents_states: {}}))).toEqual([
      {...spawned, description: ''},
    ])
  })

  it('has its final message as output, or else its state', () => {
    const states = {
      b: {status: 'completed', message: 'Seven.'},
      c: {status: 'running', message: null},
      d: {status: 'errored', message: ''},
      e: {},
      f: 'odd',
    }
    const output = 'Seven.\nrunning\nerrored'
    expect(read(collab('wait', {agents_states: states}))[1]).toEqual({
      type: 'tool-end',
      toolId: 'item_wait',
      ok: true,
      output,
      outputLength: output.length,
    })
  })

  it('is a failed call when it could not be started', () => {
    const item = {...call, id: 'item_0', tool: 'spawn_agent', prompt: 'x', agents_states: {}}
    expect(read(complete({...item, status: 'failed'})).map(({type, ok}) => [type, ok])).toEqual([
      ['tool-start', undefined],
      ['tool-end', false],
    ])
  })
})

describe('a to-do list', () => {
  it('is reported when it changes, and not again at the end of the turn', () => {
    const plans = readCapture('0.166.0/todo').filter(({type}) => type === 'plan')
    expect(plans.length).toBe(3)
    expect(plans[1]).toEqual({
      type: 'plan',
      items: [
        {text: 'Read code', status: 'completed'},
        {text: 'Write fix ✏️', status: 'pending'},
        {text: 'Run tests', status: 'pending'},
      ],
    })
  })
})

type Plain = Record<string, unknown>

function complete(item: Plain): Plain {
  return {type: 'item.completed', item}
}

function read(...records: Plain[]): Plain[] {
  return readLines(...records.map((record) => JSON.stringify(record)))
}

function readLines(...lines: string[]): Plain[] {
  const parser = createEventParser(codex, {now: () => 0})
  return [...lines.flatMap((line) => parser.parse(line)), ...parser.end()].map(strip)
}

function readCapture(name: string): Plain[] {
  const decoder = createEventDecoder(codex, {now: () => 0})
  const bytes = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url))
  const events = [...decoder.push(bytes), ...decoder.end()]
  expect(decoder.drift()).toEqual([])
  return events.map(strip)
}

function strip({line: _line, at: _at, agent: _agent, ...rest}: AgentEvent): Plain {
  return rest
}
