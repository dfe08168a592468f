import {describe, expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {
  createFacts,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {createSessionParser} from '../../history/session-events.ts'
import {piTranscripts} from './transcript.ts'

// Pi does not record how many tokens were reasoning.
describeTruth(piTranscripts, {hasReasoning: false})

const FILE = '--p--/2026-11-16T17-54-19-228Z_s1.jsonl'
const source: TranscriptSource & {close(): void} = {
  path: FILE,
  file: {storage: 'lines', sessionId: 's1'},
  readText: () => undefined,
  listFiles: () => [],
  query: () => [],
  close() {},
}

function scan(...rows: object[]): TranscriptFacts {
  const facts = createFacts()
  const scanner = piTranscripts.createScanner(facts, source)
  for (const next of rows) scanner.read({...next})
  return facts
}

/** The events of some rows, without where and when. */
function translate(...rows: object[]): object[] {
  const {parse, parser} = createSessionParser(piTranscripts, source)
  const events: AgentEvent[] = rows.flatMap((next) =>
    parse({raw: JSON.stringify(next), value: {...next}, at: 0, source}),
  )
  events.push(...parser.end())
  expect(parser.drift()).toEqual([])
  return events.map(({line: _line, at: _at, agent: _agent, ...event}) => event)
}

/** The events without the session and the usage. */
function conversation(...rows: object[]): object[] {
  return translate(...rows).filter(
    (event) => 'type' in event && event.type !== 'session-start' && event.type !== 'usage',
  )
}

let lastId = 0

function row(type: string, fields: object): object {
  const id = `row${++lastId}`
  return {type, id, parentId: null, timestamp: time(lastId), ...fields}
}

function time(second: number): string {
  return new Date(Date.UTC(2026, 10, 16) + second * 1000).toISOString()
}

function message(role: string, fields: object, more: object = {}): object {
  return row('message', {message: {role, timestamp: 1, ...fields}, ...more})
}

function answer(stopReason: string, content: object[], fields: object = {}, more: object = {}) {
  const usage = {input: 10, output: 5, cacheRead: 1, cacheWrite: 2, cost: {total: 0.5}}
  return message('assistant', {model: 'm', usage, stopReason, content, ...fields}, more)
}

const header = {type: 'session', version: 3, id: 's1', timestamp: time(0), cwd: '/p'}
const prompt = (text: string) => message('user', {content: [{type: 'text', text}]})
const textBlock = (text: string) => ({type: 'text', text})
const call = (id: string, name = 'bash', args: object = {command: 'ls'}) => {
  return {type: 'toolCall', id, name, arguments: args}
}
const result = (toolCallId: string, text: string, isError = false) =>
  message('toolResult', {toolCallId, toolName: 'bash', content: [textBlock(text)], isError})
const nothing = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: {total: 0}}
const notice = (detail: string) => ({type: 'status', status: 'notice', detail})

describe('files', () => {
  test.each([
    [{}, ['/home/u/.pi/agent/sessions']],
    [{PI_CODING_AGENT_DIR: '', PI_CODING_AGENT_SESSION_DIR: ''}, ['/home/u/.pi/agent/sessions']],
    [{PI_CODING_AGENT_DIR: '~/pi/'}, ['/home/u/pi/sessions']],
    [
      {PI_CODING_AGENT_SESSION_DIR: '/data/sessions/'},
      ['/home/u/.pi/agent/sessions', '/data/sessions'],
    ],
  ])('are in the folders of %j', (env, roots) => {
    expect(piTranscripts.roots({home: '/home/u', env})).toEqual(roots)
  })

  test('are identified in folders of projects and in a flat folder', () => {
    const {identify, hasTranscripts} = piTranscripts
    expect(identify(FILE)).toEqual({storage: 'lines', sessionId: 's1'})
    expect(identify('named.jsonl')).toEqual({storage: 'lines', sessionId: 'named'})
    expect(identify('--p--/notes.txt')).toBe(undefined)
    expect(identify('other/deep/a.jsonl')).toBe(undefined)
    expect(hasTranscripts('--home-dev-project--')).toBe(true)
    expect(hasTranscripts('node_modules')).toBe(false)
  })
})

describe('facts', () => {
  test('are those of the first header, or of the file when it is damaged', () => {
    const other = {...header, id: 's2', cwd: '/q', timestamp: time(9)}
    expect(scan(header, other)).toMatchObject({
      sessionId: 's1',
      cwd: '/p',
      startedAt: Date.parse(time(0)),
      endedAt: Date.parse(time(9)),
    })
    expect(scan({...header, id: 7})).toMatchObject({sessionId: 's1'})
  })

  test('name the session of which a copy was made, also in the oldest version', () => {
    const path = '/home/u/.pi/agent/sessions/--p--/2026-11-16T17-54-19-228Z_s0.jsonl'
    expect(scan({...header, parentSession: path}).forkedFrom).toBe('s0')
    expect(scan({...header, branchedFrom: path}).forkedFrom).toBe('s0')
    expect(scan(header).forkedFrom).toBe(undefined)
  })

  test.each([
    ['a text', 'Do it', 'Do it'],
    ['a text without blocks', [textBlock('Do it')], 'Do it'],
    ['files and a text', [textBlock('<file name="/p/a">\nA\n</file>\nDo it')], 'Do it'],
    ['a skill', [textBlock('<skill name="x" location="/x">\nX\n</skill>\n\nDo it')], 'Do it'],
    ['a skill alone', [textBlock('<skill name="x" location="/x">\nX\n</skill>')], '/skill:x'],
    ['a file alone', [textBlock('<file name="/p/a"></file>')], '<file name="/p/a"></file>'],
    ['an image', [{type: 'image', data: ''}], undefined],
  ])('have the prompt as it was typed: %s', (_, content, expected) => {
    expect(scan(header, message('user', {content})).prompt).toBe(expected)
  })

  test('have the name that the user gave last', () => {
    const named = row('session_info', {name: ' Fix it '})
    expect(scan(header, named).title).toBe('Fix it')
    expect(scan(header, named, row('session_info', {name: ''})).title).toBe(undefined)
  })

  test('have whether the agent waits for a prompt', () => {
    const over = answer('stop', [textBlock('Done.')])
    expect(scan(header, prompt('A'), over, row('label', {})).isTurnOver).toBe(true)
    expect(scan(header, over, prompt('A')).isTurnOver).toBe(false)
    expect(scan(header, answer('toolUse', [call('t')])).isTurnOver).toBe(false)
    expect(scan(header, answer('toolUse', [call('t')]), result('t', 'a')).isTurnOver).toBe(false)
    expect(scan(header, answer('error', [], {usage: nothing})).isTurnOver).toBe(true)
  })

  test('continue with the stored facts', () => {
    const rows = [header, prompt('A'), answer('toolUse', [call('t')]), result('t', 'a')]
    const stored: TranscriptFacts = JSON.parse(JSON.stringify(scan(...rows.slice(0, 2))))
    const scanner = piTranscripts.createScanner(stored, source)
    for (const next of [...rows.slice(2), {...header, id: 'x'}]) scanner.read({...next})
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(scan(...rows))))
  })
})

