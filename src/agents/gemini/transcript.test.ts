import {describe, expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {
  createFacts,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {gemini} from './index.ts'
import {geminiTranscripts} from './transcript.ts'

describeTruth(geminiTranscripts)

const AT = Date.parse('2026-11-16T17:50:00.000Z')
const CHATS = 'tmp/project/chats'
const MAIN = `${CHATS}/session-2026-11-16T17-50-11111111.jsonl`

/** A file of a session; `other` are files around it. */
function createSource(path = MAIN, other: Record<string, string> = {}): TranscriptSource {
  const file = geminiTranscripts.identify(path)
  if (file === undefined) throw new Error(`${path} is no transcript`)
  return {
    path,
    file,
    readText: (name) => other[name],
    listFiles: () => [],
    query: () => [],
  }
}

function scan(records: object[], source = createSource(), facts = createFacts()): TranscriptFacts {
  const scanner = geminiTranscripts.createScanner(facts, source)
  for (const record of records) scanner.read({...record})
  return facts
}

/** The events of records, each from a file. */
function translate(records: [TranscriptSource, object][]) {
  let [[source] = [createSource()]] = records
  const {kindOf, shapes, createTranslator} = geminiTranscripts
  const parser = createEventParser(
    {
      ...gemini,
      kindOf,
      shapes,
      createTranslator: (context) => createTranslator({...context, source: () => source}),
    },
    {now: () => AT},
  )
  const events: AgentEvent[] = []
  for (const [from, record] of records) {
    source = from
    events.push(...parser.parse(JSON.stringify(record)))
  }
  return [...events, ...parser.end()].map(
    ({line: _line, at: _at, agent: _agent, ...event}) => event,
  )
}

function translateMain(...records: object[]) {
  return translate(records.map((record) => [createSource(), record]))
}

const HEADER = {
  sessionId: '11111111-aaaa',
  projectHash: 'h',
  startTime: '2026-11-16T17:50:00.000Z',
  lastUpdated: '2026-11-16T17:50:00.000Z',
  kind: 'main',
}
const TOKENS = {input: 100, output: 10, cached: 80, thoughts: 5, tool: 0, total: 115}
const at = (second: number) => `2026-11-16T17:50:0${second}.000Z`
const user = (id: string, text: string) => ({
  id,
  timestamp: at(1),
  type: 'user',
  content: [{text}],
})
const answer = (id: string, more: object = {}) => ({
  id,
  timestamp: at(2),
  type: 'gemini',
  content: 'Done.',
  thoughts: [],
  tokens: TOKENS,
  model: 'gemini-2.5-pro',
  ...more,
})

function shell(id: string, output: string, more: object = {}) {
  return {
    id,
    name: 'run_shell_command',
    args: {command: 'x'},
    status: 'success',
    timestamp: at(3),
    result: [{functionResponse: {id, name: 'run_shell_command', response: {output}}}],
    ...more,
  }
}

function endOf(call: object) {
  return translateMain(answer('g1', {content: '', toolCalls: [call]})).find(
    ({type}) => type === 'tool-end',
  )
}

test('finds sessions below the home folder that the environment names', () => {
  const {roots} = geminiTranscripts
  expect(roots({home: '/home/ada', env: {}})[0]).toBe('/home/ada/.gemini')
  expect(roots({home: '/home/ada', env: {GEMINI_CLI_HOME: ''}})[0]).toBe('/home/ada/.gemini')
  expect(roots({home: '/home/ada', env: {GEMINI_CLI_HOME: '/data'}})[0]).toBe('/data/.gemini')
})

test('identifies sessions and sub-agents, and no other files', () => {
  const {identify, hasTranscripts} = geminiTranscripts
  expect(identify(MAIN)).toEqual({storage: 'lines'})
  expect(identify(MAIN.slice(0, -1))).toEqual({storage: 'document'})
  expect(identify(`${CHATS}/parent/child.jsonl`)).toEqual({
    storage: 'lines',
    sessionId: 'parent',
    subAgentId: 'child',
  })
  for (const path of [
    'tmp/project/logs.json',
    'tmp/project/checkpoint-x.json',
    `${CHATS}/notes.json`,
    `${CHATS}/a/b/c.jsonl`,
    'projects.json',
    'history/session-x.jsonl',
  ])
    expect(identify(path)).toBeUndefined()
  for (const folder of ['tmp', 'tmp/project', CHATS, `${CHATS}/parent`])
    expect(hasTranscripts(folder)).toBe(true)
  for (const folder of ['history', 'tmp/project/tool-outputs', `${CHATS}/a/b`])
    expect(hasTranscripts(folder)).toBe(false)
})

test('counts an answer once, although it is written again with its calls and in patches', () => {
  const calls = {toolCalls: [shell('t1', 'Output: 1'), shell('t2', 'Output: 2')]}
  const {requests} = scan([
    HEADER,
    answer('g1', {content: ''}),
    answer('g1', {content: '', ...calls}),
    {$set: {messages: [answer('g1', {tokens: undefined, content: [{text: 'Done.'}]})]}},
    {$set: {messages: [answer('g1', calls)]}},
  ])
  expect(requests).toEqual([
    {
      key: 'g1',
      at: Date.parse(at(2)),
      model: 'gemini-2.5-pro',
      tokens: {input: 20, output: 15, cacheRead: 80, cacheWrite: 0, reasoning: 5},
      toolCount: 2,
    },
  ])
})

test('counts no tool call twice when reading continues with stored facts', () => {
  const calls = {toolCalls: [shell('t1', 'Output: 1')]}
  const stored = JSON.parse(JSON.stringify(scan([HEADER, answer('g1', calls)]))) as TranscriptFacts
  const {requests} = scan([answer('g1', calls)], createSource(), stored)
  expect(requests.map(({toolCount}) => toolCount)).toEqual([1])
})

test('ignores damaged counts of an answer that is repeated', () => {
  const damaged = answer('g1', {tokens: {...TOKENS, cached: 'many'}})
  const {requests} = scan([answer('g1'), damaged, answer('g2', {tokens: {input: -5, output: -1}})])
  expect(requests.map(({tokens}) => tokens.input)).toEqual([20, 0])
})

test('takes the prompt that the user typed, and not context or commands', () => {
  const facts = scan([
    HEADER,
    {$set: {messages: [user('u0', '<session_context>\nThis is the Gemini CLI.')]}},
    user('u1', '/help'),
    user('u2', "Here is the user's editor context as a JSON object."),
    {...user('u3', 'Fix @a.ts and its content'), displayContent: [{text: 'Fix @a.ts'}]},
    user('u4', 'Later'),
  ])
  expect(facts.prompt).toBe('Fix @a.ts')
})

test('keeps a path at the start of a prompt', () => {
  expect(scan([user('u1', '/src/a.ts is broken')]).prompt).toBe('/src/a.ts is broken')
})

test('reads the folder of a session from the files beside it, or from its context', () => {
  const root = createSource(MAIN, {'tmp/project/.project_root': '/home/ada/shop\n'})
  expect(scan([HEADER], root).cwd).toBe('/home/ada/shop')
  const projects = createSource(MAIN, {'projects.json': '{"projects":{"/home/ada/p":"project"}}'})
  expect(scan([HEADER], projects).cwd).toBe('/home/ada/p')
  const context = '<session_context>\nText\n- **Workspace Directories:**\n  - /home/ada/q\n'
  expect(scan([HEADER, user('u0', context)]).cwd).toBe('/home/ada/q')
})

test('reads an imported session as a copy that began later', () => {
  const origin = `${CHATS}/session-2026-11-16T17-40-22222222.jsonl`
  const info = {
    id: 'import-1',
    timestamp: at(5),
    type: 'info',
    content: `Imported session from /home/ada/.gemini/${origin}`,
  }
  const source = createSource(MAIN, {[origin]: '{"sessionId":"22222222-bbbb"}\n{}'})
  const facts = scan([{...HEADER, startTime: at(5)}, info, user('u1', 'Hi'), answer('g1')], source)
  expect(facts).toMatchObject({
    sessionId: '11111111-aaaa',
    forkedFrom: '22222222-bbbb',
    startedAt: Date.parse(at(5)),
  })
})

test('knows whether the agent waits for a prompt', () => {
  const isOver = (...records: object[]) => scan(records).isTurnOver
  expect(isOver(user('u1', 'Hi'))).toBe(false)
  expect(isOver(answer('g1'))).toBe(true)
  expect(isOver(answer('g1', {toolCalls: [shell('t1', '')]}))).toBe(false)
  expect(isOver(answer('g1', {toolCalls: [shell('t1', '', {status: 'cancelled'})]}))).toBe(true)
  expect(isOver(user('u1', 'Hi'), {id: 'e', type: 'error', content: '[API Error: no]'})).toBe(true)
})

test('reads a document of an older version', () => {
  const path = MAIN.slice(0, -1)
  const messages = [
    {...user('u1', ''), content: 'Count'},
    answer('g1', {
      toolCalls: [shell('t1', 'Command: x\nDirectory: (root)\nOutput: 3\nExit Code: 0')],
    }),
  ]
  const source = createSource(path, {[path]: JSON.stringify({...HEADER, summary: 'Sum', messages})})
  const records = [...(geminiTranscripts.readRecords?.(source) ?? [])]
  expect(scan(records, source)).toMatchObject({
    sessionId: '11111111-aaaa',
    title: 'Sum',
    prompt: 'Count',
    requests: [{key: 'g1', toolCount: 1}],
  })
  const events = translate(records.map((record) => [source, record]))
  expect(events.map(({type}) => type)).toEqual([
    'session-start',
    'status',
    'text',
    'usage',
    'tool-start',
    'tool-end',
  ])
  for (const text of ['', '[]', '{"messages":3}', '{"sess'])
    expect(() => [
      ...(geminiTranscripts.readRecords?.(createSource(path, {[path]: text})) ?? []),
    ]).not.toThrow()
})

test('reads the exit code of a command from the text of its result', () => {
  const wrapped =
    '<untrusted_context>\nOutput: no\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>'
  expect(endOf(shell('t1', wrapped))).toMatchObject({
    ok: false,
    output: 'no',
    error: 'no',
    exitCode: 2,
  })
  const older =
    'Command: x\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 1\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7'
  expect(endOf(shell('t1', older))).toMatchObject({ok: false, output: '', exitCode: 1})
  const killed = 'Output: half\nSignal: SIGKILL\nProcess Group PGID: 7'
  expect(endOf(shell('t1', killed))).toMatchObject({
    ok: false,
    error: 'terminated by signal SIGKILL',
  })
  expect(endOf(shell('t1', 'Output: Exit Code: 1'))).toMatchObject({
    ok: true,
    output: 'Exit Code: 1',
  })
})

test('reads the failures of other tools, refusals, and sub-agents that failed', () => {
  const failed = (error: string, more: object = {}) => ({
    id: 't1',
    name: 'read_file',
    args: {file_path: 'a'},
    status: 'error',
    result: [{functionResponse: {id: 't1', name: 'read_file', response: {error}}}],
    ...more,
  })
  expect(endOf(failed('File not found'))).toMatchObject({ok: false, error: 'File not found'})
  expect(endOf(failed('Tool execution denied by policy.'))).toMatchObject({denied: true})
  const refused = failed('[Operation Cancelled] Reason: User denied execution.', {
    status: 'cancelled',
  })
  expect(endOf(refused)).toMatchObject({ok: false, denied: true})
  const agent = {
    ...shell('t1', "Subagent 'x' failed. Error: no"),
    name: 'invoke_agent',
    resultDisplay: {isSubagentProgress: true, state: 'error'},
  }
  expect(endOf(agent)).toMatchObject({ok: false, error: "Subagent 'x' failed. Error: no"})
})

test('leaves interrupted calls open', () => {
  const cancelled = shell('t1', '', {status: 'cancelled'})
  expect(endOf(cancelled)).toMatchObject({ok: false, unfinished: true})
  const text = 'Command was cancelled by user before it could complete.'
  expect(endOf(shell('t1', text))).toMatchObject({ok: false, unfinished: true})
})

test('reports the call of an answer without text that was never recorded', () => {
  const prompt = user('u2', 'Again')
  const first = answer('g1', {content: ''})
  const events = translateMain(first, first, prompt, answer('g2'))
  const starts = events.filter(({type}) => type === 'tool-start')
  expect(starts).toMatchObject([{name: '(not recorded)'}])
  expect(events.filter(({type}) => type === 'tool-end')).toMatchObject([{unfinished: true}])
  expect(scan([first, prompt, answer('g2')]).requests.map(({toolCount}) => toolCount)).toEqual([
    1, 0,
  ])
})

test('reads a call whose result alone was recorded', () => {
  const {result} = shell('t1', 'Output: 1')
  const events = translateMain(
    answer('g1', {content: ''}),
    {...user('u2', ''), content: result},
    answer('g1', {content: '', toolCalls: [shell('t1', 'Output: 1')]}),
  )
  expect(events.filter(({type}) => type.startsWith('tool-'))).toMatchObject([
    {type: 'tool-start', toolId: 't1', name: 'run_shell_command'},
    {type: 'tool-end', ok: true, output: '1'},
  ])
})

test('shows a resumed conversation once', () => {
  const again = [
    user('u1', 'Hi'),
    {id: 'g1', timestamp: at(4), type: 'gemini', content: [{text: 'Done.'}]},
    {...user('g1_response', ''), content: shell('t1', '').result},
  ]
  const calls = {toolCalls: [shell('t1', 'Output: 1')]}
  const events = translateMain(
    HEADER,
    user('u1', 'Hi'),
    answer('g1'),
    answer('g1', calls),
    answer('g2'),
    {...HEADER, startTime: at(4)},
    {$set: {sessionId: HEADER.sessionId}},
    {$set: {messages: again}},
    user('u2', 'More'),
    answer('g3'),
  )
  const types = events.map(({type}) => type)
  expect(types.filter((type) => type === 'text').length).toBe(3)
  expect(types.filter((type) => type === 'usage').length).toBe(3)
  expect(types.filter((type) => type === 'tool-start').length).toBe(1)
  expect(types.filter((type) => type === 'turn-end').length).toBe(2)
  expect(types).not.toContain('unknown')
})

describe('a sub-agent', () => {
  const child = createSource(`${CHATS}/11111111-aaaa/22222222-bbbb.jsonl`)
  const childRecords: [TranscriptSource, object][] = [
    [child, {...HEADER, sessionId: '22222222-bbbb', kind: 'subagent', directories: ['/home/ada']}],
    [child, user('u9', 'Count')],
    [child, answer('g9', {toolCalls: [shell('t9', 'Output: 2')]})],
  ]
  const call = {
    ...shell('t1', 'Subagent finished.'),
    name: 'invoke_agent',
    agentId: '22222222-bbbb',
  }
  const pending: [TranscriptSource, object] = [createSource(), answer('g1', {content: ''})]
  const done: [TranscriptSource, object] = [
    createSource(),
    answer('g1', {content: '', toolCalls: [call]}),
  ]

  function toolEvents(records: [TranscriptSource, object][]) {
    return translate(records).flatMap((event) =>
      event.type === 'tool-start' || event.type === 'tool-end'
        ? [[event.type, event.toolId, 'parentToolId' in event ? event.parentToolId : undefined]]
        : [],
    )
  }

  test('belongs to the session of its parent', () => {
    const facts = scan(
      childRecords.map(([, record]) => record),
      child,
    )
    expect(facts).toMatchObject({
      sessionId: '11111111-aaaa',
      parentId: '11111111-aaaa',
      cwd: '/home/ada',
    })
    expect(facts.prompt).toBeUndefined()
    expect(facts.requests).toMatchObject([{key: 'g9', isSubAgent: true, toolCount: 1}])
  })

  test('is shown inside the call that started it', () => {
    expect(toolEvents([pending, done, ...childRecords, [createSource(), answer('g2')]])).toEqual([
      ['tool-start', 't1', undefined],
      ['tool-start', 't9', 't1'],
      ['tool-end', 't9', undefined],
      ['tool-end', 't1', undefined],
    ])
  })

  test('is shown inside a call while the call is not recorded', () => {
    expect(toolEvents([pending, ...childRecords, done])).toEqual([
      ['tool-start', '22222222-bbbb', undefined],
      ['tool-start', 't9', '22222222-bbbb'],
      ['tool-end', 't9', undefined],
      ['tool-end', '22222222-bbbb', undefined],
    ])
  })
})

test('reports notices, warnings and errors of the program', () => {
  const notice = (id: string, type: string, content: string) => ({
    id,
    timestamp: at(3),
    type,
    content,
  })
  const events = translateMain(
    user('u1', 'Hi'),
    notice('i1', 'info', 'Request cancelled.'),
    notice('i2', 'info', 'Update available'),
    notice('i3', 'warning', 'Slow'),
    notice('i4', 'error', '[API Error: quota]'),
    {$rewindTo: 'u1'},
    user('u2', '<state_snapshot>All</state_snapshot>'),
    answer('g2', {tokens: null, content: [{text: 'Got it. Thanks for the additional context!'}]}),
  )
  expect(events.map((event) => ('status' in event ? event.status : event.type))).toEqual([
    'notice',
    'interrupted',
    'notice',
    'warning',
    'notice',
    'compacting',
    'turn-end',
  ])
})

test('reports unknown records and fields', () => {
  const unknown = translateMain({type: 'novel', id: 'x'}, {...HEADER, novel: 1}, {novel: 1})
  expect(unknown.filter(({type}) => type === 'unknown').length).toBe(2)
})
