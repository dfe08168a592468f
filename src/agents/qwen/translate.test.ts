import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {qwen} from './index.ts'

function read(...records: unknown[]): Record<string, unknown>[] {
  return readLines(records.map((record) => JSON.stringify(record)))
}

function readCapture(name: string): Record<string, unknown>[] {
  const text = readFileSync(new URL(`fixtures/0.24.4/${name}.jsonl`, import.meta.url), 'utf8')
  return readLines(text.split('\n'))
}

function readLines(lines: string[]): Record<string, unknown>[] {
  const parser = createEventParser(qwen, {now: () => 0})
  const events = [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
  return events.map(
    ({line: _line, at: _at, agent: _agent, ...event}) =>
      JSON.parse(JSON.stringify(event)) as Record<string, unknown>,
  )
}

const system = (subtype: string, data: unknown) => ({type: 'system', subtype, data})
const call = (name: string, input: unknown) => ({
  type: 'assistant',
  message: {role: 'assistant', content: [{type: 'tool_use', id: 't', name, input}]},
})
const answer = (content: string, is_error = false) => ({
  type: 'user',
  message: {role: 'user', content: [{type: 'tool_result', tool_use_id: 't', content, is_error}]},
})

test('deltas and full lines have different ids, and are emitted once', () => {
  const texts = readCapture('text_partial').filter(({type}) =>
    /^(?:text|thinking)/.test(String(type)),
  )
  expect(texts.map(({type, text}) => [type, text])).toEqual([
    ['thinking-delta', 'Considering.'],
    ['text-delta', 'Hello in pieces.'],
    ['text-delta', 'Done.'],
  ])
})

test('a goal record is known and emits no event', () => {
  expect(read({type: 'stream_event', event: {type: 'goal_state', goal_state: {}}})).toEqual([])
})

describe('a command', () => {
  const report = (code: number, output: string) =>
    `Command: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`

  test('has a report with its exit code when it failed', () => {
    expect(readCapture('shell_fail')[2]).toEqual({
      type: 'tool-end',
      toolId: 'call_000003',
      ok: false,
      output: '',
      outputLength: 0,
      exitCode: 3,
      error: 'exit code 3',
    })
    expect(read(call('run_shell_command', {}), answer(report(2, 'a\nb'), true))[1]).toMatchObject({
      exitCode: 2,
      output: 'a\nb',
      error: 'a\nb',
    })
  })

  test('has the exit code at the end of its report, for any output before it', () => {
    const texts = 'x\nExit Code: 7\nSignal: (none)\ny'
    expect(read(call('run_shell_command', {}), answer(report(0, texts)))[1]).toMatchObject({
      ok: true,
      exitCode: 0,
      output: texts,
    })
  })

  test('keeps output that looks like a report', () => {
    const texts = 'Exit Code: 3\n'
    expect(read(call('run_shell_command', {}), answer(texts))[1]).toMatchObject({
      ok: true,
      output: texts,
    })
  })

  test('reports how long it has been running', () => {
    const progress = {
      type: 'tool_progress',
      tool_use_id: 't',
      content: {type: 'shell_progress', elapsedMs: 900},
    }
    expect(read(call('run_shell_command', {}), {type: 'stream_event', event: progress})[1]).toEqual(
      {
        type: 'tool-update',
        toolId: 't',
        elapsedMs: 900,
      },
    )
    expect(read({type: 'stream_event', event: {type: 'tool_progress'}})).toEqual([])
  })
})

describe('a file', () => {
  test.each([
    [
      'write_file',
      {file_path: 'a', content: 'x\n'},
      'Successfully created and wrote to new file: a.',
      {action: 'created', added: 1},
    ],
    [
      'write_file',
      {file_path: 'a', content: 'x\n'},
      'Successfully overwrote file: a.',
      {action: 'modified', added: 1},
    ],
    [
      'edit',
      {file_path: 'a', old_string: 'x'},
      'The file: a has been updated.',
      {action: 'modified'},
    ],
    ['edit', {file_path: 'a', old_string: ''}, 'Created new file: a', {action: 'created'}],
    ['notebook_edit', {notebook_path: 'a'}, 'ok', {action: 'modified'}],
  ])('changes by %s %j', (name, input, output, change) => {
    expect(read(call(name, input), answer(output))[1]).toEqual({
      type: 'file-change',
      path: 'a',
      toolId: 't',
      ...change,
    })
  })

  test('is unchanged when it is read', () => {
    expect(read(call('read_file', {file_path: 'a'}), answer('x'))).toHaveLength(2)
  })
})

test('a denial is reported before the end of its tool', () => {
  expect(readCapture('denied_default_mode').slice(2, 4)).toMatchObject([
    {type: 'permission-denied', toolId: 'call_00000a', name: 'run_shell_command'},
    {type: 'tool-end', ok: false, denied: true},
  ])
})

test('a denial by the user is reported too', () => {
  const request = {subtype: 'can_use_tool', tool_name: 'edit', tool_use_id: 't', input: {}}
  const rejected = answer('[Operation Cancelled] Reason: Not that', true)
  const events = read(
    call('edit', {}),
    {type: 'control_request', request_id: 'r', request},
    rejected,
  )
  expect(events.slice(2)).toMatchObject([{type: 'permission-denied'}, {denied: true}])
  expect(read(call('edit', {}), rejected)[1]).not.toHaveProperty('denied')
})

test('an interruption is reported before its failure', () => {
  const response = {subtype: 'success', request_id: 'i', response: {subtype: 'interrupt'}}
  expect(read({type: 'control_response', response})).toMatchObject([
    {type: 'status', status: 'interrupted'},
  ])
  expect(read({type: 'control_response', response: {response: {subtype: 'initialize'}}})).toEqual(
    [],
  )
})

test('usage is printed for the process, and reported for the turn', () => {
  const result = (input_tokens: number, output_tokens: number) => ({
    type: 'result',
    usage: {input_tokens, output_tokens, cache_read_input_tokens: 10},
  })
  const used = read(result(151, 5), result(303, 9), result(20, 1)).flatMap((event) =>
    event['type'] === 'usage' ? [event['tokens']] : [],
  )
  expect(used).toEqual([
    {input: 141, output: 5, cacheRead: 10, cacheWrite: 0},
    {input: 152, output: 4, cacheRead: 0, cacheWrite: 0},
    {input: 10, output: 1, cacheRead: 10, cacheWrite: 0},
  ])
})

test('tokens read from a cache are counted once', () => {
  const usage = {input_tokens: 1000, output_tokens: 40, cache_read_input_tokens: 200}
  const [used] = read({type: 'result', usage: {...usage, total_tokens: 1040}})
  expect(used).toEqual({
    type: 'usage',
    tokens: {input: 800, output: 40, cacheRead: 200, cacheWrite: 0},
  })
})

test('a permission request is reported', () => {
  const request = {subtype: 'can_use_tool', tool_name: 'edit', tool_use_id: 't', input: {a: 1}}
  expect(read({type: 'control_request', request_id: 'r', request})).toEqual([
    {type: 'permission-request', requestId: 'r', toolId: 't', name: 'edit', input: {a: 1}},
  ])
})

test('a sub-agent in the background is a task, and may run longer than the turn', () => {
  expect(readCapture('subagent').filter(({type}) => String(type).startsWith('task'))).toMatchObject(
    [
      {type: 'task-start', toolId: 'call_000008', description: 'Count files'},
      {type: 'task-end', toolId: 'call_000008', ok: true},
    ],
  )
  const started = system('task_started', {task_id: 'm', description: 'watch'})
  const seen = system('task_notification', {task_id: 'm', status: 'running'})
  expect(
    read(started, seen, system('task_started', {}), system('task_notification', {})),
  ).toHaveLength(1)
})

test('a run that was stopped for its budget has no turn end', () => {
  expect(readCapture('max_turns').some(({type}) => type === 'turn-end')).toBe(false)
})

test('a failure has its reason', () => {
  expect(readCapture('error_400').at(-1)).toMatchObject({
    ok: false,
    errors: ['[API Error: 400 Unsupported parameter]'],
  })
})

test.each([
  [
    system('retry', {reason: 'retry', attempt: 1, maxRetries: 5}),
    {status: 'api-retry', detail: 'retry', attempt: 1, of: 5},
  ],
  [system('retry', {}), {status: 'api-retry', detail: 'retry'}],
  [system('model_fallback', {toModel: 'b'}), {status: 'model-fallback', detail: 'b', model: 'b'}],
  [system('session_recording_degraded', {message: 'full'}), {status: 'warning', detail: 'full'}],
  [system('vision_bridge', {notice: 'seen'}), {status: 'notice', detail: 'seen'}],
])('the line %j gives a status', (record, event) => {
  expect(read(record)).toEqual([{type: 'status', ...event}])
})

test('an empty notice emits no event', () => {
  expect(read(system('vision_routing', {}))).toEqual([])
})