describe('requests', () => {
  const keyOf = (...rows: object[]) => scan(...rows).requests.map(({key}) => key)

  test('have the same key in a copy, also when its rows have other ids', () => {
    const original = answer('stop', [textBlock('Done.')])
    expect(keyOf({...original, id: 'other'})).toEqual(keyOf(original))
    const {id: _, parentId: __, ...older} = {id: '', parentId: '', ...original}
    expect(keyOf(older)).toEqual(keyOf(original))
  })

  test('differ by time when a server uses an id again', () => {
    const one = answer('stop', [], {responseId: 'chatcmpl-1'})
    const other = answer('stop', [], {responseId: 'chatcmpl-1'})
    expect(keyOf(one, other, one).length).toBe(2)
  })

  test('count the calls of every branch once', () => {
    const asked = answer('toolUse', [call('t'), call('u')])
    const facts = scan(header, asked, asked, answer('toolUse', [call('t')]))
    expect(facts.requests.map(({toolCount}) => toolCount)).toEqual([2, 1])
  })

  test('have the cost only when it was recorded', () => {
    const free = answer('stop', [], {usage: {input: 1, output: 1, cost: {total: 0}}})
    expect(scan(free).requests).toMatchObject([{tokens: {input: 1}}])
    expect(scan(free).requests[0]?.costUsd).toBeUndefined()
    expect(scan(answer('stop', [])).requests).toMatchObject([{costUsd: 0.5}])
  })

  test('need usage, which an interrupted answer may have', () => {
    expect(scan(answer('error', [], {usage: nothing})).requests).toEqual([])
    expect(scan(answer('aborted', [call('t')])).requests).toMatchObject([{toolCount: 0}])
  })

  test('never have negative tokens', () => {
    const usage = {input: -5, output: 3, cacheRead: 'x', cacheWrite: null, cost: {total: -1}}
    expect(scan(answer('stop', [], {usage})).requests).toMatchObject([
      {tokens: {input: 0, output: 3, cacheRead: 0, cacheWrite: 0}},
    ])
  })
})

