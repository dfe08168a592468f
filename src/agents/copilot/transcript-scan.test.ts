import {describe, expect, test} from 'vitest'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {copilotTranscripts} from './transcript.ts'

const SESSION = '2f196046-fc3f-4490-b9b7-ee339187969e'
const FORK = 'a390aea7-308f-4c01-9a7d-134d52e96a9e'
const PATH = `session-state/${FORK}/events.jsonl`

/** Reads rows with a new scanner for each, as when a file grows. */
function scan(rows: readonly JsonObject[], workspace?: string, path = PATH): TranscriptFacts {
  const file = copilotTranscripts.identify(path) ?? {storage: 'lines'}
  const readText = () => workspace
  const source = {path, file, readText, listFiles: () => [], query: () => []}
  return rows.reduce<TranscriptFacts>((facts, value) => {
    copilotTranscripts.createScanner(facts, source).read(value)
    return JSON.parse(JSON.stringify(facts)) as TranscriptFacts
  }, createFacts())
}

/** A row at a second of the session. */
function row(
  second: number,
  type: string,
  data: JsonObject = {},
  fields: JsonObject = {},
): JsonObject {
  const timestamp = new Date(Date.UTC(2026, 10, 16, 18) + second * 1000).toISOString()
  return {type, data, id: `${type} ${second}`, timestamp, ...fields}
}

const start = (second: number) =>
  row(second, 'session.start', {
    copilotVersion: '1.0.102',
    selectedModel: 'gpt-4.1',
    context: {cwd: '/p'},
  })
const usage = (apiCallId: string, fields: JsonObject = {}) =>
  row(5, 'session.usage_record', {
    usage: {
      apiCallId,
      model: 'm',
      inputTokens: 100,
      outputTokens: 7,
      cacheReadTokens: 60,
      ...fields,
    },
  })
const answer = (second: number, apiCallId: string, ...ids: string[]) =>
  row(second, 'assistant.message', {
    apiCallId,
    toolRequests: ids.map((toolCallId) => ({toolCallId})),
  })
const prompt = (second: number, content: string, fields: JsonObject = {}) =>
  row(second, 'user.message', {content, ...fields})
const keysOf = ({requests}: TranscriptFacts) => requests.map(({key}) => key)

