import {describe, expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {
  createFacts,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {qwen} from './index.ts'
import {qwenTranscripts} from './transcript.ts'

describeTruth(qwenTranscripts)

const CHATS = 'projects/-home-ada-shop/chats'
const MAIN = `${CHATS}/aaaa.jsonl`
const AGENT = 'projects/-home-ada-shop/subagents/aaaa/agent-general-call_1.jsonl'

/** A file of a session; `other` are files around it. */
function createSource(path = MAIN, other: Record<string, string> = {}): TranscriptSource {
  const file = qwenTranscripts.identify(path)
  if (file === undefined) throw new Error(`${path} is no transcript`)
  return {
    path,
    file,
    readText: (name) => other[name],
    listFiles: () => [],
    query: () => [],
  }
}

function scan(rows: object[], source = createSource(), facts = createFacts()): TranscriptFacts {
  const scanner = qwenTranscripts.createScanner(facts, source)
  for (const record of rows) scanner.read({...record})
  return facts
}

/** The facts after an interruption of reading, in which they were stored. */
function store(facts: TranscriptFacts): TranscriptFacts {
  return JSON.parse(JSON.stringify(facts)) as TranscriptFacts
}

/** The events of rows, each from a file. */
function translate(rows: [TranscriptSource, object][]) {
  let [[source] = [createSource()]] = rows
  const {kindOf, shapes, createTranslator} = qwenTranscripts
  const parser = createEventParser(
    {
      ...qwen,
      kindOf,
      shapes,
      createTranslator: (context) => createTranslator({...context, source: () => source}),
    },
    {now: () => 0},
  )
  const events: AgentEvent[] = []
  for (const [from, record] of rows) {
    source = from
    events.push(...parser.parse(JSON.stringify(record)))
  }
  return [...events, ...parser.end()].map(
    ({line: _line, at: _at, agent: _agent, ...event}) => event,
  )
}

function translateMain(...rows: object[]) {
  return translate(rows.map((record) => [createSource(), record]))
}

let count = 0

function row(type: string, more: object = {}) {
  count++
  return {
    uuid: `u${count}`,
    sessionId: 'aaaa',
    timestamp: '2026-11-16T17:50:01.000Z',
    type,
    cwd: '/home/ada/shop',
    version: '0.24.4',
    ...more,
  }
}

const message = (...parts: object[]) => ({message: {role: 'model', parts}})
const user = (text: string, more: object = {}) => row('user', {...message({text}), ...more})
const call = (id: string, name = 'read_file', args: object = {}) => ({
  functionCall: {id, name, args},
})
const USAGE = {
  promptTokenCount: 100,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  totalTokenCount: 115,
  cachedContentTokenCount: 80,
}
const answer = (...parts: object[]) =>
  row('assistant', {...message(...parts), usageMetadata: USAGE})

function telemetry(name: string, event: object) {
  const uiEvent = {'event.name': `qwen-code.${name}`, model: 'qwen3-max', ...event}
  return row('system', {subtype: 'ui_telemetry', systemPayload: {uiEvent}})
}

const response = (id: string, more: object = {}) =>
  telemetry('api_response', {
    response_id: id,
    input_token_count: 100,
    output_token_count: 15,
    thoughts_token_count: 5,
    cached_content_token_count: 80,
    total_token_count: 115,
    ...more,
  })

const result = (id: string, reply: object, toolCallResult: object = {}) =>
  row('tool_result', {
    ...message({functionResponse: {id, name: 'read_file', response: reply}}),
    toolCallResult: {callId: id, ...toolCallResult},
  })

function endOf(start: object, reply: object, recorded: object = {}) {
  return translateMain(answer(start), result('t1', reply, recorded)).find(
    ({type}) => type === 'tool-end',
  )
}

test('finds sessions below the folders that the environment names', () => {
  const {roots} = qwenTranscripts
  expect(roots({home: '/home/ada', env: {}})).toEqual(['/home/ada/.qwen'])
  expect(roots({home: '/home/ada', env: {QWEN_HOME: ''}})).toEqual(['/home/ada/.qwen'])
  const env = {QWEN_HOME: '~/q', QWEN_RUNTIME_DIR: '/data'}
  expect(roots({home: '/home/ada', env})).toEqual(['/data', '/home/ada/q'])
})

test('identifies sessions and sub-agents, and no other files', () => {
  const {identify, hasTranscripts} = qwenTranscripts
  expect(identify(MAIN)).toEqual({storage: 'lines', sessionId: 'aaaa'})
  expect(identify(`${CHATS}/archive/aaaa.jsonl`)).toEqual({storage: 'lines', sessionId: 'aaaa'})
  expect(identify(AGENT)).toEqual({
    storage: 'lines',
    sessionId: 'aaaa',
    subAgentId: 'general-call_1',
  })
  expect(identify('tmp/h/chats/session-1-a.json')).toEqual({storage: 'document'})
  for (const path of [
    'usage_record.jsonl',
    'todos/aaaa.json',
    'usage/token-usage-2026-11.jsonl',
    'tmp/h/logs.json',
    `${AGENT}.stream`,
    AGENT.replace('.jsonl', '.meta.json'),
  ])
    expect(identify(path)).toBeUndefined()
  for (const folder of ['projects', 'projects/p', CHATS, `${CHATS}/archive`, 'tmp/h/chats'])
    expect(hasTranscripts(folder)).toBe(true)
  for (const folder of ['todos', 'projects/p/memory', `${CHATS}/x`, 'tmp/h/shell'])
    expect(hasTranscripts(folder)).toBe(false)
})

test('counts the recorded requests, and not the answers that repeat them', () => {
  const {requests} = scan([
    response('r1'),
    answer({text: 'Read'}, call('t1')),
    telemetry('tool_call', {call_id: 't1', response_id: 'r1'}),
    response('r1'),
  ])
  expect(requests).toMatchObject([
    {
      key: 'r1',
      model: 'qwen3-max',
      tokens: {input: 20, output: 15, cacheRead: 80, cacheWrite: 0, reasoning: 5},
      toolCount: 1,
    },
  ])
})

test('adds thoughts that the provider counts beside the answer', () => {
  const beside = {output_token_count: 10, total_token_count: 115}
  expect(scan([response('r1', beside)]).requests[0]?.tokens.output).toBe(15)
})

test('counts the answers of versions that record no requests', () => {
  const old = {version: '0.4.0'}
  const rows = [
    user('Hi', old),
    {...answer(call('t1')), ...old},
    {...answer({text: 'Done.'}), ...old},
    // Continued in a version that records them, here after the answer.
    answer(call('t2')),
    response('r1'),
    answer({text: 'Done.'}),
  ]
  const {requests} = scan(rows)
  expect(requests.map(({key, toolCount}) => [key, toolCount])).toEqual([
    [rows[1]?.uuid, 1],
    [rows[2]?.uuid, 0],
    ['r1', 1],
  ])
  expect(translateMain(...rows).filter(({type}) => type === 'usage').length).toBe(3)
  for (let index = 0; index <= rows.length; index++) {
    const stored = store(scan(rows.slice(0, index)))
    expect(scan(rows.slice(index), createSource(), stored).requests).toEqual(requests)
  }
})

test('counts no tool call twice when reading continues with stored facts', () => {
  const ended = telemetry('tool_call', {call_id: 't1', response_id: 'r1'})
  const stored = store(scan([response('r1'), answer(call('t1'))]))
  expect(scan([ended, ended], createSource(), stored).requests[0]?.toolCount).toBe(1)
})

test('reads damaged counts without negative or larger totals', () => {
  const damaged = {
    cached_content_token_count: 'x',
    output_token_count: -4,
    thoughts_token_count: -1,
  }
  expect(scan([response('r1', damaged)]).requests[0]?.tokens).toEqual({
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  })
})

test('begins a fork with its first own row', () => {
  const copied = {forkedFrom: {sessionId: 'bbbb', messageUuid: 'x'}}
  const own = user('Now', {timestamp: '2026-11-16T18:00:00.000Z'})
  expect(scan([user('Hi', copied), {...response('r1'), ...copied}, own])).toMatchObject({
    sessionId: 'aaaa',
    forkedFrom: 'bbbb',
    startedAt: Date.parse('2026-11-16T18:00:00.000Z'),
    requests: [{key: 'r1'}],
  })
})

test('takes the prompt that the user typed, and the title', () => {
  const facts = scan([
    user('A task ended', {subtype: 'notification'}),
    row('user', message({text: '<system-reminder>x</system-reminder>'}, {text: 'Fix it'})),
    row('system', {subtype: 'custom_title', systemPayload: {customTitle: 'Fixing'}}),
  ])
  expect(facts).toMatchObject({prompt: 'Fix it', title: 'Fixing', cwd: '/home/ada/shop'})
  const shown = user('Fix @a.ts and all of it', {systemPayload: {displayText: 'Fix @a.ts'}})
  expect(scan([shown]).prompt).toBe('Fix @a.ts')
})

test('knows whether the agent waits for a prompt', () => {
  const isOver = (...rows: object[]) => scan(rows).isTurnOver
  expect(isOver(user('Hi'))).toBe(false)
  expect(isOver(answer({text: 'Done.'}))).toBe(true)
  expect(isOver(answer({text: 'Read'}, call('t1')))).toBe(false)
  expect(isOver(result('t1', {output: ''}))).toBe(false)
  expect(isOver(result('t1', {error: ''}, {status: 'cancelled'}))).toBe(true)
  expect(isOver(telemetry('api_error', {error_message: 'no'}))).toBe(true)
  expect(isOver(telemetry('api_error', {subagent_id: 'a'}))).toBe(false)
})

describe('a sub-agent', () => {
  const rows = [
    user('Count', {agentId: 'general-call_1', isSidechain: true}),
    {...answer({text: 'I count.'}), isSidechain: true},
    {...row('assistant', message(call('t9', 'run_shell_command'))), isSidechain: true},
  ]

  test('has its requests in the file of its session', () => {
    const facts = scan(rows, createSource(AGENT))
    expect(facts).toMatchObject({sessionId: 'aaaa', parentId: 'aaaa', requests: []})
    expect(facts.prompt).toBeUndefined()
    const {requests} = scan([
      response('r1'),
      answer(call('call_1', 'agent')),
      response('r2', {subagent_id: 'general-call_1'}),
      telemetry('tool_call', {call_id: 't9', response_id: 'r2'}),
      telemetry('tool_call', {call_id: 'call_1', response_id: 'r1'}),
    ])
    expect(requests).toMatchObject([
      {key: 'r1', toolCount: 1},
      {key: 'r2', toolCount: 1, isSubAgent: true},
    ])
  })

  test('is recognised by the id of its prompt in older versions', () => {
    const ids = ['aaaa########0', 'aaaa#general-x#0']
    const {requests} = scan(ids.map((id) => response(id, {prompt_id: id})))
    expect(requests.map(({isSubAgent}) => isSubAgent)).toEqual([undefined, true])
  })

  test.each([
    ['the file about it', {[AGENT.replace('.jsonl', '.meta.json')]: '{"toolUseId":"call_1"}'}],
    ['its id', {}],
  ])('is shown inside the call that started it, by %s', (_name, other) => {
    const source = createSource(AGENT, other)
    const start: [TranscriptSource, object] = [createSource(), answer(call('call_1', 'agent'))]
    const events = translate([
      start,
      ...rows.map((item): [TranscriptSource, object] => [source, item]),
    ])
    const parents = events.flatMap((event) => ('parentToolId' in event ? event.parentToolId : []))
    expect(parents.filter((parent) => parent !== undefined)).toEqual(['call_1', 'call_1'])
    expect(events.filter(({type}) => type === 'usage').length).toBe(1)
  })

  test('fails its call when it fails', () => {
    const resultDisplay = {type: 'task_execution', status: 'failed', terminateReason: 'no quota'}
    const end = endOf(call('t1', 'agent'), {output: 'Failed.'}, {status: 'success', resultDisplay})
    expect(end).toMatchObject({ok: false, error: 'no quota', output: 'Failed.'})
  })
})

test('reads exit codes from the result that was recorded, or from its text', () => {
  const start = call('t1', 'run_shell_command', {command: 'x'})
  const resultDisplay = {type: 'shell_result', exitCode: 2, output: 'no'}
  expect(endOf(start, {error: 'Command: x'}, {status: 'error', resultDisplay})).toMatchObject({
    ok: false,
    exitCode: 2,
    output: 'no',
    error: 'no',
  })
  const text =
    'Command: x\nDirectory: (root)\nOutput: 3\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 5'
  expect(endOf(start, {output: text})).toMatchObject({ok: false, exitCode: 1, output: '3'})
})

test('reads failures, refusals and interruptions of tools', () => {
  const start = call('t1', 'read_file')
  expect(endOf(start, {error: 'File not found'})).toMatchObject({
    ok: false,
    error: 'File not found',
  })
  const refusal = '[Operation Cancelled] Reason: User did not allow tool call'
  expect(endOf(start, {error: refusal}, {status: 'cancelled'})).toMatchObject({denied: true})
  expect(endOf(start, {error: ''}, {status: 'cancelled'})).toMatchObject({unfinished: true})
  const stopped = '[Operation Cancelled] Reason: User intentionally cancelled.'
  expect(endOf(start, {error: stopped})).toMatchObject({unfinished: true})
})

test('counts the lines of a changed file', () => {
  const fileDiff = '--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+y\n+z\n'
  const start = call('t1', 'edit', {file_path: '/a', old_string: 'x', new_string: 'y\nz'})
  const events = translateMain(
    answer(start),
    result('t1', {output: 'ok'}, {resultDisplay: {fileDiff}}),
  )
  expect(events.find(({type}) => type === 'file-change')).toMatchObject({
    path: '/a',
    action: 'modified',
    added: 2,
    removed: 1,
  })
})

test('reports a repeated request as a retry, and the last failure as the end of the turn', () => {
  const failed = (text: string) => telemetry('api_error', {error_message: text})
  const events = translateMain(user('Hi'), failed('busy'), response('r1'), failed('no credit'))
  expect(events.filter(({type}) => type === 'status' || type === 'turn-end')).toMatchObject([
    {detail: 'prompt: Hi'},
    {status: 'api-retry', detail: 'busy'},
    {type: 'turn-end', ok: false, errors: ['no credit']},
  ])
})

test('reports what the program did beside the conversation', () => {
  const system = (subtype: string, systemPayload: object) => row('system', {subtype, systemPayload})
  const events = translateMain(
    system('chat_compression', {info: {originalTokenCount: 9, newTokenCount: 3}}),
    system('slash_command', {phase: 'invocation', rawCommand: '/model x'}),
    system('slash_command', {phase: 'result', rawCommand: '/model x'}),
    system('rewind', {}),
    user('Check the build', {subtype: 'cron'}),
  )
  expect(
    events.flatMap((event) => (event.type === 'status' ? [[event.status, event.detail]] : [])),
  ).toEqual([
    ['compacting', 'compacted, 9 to 3 tokens'],
    ['notice', '/model x'],
    ['notice', 'conversation rewound'],
    ['wake-up', 'Check the build'],
  ])
})

test('reads a document of an older version', () => {
  const path = 'tmp/h/chats/session-2025-10-01T10-00-cccc.json'
  const toolCall = {
    id: 't1',
    name: 'read_file',
    args: {file_path: '/a'},
    status: 'error',
    result: [{functionResponse: {id: 't1', name: 'read_file', response: {error: 'No file'}}}],
  }
  const messages = [
    {id: 'm1', timestamp: '2025-10-01T10:00:00.000Z', type: 'user', content: 'Read it'},
    {
      id: 'm2',
      timestamp: '2025-10-01T10:00:01.000Z',
      type: 'qwen',
      content: 'I read.',
      model: 'qwen3-max',
      thoughts: [{subject: 'Plan', description: 'Read'}],
      tokens: {input: 100, output: 10, cached: 80, thoughts: 5, tool: 0, total: 115},
      toolCalls: [toolCall],
    },
  ]
  const source = createSource(path, {[path]: JSON.stringify({sessionId: 'cccc', messages})})
  const rows = [...(qwenTranscripts.readRecords?.(source) ?? [])]
  expect(scan(rows, source)).toMatchObject({
    sessionId: 'cccc',
    prompt: 'Read it',
    requests: [{key: 'm2', tokens: {input: 20, output: 15, cacheRead: 80}, toolCount: 1}],
  })
  const events = translate(rows.map((item) => [source, item]))
  expect(events.map(({type}) => type)).toEqual([
    'session-start',
    'status',
    'thinking',
    'text',
    'tool-start',
    'tool-end',
    'usage',
  ])
  for (const text of ['', '[]', '{"messages":[3,{}]}'])
    expect(() => [
      ...(qwenTranscripts.readRecords?.(createSource(path, {[path]: text})) ?? []),
    ]).not.toThrow()
})

test('shows a repeated row once', () => {
  const repeated = answer({text: 'Done.'})
  const events = translateMain(response('r1'), repeated, repeated)
  expect(events.filter(({type}) => type === 'text' || type === 'turn-end').length).toBe(2)
})

test('reports unknown rows and fields', () => {
  const events = translateMain(
    row('novel'),
    row('system', {subtype: 'novel'}),
    telemetry('novel', {}),
    row('user', {novel: 1}),
  )
  expect(events.filter(({type}) => type === 'unknown').length).toBe(3)
})
