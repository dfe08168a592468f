import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../../core/events/events.ts'
import type {TranscriptSource} from '../../core/events/transcript.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {createSessionParser} from '../../history/session-events.ts'
import {codexTranscripts} from './transcript.ts'

const THREAD = '01a1e584-0000-7000-8000-000000000001'
const CHILD = '01a1e584-9000-7000-8000-000000000002'

function sourceOf(thread: string): TranscriptSource & {close(): void} {
  return {
    path: `sessions/rollout-${thread}.jsonl`,
    file: {storage: 'lines'},
    readText: () => undefined,
    listFiles: () => [],
    query: () => [],
    close() {},
  }
}

const MAIN = sourceOf(THREAD)
const SUB = sourceOf(CHILD)

/** The events of rows; those of a sub-agent are in a list. */
function read(...rows: (JsonObject | JsonObject[])[]): AgentEvent[] {
  const {parse, parser} = createSessionParser(codexTranscripts, MAIN)
  const events = rows.flatMap((item) =>
    (Array.isArray(item) ? item : [item]).flatMap((value) => {
      const source = Array.isArray(item) ? SUB : MAIN
      return parse({raw: JSON.stringify(value), value, at: 0, source})
    }),
  )
  events.push(...parser.end())
  expect(parser.drift()).toEqual([])
  return events
}

/** The events without their common fields. */
function eventsOf(...rows: (JsonObject | JsonObject[])[]): object[] {
  return read(...rows).map((event) =>
    Object.fromEntries(
      Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== undefined),
    ),
  )
}

const COMMON = new Set(['line', 'at', 'agent', 'outputLength'])

function row(type: string, payload: JsonObject): JsonObject {
  return {timestamp: '2026-11-16T18:00:00.000Z', type, payload}
}

const meta = (fields: JsonObject = {}) => row('session_meta', {id: THREAD, ...fields})
const subMeta = () => meta({id: CHILD, parent_thread_id: THREAD})
const event = (type: string, fields: JsonObject = {}) => row('event_msg', {type, ...fields})
const item = (type: string, fields: JsonObject) =>
  event('item_completed', {item: {type, ...fields}})
const response = (type: string, fields: JsonObject) => row('response_item', {type, ...fields})
const call = (name: string, input: JsonObject, fields: JsonObject = {}) =>
  response('function_call', {name, arguments: JSON.stringify(input), call_id: 'c', ...fields})
const patchCall = (input: string) =>
  response('custom_tool_call', {name: 'apply_patch', input, call_id: 'c'})
const output = (text: unknown, call_id = 'c') =>
  response('function_call_output', {output: text, call_id})
const count = (total: number) => {
  const usage = {input_tokens: total, output_tokens: total}
  return event('token_count', {info: {total_token_usage: usage, last_token_usage: usage}})
}

const PATCH = `*** Begin Patch
*** Add File: a.txt
+one
+two
*** Update File: b.txt
*** Move to: c.txt
@@
-old
+new
*** Delete File: d.txt
*** End Patch
+not a part of it`