describe('the conversation', () => {
  test('has a retry when another attempt follows a failure', () => {
    const failed = answer('error', [], {errorMessage: '503', usage: nothing})
    expect(
      conversation(header, prompt('A'), failed, failed, answer('stop', [textBlock('B')])),
    ).toEqual([
      notice('prompt: A'),
      {type: 'status', status: 'api-retry', detail: '503', attempt: 1},
      {type: 'text', text: 'B', messageId: undefined},
      {type: 'turn-end', ok: true, text: 'B', errors: undefined, reason: 'stop'},
    ])
  })

  test('has the end of a turn that failed when a prompt or nothing follows', () => {
    const failed = answer('error', [], {errorMessage: '503', usage: nothing})
    const end = {type: 'turn-end', ok: false, text: '', errors: ['503'], reason: 'error'}
    expect(conversation(header, failed)).toEqual([end])
    expect(conversation(header, failed, prompt('B'))).toEqual([end, notice('prompt: B')])
  })

  test('has a compaction between two attempts', () => {
    const failed = answer('error', [], {errorMessage: 'too long', usage: nothing})
    const compacted = row('compaction', {summary: 'x', tokensBefore: 9})
    expect(conversation(header, failed, compacted, answer('stop', []))).toMatchObject([
      {status: 'compacting', phase: 'end', detail: 'compacted, 9 tokens'},
      {status: 'api-retry', detail: 'too long'},
      {type: 'turn-end', ok: true},
    ])
  })

  test('leaves the calls open that the user interrupted', () => {
    const asked = answer('toolUse', [call('t')])
    const aborted = answer('aborted', [], {errorMessage: 'Request was aborted', usage: nothing})
    expect(
      conversation(header, asked, result('t', 'a\n\nCommand aborted', true), aborted),
    ).toMatchObject([
      {type: 'tool-start', toolId: 't'},
      {type: 'status', status: 'interrupted', detail: 'Request was aborted'},
      {type: 'tool-end', toolId: 't', unfinished: true},
    ])
  })

  test('has no call of an answer that was interrupted', () => {
    expect(conversation(header, answer('aborted', [call('t')]))).toMatchObject([
      {type: 'status', status: 'interrupted', detail: 'interrupted'},
    ])
  })

  test('goes on after calls of an answer that stopped', () => {
    const types = conversation(header, answer('stop', [call('t')]), result('t', 'a'))
    expect(types).toMatchObject([{type: 'tool-start'}, {type: 'tool-end', ok: true, exitCode: 0}])
  })

  test('has all branches, in the order of the file', () => {
    const first = prompt('A')
    const parentId = 'id' in first ? first.id : undefined
    const other = message('user', {content: 'C'}, {parentId})
    expect(conversation(header, first, prompt('B'), other)).toEqual([
      notice('prompt: A'),
      notice('prompt: B'),
      notice('continued from an earlier message'),
      notice('prompt: C'),
    ])
  })

  test('has a row once that was written twice', () => {
    const first = prompt('A')
    expect(conversation(header, first, first)).toEqual([notice('prompt: A')])
  })

  test('has what users and extensions did', () => {
    const rows = [
      row('model_change', {provider: 'p', modelId: 'm'}),
      row('thinking_level_change', {thinkingLevel: 'high'}),
      message('bashExecution', {command: 'ls -l', output: 'a', exitCode: 0, cancelled: false}),
      message('hookMessage', {customType: 'x', content: 'Saved.', display: true}),
      row('custom_message', {customType: 'x', content: [textBlock('Seen.')], display: true}),
      row('custom_message', {customType: 'x', content: 'Hidden.', display: false}),
      row('custom', {customType: 'x', data: {}}),
      row('branch_summary', {fromId: 'a', summary: 'Tried it.'}),
      row('model_change', {provider: 'p', modelId: 'n'}),
      row('label', {targetId: 'a', label: 'here'}),
    ]
    expect(conversation(header, ...rows)).toEqual([
      notice('command: ls -l'),
      notice('Saved.'),
      notice('Seen.'),
      notice('other branch: Tried it.'),
      notice('model: n'),
    ])
  })

  test('has no unknown fields in the oldest version', () => {
    const {version: _, ...older} = {...header, provider: 'p', modelId: 'm', thinkingLevel: 'off'}
    const asked = {type: 'message', timestamp: time(1), message: {role: 'user', content: 'A'}}
    const compacted = {
      type: 'compaction',
      timestamp: time(2),
      summary: 'x',
      firstKeptEntryIndex: 1,
      tokensBefore: 9,
    }
    expect(conversation(older, asked, compacted).length).toBe(2)
  })

  test('has unknown rows as they are', () => {
    const {parse, parser} = createSessionParser(piTranscripts, source)
    const rows = [row('novel', {}), message('novel', {}), answer('stop', [{type: 'novel'}])]
    const events = rows.flatMap((next) =>
      parse({raw: JSON.stringify(next), value: {...next}, at: 0, source}),
    )
    expect(events.filter(({type}) => type === 'unknown').length).toBe(3)
    expect(parser.drift().length).toBe(3)
  })
})