describe('requests', () => {
  test('have the usage of their record, once', () => {
    const facts = scan([start(1), usage('a', {cacheWriteTokens: 10}), usage('a'), usage('b')])
    expect(keysOf(facts)).toEqual(['a', 'b'])
    expect(facts.requests[0]).toMatchObject({
      model: 'm',
      tokens: {input: 30, output: 7, cacheRead: 60, cacheWrite: 10},
    })
  })

  test('have the calls of their answer', () => {
    const rows = [usage('a'), usage('b'), answer(6, 'a', 'x', 'y'), answer(7, 'other', 'z')]
    expect(scan([start(1), ...rows]).requests.map(({toolCount}) => toolCount)).toEqual([2, 1])
  })

  test('are marked when a sub-agent made them', () => {
    const facts = scan([start(1), {...usage('a', {model: 'small'}), agentId: 'agent'}])
    expect(facts.requests[0]).toMatchObject({isSubAgent: true})
    expect(facts.model).toBe('gpt-4.1')
  })

  test.each([
    {inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, model: 'm'},
    {input: 100, output: 7, cachedInput: 60},
  ])('include the compaction, which has no record', (used) => {
    const data = {compactionTokensUsed: used, model: 'm'}
    const facts = scan([start(1), row(5, 'session.compaction_complete', data)])
    expect(facts.requests).toMatchObject([
      {key: 'compaction session.compaction_complete 5', model: 'm', tokens: {input: 40, output: 7}},
    ])
  })

  test('are the usage of a process in versions without records', () => {
    const metrics = {m: {usage: {inputTokens: 100, outputTokens: 7, cacheReadTokens: 60}}, n: 1}
    const shutdown = (fields: JsonObject) =>
      row(9, 'session.shutdown', {modelMetrics: metrics, ...fields})
    const facts = scan([start(1), answer(2, 'a', 'x'), shutdown({})])
    expect(facts.requests).toMatchObject([{model: 'm', tokens: {input: 40}, toolCount: 1}])
    expect(scan([start(1), shutdown({usageAccountingWatermarks: {}})]).requests).toEqual([])
  })

  describe('of versions without records', () => {
    const [INPUT, OUTPUT, CACHE] = [100, 7, 60]
    const metricsOf = (count: number, fields: JsonObject = {}) => ({
      requests: {count},
      usage: {
        inputTokens: count * INPUT,
        outputTokens: count * OUTPUT,
        cacheReadTokens: count * CACHE,
        ...fields,
      },
    })
    const shutdown = (second: number, modelMetrics: JsonObject, fields: JsonObject = {}) =>
      row(second, 'session.shutdown', {modelMetrics, ...fields})
    const resume = (second: number, fields: JsonObject = {}) =>
      row(second, 'session.resume', {eventsFileSizeBytes: 9, ...fields})
    /** The process restores the usage of the last shutdown. */
    const restore = (second: number) => resume(second, {sessionLimits: null})
    const sum = ({requests}: TranscriptFacts) => [
      requests.length,
      requests.reduce((total, {tokens}) => total + tokens.input, 0),
      requests.reduce((total, {tokens}) => total + tokens.output, 0),
      requests.reduce((total, {tokens}) => total + tokens.cacheRead, 0),
    ]
    const sumOf = (count: number) => [count, count * (INPUT - CACHE), count * OUTPUT, count * CACHE]
    const first = [start(1), shutdown(2, {m: metricsOf(3)})]

    test.each([
      ['each process', [resume(3), shutdown(4, {m: metricsOf(4)})], 7],
      ['the session so far', [restore(3), shutdown(4, {m: metricsOf(5)})], 5],
      [
        'a process without requests, which restored the usage',
        [restore(3), shutdown(4, {m: metricsOf(3)}), restore(5), shutdown(6, {m: metricsOf(4)})],
        4,
      ],
      [
        'processes of an older version and then of a newer one',
        [resume(3), shutdown(4, {m: metricsOf(2)}), restore(5), shutdown(6, {m: metricsOf(6)})],
        9,
      ],
      [
        'processes of a newer version and then of an older one',
        [restore(3), shutdown(4, {m: metricsOf(5)}), resume(5), shutdown(6, {m: metricsOf(9)})],
        14,
      ],
      [
        'a process that was killed',
        [restore(3), answer(4, 'a'), restore(5), shutdown(6, {m: metricsOf(4)})],
        4,
      ],
    ])('have the usage of %s', (_, rows, count) => {
      expect(sum(scan([...first, ...rows]))).toEqual(sumOf(count))
    })

    test('have the usage after a shutdown of a version with records', () => {
      const accounting = {usageAccountingWatermarks: {}}
      const rows = [usage('a'), shutdown(2, {m: metricsOf(1)}, accounting)]
      const later = [restore(3), shutdown(4, {m: metricsOf(3)})]
      expect(sum(scan([start(1), ...rows, ...later]))).toEqual(sumOf(3))
    })

    test('have the model that was used', () => {
      const later = [restore(3), shutdown(4, {m: metricsOf(3), n: metricsOf(1)})]
      const {requests} = scan([...first, ...later])
      expect(requests.map(({model}) => model)).toEqual(['m', 'm', 'm', 'n'])
    })

    test('are counted once when rows are doubled', () => {
      const rows = [...first, restore(3), shutdown(4, {m: metricsOf(5)})]
      expect(sum(scan(rows.flatMap((item) => [item, item])))).toEqual(sumOf(5))
      expect(sum(scan([...rows, ...rows]))).toEqual(sumOf(5))
    })

    test('are counted once when the row of a resume is missing', () => {
      expect(sum(scan([...first, shutdown(4, {m: metricsOf(5)})]))).toEqual(sumOf(5))
      expect(sum(scan([...first, shutdown(4, {m: metricsOf(2)})]))).toEqual(sumOf(5))
    })

    test('have no negative and no doubled usage when counts are damaged', () => {
      const damaged = {m: metricsOf(5, {outputTokens: 'x', cacheReadTokens: -1})}
      const {requests} = scan([...first, restore(3), shutdown(4, damaged)])
      expect(sum({requests})).toEqual([5, 5 * INPUT, 3 * OUTPUT, 3 * CACHE])
      const lost = [
        ...first,
        restore(3),
        shutdown(4, {}),
        restore(5),
        shutdown(6, {m: metricsOf(5)}),
      ]
      expect(sum(scan(lost))).toEqual(sumOf(5))
      const huge = {requests: {count: 1e12}, usage: {inputTokens: 5, outputTokens: 1}}
      expect(scan([start(1), shutdown(2, {m: huge})]).requests.length).toBeLessThan(100_000)
    })
  })

  test('are not counted from damaged rows', () => {
    const damaged = [
      {type: 'session.usage_record', data: {usage: {inputTokens: 1}}},
      row(2, 'session.usage_record', {usage: {inputTokens: -5, outputTokens: 'x'}}),
      row(3, 'assistant.message', {toolRequests: [1, {toolCallId: 2}]}),
    ]
    expect(scan([start(1), ...damaged]).requests).toEqual([])
  })
})

