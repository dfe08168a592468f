import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {afterAll, describe, expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {
  createHome,
  readTruth,
  removeHome,
  scanHome,
  translateSession,
} from '../../../test/support/transcripts.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'
import {asText, openDatabase} from '../../database/database.ts'
import {discoverTranscripts} from '../../history/discover.ts'
import {createSessionParser} from '../../history/session-events.ts'
import {sumRequests} from '../../history/sessions.ts'
import {openTranscriptSource} from '../../history/source.ts'
import {opencodeTranscripts} from './transcript.ts'

describeTruth(opencodeTranscripts)

// Most records of this database are in its write-ahead log.
describeTruth(opencodeTranscripts, {folder: 'opencode-wal'})

describe('documents of older versions', () => {
  const home = createHome('opencode')
  const data = `${home}/.local/share/opencode`
  const stored = scanHome(opencodeTranscripts, home)
  for (const {transcript} of stored.flatMap(({transcripts}) => transcripts)) {
    const source = openTranscriptSource(transcript)
    for (const record of opencodeTranscripts.readRecords?.(source) ?? []) writeDocument(record)
    source.close()
  }
  const {total} = readTruth('opencode')

  afterAll(() => removeHome(home))

  function writeDocument({type, at: _at, ...record}: JsonObject): void {
    const {id, sessionID, messageID, part} = record as Record<string, string>
    const [folder, name, content] =
      type === 'part'
        ? [`part/${messageID}`, textAt(part, 'id'), part]
        : [type === 'message' ? `message/${sessionID}` : 'session/p', id, record]
    mkdirSync(`${data}/storage/${folder}`, {recursive: true})
    writeFileSync(`${data}/storage/${folder}/${name}.json`, JSON.stringify(content))
  }

  test('count once beside the database', () => {
    const sessions = scanHome(opencodeTranscripts, home)
    expect(sessions.length).toBe(total.sessions)
    expect(sumRequests(sessions.flatMap(({requests}) => requests))).toEqual(total.totals)
    for (const session of sessions) {
      const alone = stored.find(({sessionId}) => sessionId === session.sessionId)
      const types = (events: AgentEvent[]) => events.map(({type}) => type).toSorted()
      const before = alone === undefined ? [] : translateSession(alone).events
      expect(types(translateSession(session).events)).toEqual(types(before))
    }
  })

  test('have the same requests, calls and sub-agents as the database', () => {
    rmSync(`${data}/opencode.db`)
    const sessions = scanHome(opencodeTranscripts, home)
    const requests = sessions.flatMap((session) => session.requests)
    expect(sessions.map(({sessionId}) => sessionId)).toEqual(stored.map(({sessionId}) => sessionId))
    expect(requests).toEqual(stored.flatMap((session) => session.requests))
    expect(sumRequests(requests)).toEqual(total.totals)
    for (const session of sessions) {
      const {events, drift} = translateSession(session)
      expect(drift).toEqual([])
      expect(events.filter(({type}) => type === 'unknown')).toEqual([])
    }
  })
})

describe('the list of sessions in a database', () => {
  test('has another stamp for a session whose last answer changed', () => {
    const home = createHome('opencode')
    const path = `${home}/.local/share/opencode/opencode.db`
    const list = () => {
      const {transcripts} = discoverTranscripts([opencodeTranscripts], {home, env: {}})
      return new Map(transcripts.map(({sessionId, stamp}) => [sessionId, stamp]))
    }
    const before = list()
    expect(list()).toEqual(before)
    const database = openDatabase(path)
    const id = 'ses_e1a7d4adeffefikeglC6n0xYFj'
    const [part] = database
      .prepare(`SELECT ${asText('id')} FROM part WHERE session_id = ? ORDER BY id DESC LIMIT 1`)
      .all(id)
    database
      .prepare('UPDATE part SET time_updated = 1900000000000 WHERE id = ?')
      .run(part?.['id'] ?? '')
    database.close()
    const after = list()
    expect([...after].filter(([session, stamp]) => before.get(session) !== stamp)).toHaveLength(1)
    expect(after.get(id)).not.toBe(before.get(id))
    removeHome(home)
  })

  test('is empty for a database of another program', () => {
    const source = {...createSource([]), query: () => [{name: 'session'}]}
    expect(opencodeTranscripts.listSessions?.(source)).toEqual([])
  })
})

test.each([
  [{}, ['/h/.local/share/opencode']],
  [{XDG_DATA_HOME: '', OPENCODE_DB: 'other.db'}, ['/h/.local/share/opencode']],
  [{XDG_DATA_HOME: '/data'}, ['/data/opencode']],
  [{OPENCODE_DB: '/x/y.db'}, ['/h/.local/share/opencode', '/x']],
])('finds the folders of OpenCode with %j', (env, roots) => {
  expect(opencodeTranscripts.roots({home: '/h', env})).toEqual(roots)
})

test.each([
  ['opencode.db', {storage: 'database'}],
  ['opencode-beta.db', {storage: 'database'}],
  ['opencode.db-wal', undefined],
  ['storage/session/p/ses_1.json', {storage: 'document', sessionId: 'ses_1'}],
  ['storage/session_diff/ses_1.json', undefined],
  ['storage/message/ses_1/msg_1.json', undefined],
  ['tool-output/tool_1', undefined],
])('identifies %s', (path, file) => {
  expect(opencodeTranscripts.identify(path)).toEqual(file)
})

/** A message in the form of a document, with its parts. */
interface Message {
  [field: string]: unknown
  parts?: object[]
}

const SESSION = {id: 'ses_1', directory: '/p', title: 'T', version: '1.1.0', time: {created: 1000}}

/** The documents of a session, and of others by their id. */
function createSource(messages: Message[], session: object = SESSION, others: object = {}) {
  const documents: Record<string, unknown> = {'storage/session/p/ses_1.json': session}
  for (const [id, other] of Object.entries(others))
    documents[`storage/session/p/${id}.json`] = other
  for (const [index, {parts = [], ...message}] of messages.entries()) {
    const id = `msg_${index}`
    documents[`storage/message/ses_1/${id}.json`] = {time: {created: 2000 + index}, ...message}
    for (const [at, part] of parts.entries()) {
      documents[`storage/part/${id}/prt_${index}_${at}.json`] = {id: `prt_${index}_${at}`, ...part}
    }
  }
  return {
    path: 'storage/session/p/ses_1.json',
    file: {storage: 'document', sessionId: 'ses_1'} as const,
    readText: (path: string) => (path in documents ? JSON.stringify(documents[path]) : undefined),
    listFiles: (folder: string) =>
      Object.keys(documents)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
    query: () => [],
    close() {},
  }
}

function scan(source: ReturnType<typeof createSource>): TranscriptFacts {
  const facts = createFacts()
  const scanner = opencodeTranscripts.createScanner(facts, source)
  for (const record of opencodeTranscripts.readRecords?.(source) ?? []) scanner.read(record)
  return facts
}

/** The events of sources that are read one after the other, as if a session had grown. */
function translate(...sources: ReturnType<typeof createSource>[]) {
  const parsers = createSessionParser(opencodeTranscripts, sources[0] ?? createSource([]))
  const events = sources.map((source) =>
    [...(opencodeTranscripts.readRecords?.(source) ?? [])].flatMap((value) =>
      parsers.parse({value, raw: '', at: 0, source}),
    ),
  )
  return [...events, parsers.parser.end()].map((list) =>
    list.map(({line: _line, at: _at, agent: _agent, ...event}) => event),
  )
}

const TOKENS = {input: 100, output: 10, reasoning: 5, cache: {read: 20, write: 2}}
const ANSWER = {
  role: 'assistant',
  modelID: 'm',
  finish: 'stop',
  time: {created: 2001, completed: 2009},
}
const finish = (tokens: object = TOKENS, reason = 'stop') => ({
  type: 'step-finish',
  reason,
  tokens,
  cost: 0.5,
})
const prompt = (text: string, more: object = {}) => ({
  role: 'user',
  parts: [{type: 'text', text, ...more}],
})
const call = (state: object, more: object = {}) => ({
  type: 'tool',
  tool: 'bash',
  callID: 'c',
  state: {input: {command: 'ls'}, ...state},
  ...more,
})

test('counts each step of an answer of older versions', () => {
  const more = {...TOKENS, output: 20}
  const parts = [call({status: 'completed'}), finish(TOKENS, 'tool-calls'), finish(more)]
  const {requests} = scan(createSource([{...ANSWER, tokens: more, parts}]))
  expect(requests.map(({tokens, toolCount}) => [tokens.output, toolCount])).toEqual([
    [10, 1],
    [20, 0],
  ])
})

test('counts an answer without steps by its own counts', () => {
  const {requests} = scan(createSource([{...ANSWER, tokens: TOKENS, cost: 0.25}]))
  expect(requests).toMatchObject([
    {
      at: 2001,
      model: 'm',
      costUsd: 0.25,
      tokens: {input: 100, output: 10, cacheRead: 20, cacheWrite: 2, reasoning: 5},
    },
  ])
})

test.each([
  ['includes it in the total', {...TOKENS, total: 132}, {}, 10],
  ['excludes it from the total', {...TOKENS, total: 137}, {}, 15],
  ['has no total', TOKENS, {providerID: 'openrouter', modelID: 'qwen3'}, 10],
  ['has no total and more thinking than output', {...TOKENS, reasoning: 30}, {}, 40],
  ['has no total and is of Google', TOKENS, {providerID: 'google-vertex', modelID: 'm'}, 15],
  ['has no total and is of Gemini', TOKENS, {modelID: 'Gemini-3-pro'}, 15],
])('counts thinking once in an answer that %s', (_, tokens, fields, output) => {
  for (const message of [{parts: [finish(tokens)]}, {tokens}]) {
    const source = createSource([{...ANSWER, ...fields, ...message}])
    expect(scan(source).requests.map((request) => request.tokens.output)).toEqual([output])
    const usage = translate(source)
      .flat()
      .filter((event) => event.type === 'usage')
    expect(usage).toMatchObject([{tokens: {output}}])
  }
})

test('links the calls of an interrupted answer to the last request', () => {
  const started = {...ANSWER, time: {created: 2005}, parts: [call({status: 'running'})]}
  const {requests} = scan(createSource([{...ANSWER, parts: [finish()]}, started]))
  expect(requests.map(({toolCount}) => toolCount)).toEqual([1])
  const [only] = scan(createSource([started])).requests
  expect([only?.toolCount, only?.tokens.input]).toEqual([1, 0])
})

test('does not count a call whose input is being written', () => {
  const source = createSource([{...ANSWER, parts: [call({status: 'pending'}), finish()]}])
  expect(scan(source).requests[0]?.toolCount).toBe(0)
  expect(
    translate(source)
      .flat()
      .filter(({type}) => type === 'tool-start'),
  ).toEqual([])
})

test('finds the main session of a sub-agent of a sub-agent', () => {
  const session = {...SESSION, parentID: 'ses_2'}
  const others = {ses_2: {id: 'ses_2', parentID: 'ses_3'}, ses_3: {id: 'ses_3'}}
  const facts = scan(createSource([prompt('Count')], session, others))
  expect(facts).toMatchObject({sessionId: 'ses_3', parentId: 'ses_2'})
  expect(facts.prompt).toBeUndefined()
})

test.each([
  ['"Say hello"', 'Say hello'],
  ['Say "hello"', 'Say "hello"'],
  ['  Say\nhello ', 'Say\nhello'],
])('finds the prompt %j', (text, expected) => {
  const inserted = prompt('Continue', {synthetic: true})
  expect(scan(createSource([inserted, prompt(text), prompt('Later')])).prompt).toBe(expected)
})

test('has no title until the model has found one', () => {
  const title = 'New session - 2026-11-16T17:50:00.000Z'
  expect(scan(createSource([], {...SESSION, title})).title).toBeUndefined()
  expect(scan(createSource([])).title).toBe('T')
})

test.each([
  [{...ANSWER}, true],
  [{...ANSWER, finish: 'tool-calls'}, false],
  [{...ANSWER, time: {created: 1}}, false],
  [{...ANSWER, time: {created: 1}, error: {name: 'APIError'}}, true],
  [prompt('More'), false],
])('knows whether a turn is over after %j', (message, isOver) => {
  expect(scan(createSource([message])).isTurnOver).toBe(isOver)
})

test('leaves an interrupted call open', () => {
  const error = {status: 'error', error: 'Tool execution aborted', metadata: {interrupted: true}}
  const aborted = {name: 'MessageAbortedError', data: {message: 'Aborted'}}
  const source = createSource([{...ANSWER, parts: [call(error)], error: aborted}])
  expect(translate(source).flat()).toMatchObject([
    {type: 'session-start'},
    {type: 'session-start', model: 'm'},
    {type: 'tool-start', toolId: 'c'},
    {type: 'status', status: 'interrupted', detail: 'Aborted'},
    {type: 'turn-end', ok: false},
    {type: 'tool-end', toolId: 'c', unfinished: true},
  ])
})

test('keeps the output of a call that was dropped from the context', () => {
  const state = {status: 'completed', output: 'a', time: {start: 1, end: 2, compacted: 3}}
  const [events = []] = translate(createSource([{...ANSWER, parts: [call(state)]}]))
  expect(events.at(-1)).toMatchObject({type: 'tool-end', ok: true, output: 'a'})
})

test('emits both calls when a model repeats an id', () => {
  const parts = [call({status: 'completed', output: 'a'}), call({status: 'completed', output: 'b'})]
  const [events = []] = translate(createSource([{...ANSWER, parts}]))
  const ends = events.filter((event) => event.type === 'tool-end')
  expect(ends.map(({toolId, output}) => [toolId, output])).toEqual([
    ['c', 'a'],
    ['prt_0_1', 'b'],
  ])
})

test('emits a growing answer once', () => {
  const time = {created: 2001}
  const text = (content: string, end?: number) => ({
    type: 'text',
    text: content,
    time: {start: 2002, ...(end !== undefined && {end})},
  })
  const first = createSource([
    prompt('Go'),
    {role: 'assistant', modelID: 'm', time, parts: [text('Hel'), call({status: 'running'})]},
  ])
  const done = createSource([
    prompt('Go'),
    {
      ...ANSWER,
      parts: [text('Hello', 2003), call({status: 'completed', output: 'x'}), finish()],
    },
  ])
  const [one, two, three, end] = translate(first, done, done)
  expect(one).toMatchObject([
    {type: 'session-start'},
    {type: 'status', detail: 'prompt: Go'},
    {type: 'session-start', model: 'm'},
    {type: 'text-delta', text: 'Hel'},
    {type: 'tool-start'},
  ])
  expect(two).toMatchObject([
    {type: 'text-delta', text: 'lo'},
    {type: 'tool-end', output: 'x'},
    {type: 'usage', costUsd: 0.5, model: 'm'},
    {type: 'turn-end', ok: true, text: 'Hello'},
  ])
  expect([three, end]).toEqual([[], []])
})

test('emits retries and compaction as status', () => {
  const error = {name: 'APIError', data: {message: 'Overloaded'}}
  const events = translate(
    createSource([
      {...ANSWER, finish: 'tool-calls', parts: [{type: 'retry', attempt: 2, error}]},
      {role: 'user', parts: [{type: 'compaction', auto: true}]},
      {...ANSWER, summary: true, parts: [finish()]},
      prompt('Continue', {synthetic: true, metadata: {compaction_continue: true}}),
      {...ANSWER, parts: [finish()]},
    ]),
  ).flat()
  const shown = events.filter(({type}) => type === 'status' || type === 'turn-end')
  expect(shown).toMatchObject([
    {status: 'api-retry', detail: 'Overloaded', attempt: 2},
    {status: 'compacting', phase: 'start'},
    {status: 'compacting', phase: 'end'},
    {type: 'turn-end', ok: true},
  ])
})

test('reads no record of a document that is being written', () => {
  const source = {...createSource([]), readText: () => '{"id": "ses'}
  expect([...(opencodeTranscripts.readRecords?.(source) ?? [])]).toEqual([])
})