describe('calls', () => {
  test.each([
    ['exec_command', {cmd: 'ls'}, {}, {name: 'exec_command', tool: 'Bash', summary: 'ls'}],
    ['shell', {command: ['bash', '-lc', 'ls -l']}, {}, {tool: 'Bash', summary: 'ls -l'}],
    ['shell', {command: ['ls', '-a']}, {}, {tool: 'Bash', summary: 'ls -a'}],
    ['update_plan', {plan: []}, {}, {tool: 'Todo'}],
    ['spawn_agent', {message: 'Count'}, {}, {tool: 'Task', summary: 'Count'}],
    ['mcp__docs__search', {query: 'x'}, {}, {name: 'docs/search', tool: 'Mcp', summary: 'x'}],
    ['search', {}, {namespace: 'mcp__docs__'}, {name: 'docs/search', tool: 'Mcp'}],
    ['docs__search', {}, {}, {name: 'docs__search', tool: 'Mcp'}],
    ['request_user_input', {}, {}, {tool: 'Other'}],
  ])('have a common name and a summary: %s', (name, input, fields, expected) => {
    expect(eventsOf(call(name, input, fields))[0]).toMatchObject({type: 'tool-start', ...expected})
  })

  test('keep arguments that are not JSON, and those of other tools', () => {
    const damaged = response('function_call', {name: 'x', arguments: '{', call_id: 'a'})
    const parsed = response('function_call', {name: 'x', arguments: {y: 1}, call_id: 'b'})
    const custom = response('custom_tool_call', {name: 'exec', input: 'code', call_id: 'd'})
    expect(eventsOf(damaged, parsed, custom).slice(0, 3)).toMatchObject([
      {input: '{'},
      {input: {y: 1}},
      {input: {input: 'code'}},
    ])
  })

  test('end at once when the server runs them', () => {
    const search = {action: {type: 'search', query: 'x'}}
    expect(
      eventsOf(
        response('web_search_call', search),
        response('image_generation_call', {id: 'i', status: 'failed', revised_prompt: 'a cat'}),
        response('tool_search_call', {call_id: 's', arguments: {query: 'y'}}),
        response('tool_search_output', {call_id: 's', tools: []}),
        response('local_shell_call', {call_id: 'l', action: {command: ['ls']}}),
      ),
    ).toMatchObject([
      {type: 'tool-start', name: 'web_search', tool: 'WebSearch', summary: 'x'},
      {type: 'tool-end', ok: true},
      {type: 'tool-start', name: 'image_generation', summary: 'a cat'},
      {type: 'tool-end', ok: false, error: 'failed'},
      {type: 'tool-start', name: 'tool_search'},
      {type: 'tool-end', ok: true},
      {type: 'tool-start', name: 'local_shell', tool: 'Bash', summary: 'ls'},
      {type: 'tool-end', unfinished: true},
    ])
  })

  test('are reported when they have no id', () => {
    const {parse} = createSessionParser(codexTranscripts, MAIN)
    const value = response('function_call', {name: 'x'})
    const events = parse({raw: 'x', value, at: 0, source: MAIN})
    expect(events).toMatchObject([{type: 'unknown', reason: 'call without call_id'}])
  })
})

describe('outputs', () => {
  const end = (text: unknown) => eventsOf(call('exec_command', {cmd: 'x'}), output(text))[1]

  test.each([
    ['Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno', 'no', 2],
    ['Exit code: 1\nWall time: 0 seconds\nTotal output lines: 1\nOutput:\nno', 'no', 1],
    [JSON.stringify({output: 'no', metadata: {exit_code: 127}}), 'no', 127],
  ])('have the exit code of a failed command', (text, shown, exitCode) => {
    expect(end(text)).toMatchObject({ok: false, output: shown, error: shown, exitCode})
  })

  test('have an error when a failed command printed nothing', () => {
    expect(end('Exit code: 3\nWall time: 0 seconds\nOutput:\n')).toMatchObject({
      error: 'exit code 3',
    })
  })

  test.each([
    [
      'Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nfailed to x',
      'failed to x',
    ],
    [JSON.stringify({output: 'fine', metadata: {exit_code: 0}}), 'fine'],
    ['{"output":1}', '{"output":1}'],
    [[{type: 'input_text', text: 'seen'}, {type: 'input_image'}], 'seen\n[image]'],
    [{content: 'old', success: true}, 'old'],
    [undefined, ''],
  ])('are shown when the call succeeded', (text, shown) => {
    expect(end(text)).toMatchObject({ok: true, output: shown})
  })

  test('are denials when the user rejected the call', () => {
    expect(
      eventsOf(call('exec_command', {cmd: 'x'}), output('exec command rejected by user')),
    ).toMatchObject([
      {type: 'tool-start'},
      {type: 'permission-denied', toolId: 'c', name: 'exec_command'},
      {type: 'tool-end', ok: false, denied: true},
    ])
  })

  test('are failures when they describe one', () => {
    expect(end('failed to parse function arguments: x')).toMatchObject({ok: false})
  })

  test('have no outcome when the call was interrupted, even if an item follows', () => {
    const late = item('CommandExecution', {
      id: 'c',
      command: ['x'],
      status: 'failed',
      exit_code: -1,
    })
    expect(
      eventsOf(
        call('exec_command', {cmd: 'x'}),
        output('aborted by user after 2.5s'),
        late,
        event('patch_apply_end', {call_id: 'c', success: false}),
      ),
    ).toMatchObject([{type: 'tool-start'}, {type: 'tool-end', unfinished: true}])
  })

  test('are ignored when the call is unknown', () => {
    expect(eventsOf(output('x', 'y'), response('function_call_output', {output: 'x'}))).toEqual([])
  })

  test('give a plan', () => {
    const plan = [{step: 'Read', status: 'in_progress'}]
    expect(eventsOf(call('update_plan', {plan}), output('Plan updated'))[2]).toEqual({
      type: 'plan',
      items: [{text: 'Read', status: 'in-progress'}],
    })
  })
})