describe('facts', () => {
  test('describe the session', () => {
    const facts = scan([
      start(1),
      prompt(2, 'Hello'),
      row(3, 'session.model_change', {newModel: 'gpt-5'}),
      row(4, 'session.model_change', {newModel: 'small'}, {agentId: 'a'}),
    ])
    expect(facts).toMatchObject({
      sessionId: FORK,
      agentVersion: '1.0.102',
      cwd: '/p',
      model: 'gpt-5',
      prompt: 'Hello',
      startedAt: Date.UTC(2026, 10, 16, 18) + 1000,
      endedAt: Date.UTC(2026, 10, 16, 18) + 4000,
    })
    expect(facts.forkedFrom).toBe(undefined)
  })

  test.each([
    ['name: Read the notes\n', 'Read the notes'],
    ["name: 'it''s'\nid: x\n", "it's"],
    [String.raw`name: "a\Lb\u0041\x42\U0001F600\"\n\\"`, 'a\u2028bAB😀"\n\\'],
    ['id: x\nname: one\n  two\nuser_named: true\n', 'one two'],
    ['name: |-\n  one\n  two\n', 'one\ntwo'],
    ['name: >-\n  one\n  two\n', 'one two'],
    ['id: x\n', undefined],
  ])('have the name beside the session: %j', (workspace, expected) => {
    expect(scan([start(1)], workspace).title).toBe(expected)
  })

  test('have the name from a row where there is no file for it', () => {
    const renamed = row(2, 'session.title_changed', {title: 'New'})
    const facts = scan([start(1), renamed], 'name: Other', `session-state/${FORK}.jsonl`)
    expect(facts).toMatchObject({title: 'New', sessionId: FORK})
  })

  test('have the origin and the own prompt of a fork', () => {
    const info = (message: string) => row(11, 'session.info', {infoType: 'fork', message})
    const copied = [start(10), prompt(2, 'First'), usage('a')]
    expect(scan(copied).prompt).toBe('First')
    const facts = scan([
      ...copied,
      info(`Forked from "Read (the) notes" (${SESSION}) as "other" (${FORK}).`),
      info(`Forked this session into "x" (${FORK}).`),
      prompt(12, 'Second'),
      prompt(13, 'Third'),
    ])
    expect(facts).toMatchObject({
      forkedFrom: SESSION,
      prompt: 'Second',
      startedAt: Date.UTC(2026, 10, 16, 18) + 10_000,
    })
    expect(keysOf(facts)).toEqual(['a'])
  })

  test.each([
    ['a sub-agent', prompt(2, 'Count', {source: 'agent-1'})],
    ['the program', prompt(2, 'Go on', {isAutopilotContinuation: true})],
    ['another row', row(2, 'system.message', {content: 'Be brief'})],
  ])('have no prompt from %s', (_, other) => {
    expect(scan([start(1), other]).prompt).toBe(undefined)
    expect(scan([start(1), {...prompt(2, 'Count'), agentId: 'a'}]).prompt).toBe(undefined)
  })

  test('report whether the agent waits for a prompt', () => {
    const isOver = (...rows: JsonObject[]) => scan([start(1), ...rows]).isTurnOver
    const [began, ended] = [row(2, 'assistant.turn_start'), row(4, 'assistant.turn_end')]
    expect(isOver(began, answer(3, 'a', 'x'), answer(3, 'a'), ended)).toBe(false)
    expect(isOver(began, ended)).toBe(false)
    expect(isOver(began, answer(3, 'a'), ended)).toBe(true)
    expect(isOver(began, answer(3, 'a'), ended, prompt(5, 'More'))).toBe(false)
    expect(isOver(began, row(3, 'abort'))).toBe(true)
    expect(isOver(began, row(3, 'session.error'))).toBe(true)
    expect(isOver(began, row(3, 'session.error', {}, {agentId: 'a'}))).toBe(false)
    expect(isOver(began, row(3, 'session.shutdown'))).toBe(true)
  })
})

describe('files', () => {
  test.each([
    ['session-state/a/events.jsonl', {storage: 'lines', sessionId: 'a'}],
    ['session-state/a.jsonl', {storage: 'lines', sessionId: 'a'}],
    ['session-state/a/workspace.yaml', undefined],
    ['session-state/a/files/events.jsonl', undefined],
    ['session-store.db', undefined],
  ])('are identified by their path: %s', (path, expected) => {
    expect(copilotTranscripts.identify(path)).toEqual(expected)
  })

  test('are in the folder of the environment, or else in the home folder', () => {
    const roots = (env: Record<string, string>) => copilotTranscripts.roots({home: '/h', env})
    expect(roots({COPILOT_HOME: ''})).toEqual(['/h/.copilot'])
    expect(roots({XDG_STATE_HOME: '/s'})).toEqual(['/h/.copilot', '/s/.copilot'])
    expect(roots({COPILOT_HOME: '/other/', XDG_STATE_HOME: '/s'})).toEqual(['/other'])
  })

  test('are in the folder of a session', () => {
    const folders = ['session-state', 'session-state/a', 'session-state/a/files', 'logs']
    expect(folders.filter(copilotTranscripts.hasTranscripts)).toEqual(folders.slice(0, 2))
  })
})
