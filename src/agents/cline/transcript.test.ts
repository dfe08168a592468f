import {expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import {createSessionParser} from '../../history/session-events.ts'
import {clineTranscripts} from './transcript.ts'

// Cline does not record how many tokens were reasoning.
describeTruth(clineTranscripts, {hasReasoning: false})

test.each([
  [{}, '/h/.cline/data/sessions'],
  [{CLINE_DIR: '', CLINE_DATA_DIR: ' '}, '/h/.cline/data/sessions'],
  [{CLINE_DIR: '/c'}, '/c/data/sessions'],
  [{CLINE_DIR: '/c', CLINE_DATA_DIR: '/d'}, '/d/sessions'],
  [{CLINE_DATA_DIR: '/d', CLINE_SESSION_DATA_DIR: '/s'}, '/s'],
])('finds the folder of Cline with %j', (env, root) => {
  expect(clineTranscripts.roots({home: '/h', env})).toEqual([root])
})

test.each([
  ['s/s.messages.json', {storage: 'document', sessionId: 's'}],
  ['s/agent_1.messages.json', {storage: 'document', sessionId: 's', subAgentId: 'agent_1'}],
  [
    's/lead__task_1.messages.json',
    {storage: 'document', sessionId: 's', subAgentId: 'lead__task_1'},
  ],
  ['s/s.json', undefined],
  ['s/s.compaction.json', undefined],
  ['s.messages.json', undefined],
])('identifies %s', (path, file) => {
  expect(clineTranscripts.identify(path)).toEqual(file)
})

const ABOUT = {
  session_id: 's',
  started_at: '2026-11-16T17:50:00.000Z',
  cwd: '/p',
  model: 'm',
  metadata: {title: 'T', fork: {forkedFromSessionId: 'o'}},
}

/** The files of the session `s`, read from one of its documents. */
function createSource(files: Readonly<Record<string, unknown>>, name = 's') {
  const path = `s/${name}.messages.json`
  const read = (content: unknown) =>
    typeof content === 'string' || content === undefined ? content : JSON.stringify(content)
  return {
    path,
    file: clineTranscripts.identify(path) ?? ({storage: 'document'} as const),
    readText: (file: string) => read(file === 's/s.json' ? ABOUT : files[file]),
    listFiles: () => [],
    query: () => [],
    close() {},
  }
}

function createDocument(...messages: object[]) {
  return createSource({'s/s.messages.json': {messages}})
}

function scan(source: ReturnType<typeof createSource>): TranscriptFacts {
  const facts = createFacts()
  const scanner = clineTranscripts.createScanner(facts, source)
  for (const record of clineTranscripts.readRecords?.(source) ?? []) scanner.read(record)
  return facts
}

/** The events of documents that are read one after the other, as if the session had grown. */
function translate(...sources: ReturnType<typeof createSource>[]) {
  const parser = createSessionParser(clineTranscripts, sources[0] ?? createDocument())
  const events = sources.map((source) =>
    [...(clineTranscripts.readRecords?.(source) ?? [])].flatMap((value) =>
      parser.parse({value, raw: '', at: 0, source}),
    ),
  )
  return [...events, parser.parser.end()].map((list) =>
    list.map(({line: _line, at: _at, agent: _agent, ...event}) => event),
  )
}

let count = 0
const user = (text: string, more: object = {}) => ({
  id: `u${count++}`,
  role: 'user',
  content: [{type: 'text', text}],
  ts: 1,
  ...more,
})
const answer = (content: object[], more: object = {}) => ({
  id: `a${count++}`,
  role: 'assistant',
  content,
  ts: 2,
  modelInfo: {id: 'm2'},
  metrics: {
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 60,
    cacheWriteTokens: 5,
    cost: 0.5,
  },
  ...more,
})
const call = (id: string, name = 'run_commands', input: object = {commands: ['ls']}) => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const result = (id: string, content: unknown, more: object = {}) => ({
  ...user(''),
  content: [{type: 'tool_result', tool_use_id: id, name: 'run_commands', content, ...more}],
})

test('reads the facts of a session from both of its files', () => {
  expect(scan(createDocument(user('Go'), answer([call('c')])))).toEqual({
    sessionId: 's',
    forkedFrom: 'o',
    title: 'T',
    prompt: 'Go',
    cwd: '/p',
    model: 'm2',
    agentVersion: undefined,
    startedAt: Date.parse('2026-11-16T17:50:00.000Z'),
    endedAt: Date.parse('2026-11-16T17:50:00.000Z'),
    isTurnOver: false,
    requests: [
      {
        key: expect.any(String),
        at: 2,
        model: 'm2',
        tokens: {input: 35, output: 10, cacheRead: 60, cacheWrite: 5},
        costUsd: 0.5,
        isSubAgent: undefined,
        toolCount: 1,
      },
    ],
  })
})

test.each([
  ['<user_input mode="act">Go</user_input>', 'Go'],
  ['<mode_notice>Switched.</mode_notice>\n<user_input mode="plan">Go\non</user_input>', 'Go\non'],
  ['<user_command slash="init">Long text</user_command>', '/init'],
  ['Go', 'Go'],
])('finds the prompt in %j', (text, prompt) => {
  const system = user('Summary', {metadata: {displayRole: 'system'}})
  const resumed = user('[TASK RESUMPTION] Continue')
  expect(scan(createDocument(system, resumed, user(text), user('Later'))).prompt).toBe(prompt)
})

test('counts a message once, and its calls with the last request if it has no counts', () => {
  const first = answer([call('a')])
  const interrupted = answer([call('b')], {metrics: undefined})
  const {requests} = scan(createDocument(first, first, interrupted))
  expect(requests.map(({toolCount}) => toolCount)).toEqual([2])
  expect(scan(createDocument(interrupted)).requests).toMatchObject([{toolCount: 1}])
})

test('reads the complete messages of a document that is being written', () => {
  const text = JSON.stringify({version: 1, messages: [user('Go'), answer([])]}, undefined, 2)
  const read = (length: number) =>
    scan(createSource({'s/s.messages.json': text.slice(0, length)})).requests.length
  expect([read(20), read(text.indexOf('"a')), read(text.length - 10), read(text.length)]).toEqual([
    0, 0, 0, 1,
  ])
  expect(read(text.lastIndexOf(']'))).toBe(1)
})

test('links a sub-agent to the call with its task', () => {
  const spawn = (id: string, task: string) => call(id, 'spawn_agent', {task})
  const main = createDocument(answer([spawn('x', 'Read'), spawn('y', 'Count')]))
  const sub = createSource(
    {'s/agent_1.messages.json': {messages: [user('Count'), answer([{type: 'text', text: '2'}])]}},
    'agent_1',
  )
  const [, events = []] = translate(main, sub)
  expect(events).toMatchObject([
    {type: 'text', text: '2', parentToolId: 'y'},
    {type: 'usage', costUsd: 0.5},
  ])
  expect(scan(sub)).toMatchObject({sessionId: 's', parentId: 's', requests: [{isSubAgent: true}]})
})

test.each([
  [
    'a failed command',
    [{query: 'ls', result: '', error: 'Command exited with code 3', success: false}],
    3,
  ],
  ['a failed edit', '{"result":"","error":"not found","success":false}', undefined],
])('reports %s', (_, content, exitCode) => {
  const [events = []] = translate(createDocument(answer([call('c')]), result('c', content)))
  const end = events.find((event) => event.type === 'tool-end')
  expect([end?.ok, end?.exitCode]).toEqual([false, exitCode])
})

test('reports the result of a tool that is an error', () => {
  const content = [{type: 'text', text: 'No server'}]
  const failed = result('c', content, {is_error: true})
  const [events = []] = translate(createDocument(answer([call('c', 'a__b')]), failed))
  expect(events.at(-1)).toMatchObject({type: 'tool-end', ok: false, error: 'No server'})
})

test('leaves an interrupted call open', () => {
  const text = 'Tool execution was interrupted before a result was produced.'
  const error = answer([{type: 'text', text: 'Run aborted'}], {
    metadata: {displayOnly: true, displayRole: 'error'},
    metrics: undefined,
  })
  const events = translate(createDocument(answer([call('c')]), result('c', text), error)).flat()
  expect(events.slice(3)).toMatchObject([
    {type: 'status', status: 'interrupted'},
    {type: 'turn-end', ok: false, errors: ['Run aborted']},
    {type: 'tool-end', unfinished: true},
  ])
})

test('emits a growing document once', () => {
  const go = user('Go')
  const text = (content: string) => ({type: 'text', text: content})
  const part = answer([text('Hel')], {id: 'a', metrics: undefined})
  const more = answer([text('Hello'), call('c')], {id: 'a'})
  const done = result('c', [{query: 'ls', result: 'x', success: true}])
  const [, two, three, four] = translate(
    createDocument(go, {...part, content: [text('Hel'), call('c')]}),
    createDocument(go, more),
    createDocument(go, more, done),
    createDocument(go, more, done),
  )
  expect(two).toMatchObject([{type: 'text-delta', text: 'lo'}, {type: 'usage'}])
  expect(three).toMatchObject([{type: 'tool-end', output: 'x'}])
  expect(four).toEqual([])
})

test('reports a block without an id', () => {
  const start: object = {type: 'tool_use', name: 'x'}
  const end: object = {type: 'tool_result', content: 'x'}
  const [events = []] = translate(createDocument(answer([start]), user('', {content: [end]})))
  expect(events.filter(({type}) => type === 'unknown')).toMatchObject([
    {reason: 'tool_use without id'},
    {reason: 'tool_result without tool_use_id'},
  ])
})