describe('patches', () => {
  const changes = [
    {type: 'file-change', path: 'a.txt', action: 'created', toolId: 'c', added: 2, removed: 0},
    {type: 'file-change', path: 'b.txt', action: 'deleted', toolId: 'c'},
    {type: 'file-change', path: 'c.txt', action: 'created', toolId: 'c', added: 1, removed: 1},
    {type: 'file-change', path: 'd.txt', action: 'deleted', toolId: 'c'},
  ]

  test('change the files in their text where there is no event', () => {
    const events = eventsOf(patchCall(PATCH), output('Exit code: 0\nOutput:\nSuccess'))
    expect(events[0]).toMatchObject({tool: 'Edit', summary: 'a.txt, b.txt, c.txt, d.txt'})
    expect(events.slice(1, 5)).toEqual(changes)
  })

  test.each([[['apply_patch', PATCH]], [['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`]]])(
    'are found in the command of a shell',
    (command) => {
      const events = eventsOf(call('shell', {command}), output('ok'))
      expect(events[0]).toMatchObject({name: 'shell', tool: 'Edit'})
      expect(events.slice(1, 5)).toEqual(changes)
    },
  )

  test('are not commands that only contain one', () => {
    const command = ['bash', '-lc', `cat > x <<'EOF'\n${PATCH}\nEOF`]
    expect(eventsOf(call('shell', {command}))[0]).toMatchObject({tool: 'Bash'})
  })

  const files = {
    '/p/a': {type: 'add', content: 'x\n'},
    '/p/b': {update: {unified_diff: '@@\n-x\n+y\n'}},
  }

  test('change the files of their event', () => {
    const done = event('patch_apply_end', {
      call_id: 'c',
      success: true,
      stdout: 'ok',
      changes: files,
    })
    expect(eventsOf(patchCall(PATCH), done, output('ok')).slice(1)).toMatchObject([
      {path: '/p/a', action: 'created', added: 1},
      {path: '/p/b', action: 'modified', added: 1, removed: 1},
      {type: 'tool-end', ok: true, output: 'ok'},
    ])
  })

  test('change nothing when they failed', () => {
    const failed = item('FileChange', {id: 'c', changes: files, status: 'failed', stderr: 'no'})
    expect(eventsOf(patchCall(PATCH), failed).slice(1)).toMatchObject([{ok: false, error: 'no'}])
    const declined = item('FileChange', {id: 'c', changes: files, status: 'declined'})
    expect(eventsOf(declined)).toMatchObject([
      {type: 'tool-start', name: 'apply_patch', input: {paths: ['/p/a', '/p/b']}},
      {type: 'permission-denied'},
      {type: 'tool-end', denied: true},
    ])
    expect(eventsOf(event('patch_apply_end', {}))).toEqual([])
  })
})

describe('items', () => {
  test('end the calls of tools', () => {
    expect(
      eventsOf(
        call('search', {}, {namespace: 'mcp__docs__'}),
        item('McpToolCall', {
          id: 'c',
          server: 'docs',
          tool: 'search',
          status: 'completed',
          result: {content: [{type: 'text', text: 'not found'}], isError: true},
        }),
        item('McpToolCall', {id: 'd', server: 'docs', tool: 'x', error: {message: 'gone'}}),
        item('CommandExecution', {id: 'e', command: 'ls', stdout: 'a', stderr: 'b', exit_code: 0}),
      ),
    ).toMatchObject([
      {type: 'tool-start', name: 'docs/search'},
      {type: 'tool-end', ok: false, error: 'not found'},
      {type: 'tool-start', name: 'docs/x'},
      {type: 'tool-end', ok: false, error: 'gone'},
      {type: 'tool-start', name: 'command_execution', summary: 'ls'},
      {type: 'tool-end', ok: true, output: 'ab'},
    ])
  })

  test('have texts, notices and commands of the user', () => {
    expect(
      eventsOf(
        item('Plan', {id: 'p', text: 'First this'}),
        item('Reasoning', {id: 'r', summary_text: [], raw_content: ['one', 'two']}),
        item('Reasoning', {id: 's', summary_text: 1}),
        item('HookPrompt', {id: 'h', fragments: [{text: 'Be careful', hookRunId: 'x'}]}),
        item('EnteredReviewMode', {id: 'e', user_facing_hint: 'changes'}),
        item('CommandExecution', {id: 'u', command: ['ls'], source: 'user_shell'}),
        item('CommandExecution', {command: ['ls']}),
        item('ContextCompaction', {id: 'x'}),
      ),
    ).toEqual([
      {type: 'text', text: 'First this', messageId: 'p'},
      {type: 'thinking', text: 'one\n\ntwo'},
      {type: 'status', status: 'hook', detail: 'Be careful'},
      {type: 'status', status: 'notice', detail: 'review: changes'},
      {type: 'status', status: 'notice', detail: 'command: ls'},
    ])
  })

  test('are events in older versions', () => {
    const invocation = {server: 'docs', tool: 'search', arguments: {}}
    const result = {Ok: {content: [{type: 'text', text: 'found'}]}}
    expect(
      eventsOf(
        call('docs__search', {}),
        event('mcp_tool_call_end', {call_id: 'c', invocation, result}),
        output('found'),
      ),
    ).toMatchObject([{type: 'tool-start'}, {type: 'tool-end', ok: true, output: 'found'}])
  })
})

describe('sub-agents', () => {
  const text = event('agent_message', {message: 'Done'})

  test('belong to the call that started them, and are tasks until they end', () => {
    const spawned = JSON.stringify({agent_id: CHILD})
    const waited = JSON.stringify({status: {[CHILD]: {completed: 'Two.'}}})
    expect(
      eventsOf(
        call('spawn_agent', {message: 'Count'}),
        [subMeta()],
        output(spawned),
        [text, event('task_complete'), event('user_message', {message: 'Count'})],
        call('wait_agent', {}, {call_id: 'w'}),
        output(waited, 'w'),
      ),
    ).toMatchObject([
      {type: 'tool-start', toolId: 'c'},
      {type: 'tool-end', toolId: 'c'},
      {type: 'task-start', taskId: CHILD, toolId: 'c', description: 'Count'},
      {type: 'text', text: 'Done', parentToolId: 'c'},
      {type: 'tool-start', toolId: 'w'},
      {type: 'tool-end', toolId: 'w'},
      {type: 'task-end', taskId: CHILD, ok: true},
    ])
  })

  test.each([
    ['an item', item('SubAgentActivity', {id: 'c', kind: 'started', agent_thread_id: CHILD})],
    ['an event', event('sub_agent_activity', {event_id: 'c', agent_thread_id: CHILD})],
    [
      'a call',
      item('CollabAgentToolCall', {
        id: 'c',
        tool: 'spawn_agent',
        receiver_thread_ids: [CHILD],
        agents_states: {[CHILD]: 'pending_init'},
      }),
    ],
  ])('are linked by %s', (_, link) => {
    const events = eventsOf(link, [subMeta(), text])
    expect(events.at(-1)).toMatchObject({type: 'text', parentToolId: 'c'})
  })

  test('have no call when nothing links them', () => {
    expect(
      eventsOf(
        call('spawn_agent', {message: 'x'}),
        output('collab spawn failed: no'),
        event('sub_agent_activity', {}),
        call('close_agent', {target: CHILD}, {call_id: 'k'}),
        output('not JSON', 'k'),
        [subMeta(), text],
      ).at(-1),
    ).toEqual({type: 'text', text: 'Done'})
    expect(eventsOf([subMeta(), text])).toEqual([{type: 'text', text: 'Done'}])
  })

  test('have no texts of their own when they review', () => {
    const reviewer = meta({id: CHILD, parent_thread_id: THREAD, source: {subagent: 'review'}})
    expect(eventsOf([reviewer, text])).toEqual([])
  })

  test('count in the usage of the session', () => {
    const usage = {input_tokens: 3, output_tokens: 1}
    const record = row('token_usage_record', {response_id: 'r', usage})
    expect(eventsOf([subMeta(), record], record)).toMatchObject([
      {type: 'usage', tokens: {input: 3, output: 1}},
    ])
  })
})

describe('turns', () => {
  test('have prompts, models and ends', () => {
    const context = (model: string) =>
      row('turn_context', {turn_id: 't', model, cwd: '/p', approval_policy: 'never'})
    const failed = {message: '{"error":{"message":"too long"}}'}
    expect(
      eventsOf(
        meta({cwd: '/p', cli_version: '0.140.0'}),
        event('task_started', {turn_id: 't'}),
        context('one'),
        event('user_message', {message: 'Hello\nthere'}),
        event('agent_reasoning', {text: 'Hm'}),
        event('agent_message', {message: 'Hi'}),
        event('task_complete', {duration_ms: 5}),
        context('one'),
        context('two'),
        event('task_complete', {error: failed}),
        event('task_complete', {error: {message: ''}}),
        event('turn_aborted', {reason: 'interrupted'}),
        event('turn_aborted', {reason: 'review_ended'}),
        event('turn_aborted'),
      ),
    ).toEqual([
      {type: 'session-start', sessionId: THREAD, cwd: '/p', agentVersion: '0.140.0'},
      {type: 'session-start', sessionId: THREAD, model: 'one', cwd: '/p', permissionMode: 'never'},
      {type: 'status', status: 'notice', detail: 'prompt: Hello\nthere'},
      {type: 'thinking', text: 'Hm'},
      {type: 'text', text: 'Hi'},
      {type: 'turn-end', ok: true, text: 'Hi', durationMs: 5},
      {type: 'session-start', sessionId: THREAD, model: 'two', cwd: '/p', permissionMode: 'never'},
      {type: 'turn-end', ok: false, text: 'Hi', errors: ['too long']},
      {type: 'turn-end', ok: false, text: 'Hi', errors: ['no reason given']},
      {type: 'status', status: 'interrupted', detail: 'interrupted'},
      {type: 'status', status: 'interrupted', detail: 'interrupted'},
    ])
  })

  test('end with an answer without a call in versions of 2025', () => {
    const typesOf = (...rows: JsonObject[]) => read(...rows).map(({type}) => type)
    const answer = event('agent_message', {message: 'Hi'})
    expect(typesOf(call('x', {}), output('ok'), count(1), answer, count(2))).toEqual([
      'tool-start',
      'tool-end',
      'usage',
      'text',
      'usage',
      'turn-end',
    ])
    const next = event('user_message', {message: 'More'})
    expect(typesOf(answer, count(1), next).slice(2)).toEqual(['turn-end', 'status'])
  })

  test('end with an answer that is counted before its rows, as in 0.45', () => {
    const endsOf = (...rows: JsonObject[]) => read(...rows).filter(({type}) => type === 'turn-end')
    const prompt = event('user_message', {message: 'Hi'})
    const textRow = response('message', {role: 'assistant', content: []})
    const early = event('agent_message', {message: 'Working'})
    const answer = event('agent_message', {message: 'Done'})
    const first = [meta(), prompt, early, count(1), textRow, call('x', {}), output('ok')]
    const second = [count(2), call('x', {}, {call_id: 'd'}), output('ok', 'd')]
    expect(endsOf(...first)).toEqual([])
    expect(endsOf(...first, count(1), ...second)).toEqual([])
    expect(endsOf(...first, count(1), ...second, answer, count(3), textRow)).toMatchObject([
      {ok: true, text: 'Done'},
    ])
  })

  test('end without a row when an older version continues a thread', () => {
    const ended = [event('task_started', {turn_id: 't'}), event('task_complete')]
    const older = [
      event('user_message', {message: 'Hi'}),
      row('turn_context', {model: 'one'}),
      event('agent_message', {message: 'Done'}),
      count(1),
    ]
    expect(eventsOf(meta(), ...ended, ...older).at(-1)).toMatchObject({
      type: 'turn-end',
      text: 'Done',
    })
  })

  test('have the usage of a request once, also when its total comes before its record', () => {
    const usage = {input_tokens: 3, output_tokens: 3}
    const record = row('token_usage_record', {response_id: 'r', turn_id: 't', usage})
    const answer = event('agent_message', {message: 'Hi'})
    const countUsage = (...rows: JsonObject[]) =>
      read(meta(), event('task_started', {turn_id: 't'}), answer, ...rows).filter(
        ({type}) => type === 'usage',
      ).length
    expect([countUsage(count(3), record), countUsage(record, count(3))]).toEqual([1, 1])
  })

  test('have the status of the session', () => {
    expect(
      eventsOf(
        row('compacted', {message: ''}),
        event('thread_rolled_back', {num_turns: 2}),
        event('entered_review_mode', {user_facing_hint: 'changes'}),
        event('model_reroute', {from_model: 'a', to_model: 'b'}),
        event('stream_error', {message: 'Reconnecting... 1/5 (no network)'}),
        event('warning', {message: 'Careful'}),
        row('world_state', {full: true}),
      ),
    ).toMatchObject([
      {status: 'compacting', phase: 'end'},
      {status: 'notice', detail: 'rolled back, turns: 2'},
      {status: 'notice', detail: 'review: changes'},
      {status: 'model-fallback', model: 'b'},
      {status: 'api-retry', attempt: 1, of: 5},
      {status: 'warning', detail: 'Careful'},
    ])
  })

  test('have no envelope in the first versions', () => {
    expect(
      eventsOf(
        {id: THREAD, timestamp: '2025-07-01T00:00:00.000Z', instructions: null},
        {record_type: 'state'},
        {type: 'message', role: 'user', content: [{type: 'input_text', text: 'Hi'}]},
        {type: 'reasoning', summary: [{type: 'summary_text', text: 'Hm'}]},
        {type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c'},
        {type: 'function_call_output', call_id: 'c', output: 'a'},
        {type: 'message', role: 'assistant', content: [{type: 'output_text', text: 'Hello'}]},
      ).map((shown) => ('type' in shown ? shown.type : '')),
    ).toEqual(['session-start', 'status', 'thinking', 'tool-start', 'tool-end', 'text'])
  })
})

describe('unknown rows', () => {
  test.each([
    ['type', 'a_new_row', row('a_new_row', {})],
    ['block', 'event_msg/a_new_event', event('a_new_event')],
    ['block', 'response_item/a_new_item', response('a_new_item', {})],
    ['block', 'event_msg/item_completed/NewItem', item('NewItem', {id: 'x'})],
    ['type', '(no type)', {}],
  ])('are reported as drift of kind %s: %s', (kind, name, value) => {
    const {parse, parser} = createSessionParser(codexTranscripts, MAIN)
    const events = parse({raw: 'x', value, at: 0, source: MAIN})
    expect(events).toMatchObject([{type: 'unknown', raw: 'x'}])
    expect(parser.drift()).toMatchObject([{kind, name}])
  })
})
