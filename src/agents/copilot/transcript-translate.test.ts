import {expect, test} from 'vitest'
import type {JsonObject} from '../../core/wire/json.ts'
import {createSessionParser} from '../../history/session-events.ts'
import {copilotTranscripts} from './transcript.ts'

/** The events of rows, without their common fields. */
function read(...rows: JsonObject[]): object[] {
  const source = {
    path: 'session-state/s/events.jsonl',
    file: {storage: 'lines' as const},
    readText: () => undefined,
    listFiles: () => [],
    query: () => [],
    close() {},
  }
  const {parse, parser} = createSessionParser(copilotTranscripts, source)
  const events = rows.flatMap((value) => parse({raw: JSON.stringify(value), value, at: 0, source}))
  events.push(...parser.end())
  expect(parser.drift()).toEqual([])
  return events.map((event) =>
    Object.fromEntries(
      Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== undefined),
    ),
  )
}

const COMMON = new Set(['line', 'agent'])

function row(
  second: number,
  type: string,
  data: JsonObject = {},
  fields: JsonObject = {},
): JsonObject {
  return {
    type,
    data,
    id: `${type} ${second}`,
    timestamp: `2026-11-16T18:00:0${second}.000Z`,
    ...fields,
  }
}

const start = (second: number) =>
  row(second, 'session.start', {sessionId: 's', selectedModel: 'one', context: {cwd: '/p'}})
const step = (second: number, data: JsonObject): JsonObject[] => [
  row(second, 'assistant.turn_start'),
  row(second, 'assistant.message', data),
  row(second, 'assistant.turn_end'),
]

test('a step without calls ends the turn, with the times of the rows', () => {
  const calls = {toolRequests: [{toolCallId: 'c'}]}
  const [at, end] = [1, 3].map((second) => Date.UTC(2026, 10, 16, 18, 0, second))
  const rows = [...step(2, {content: 'First', ...calls}), ...step(3, {content: 'Done'})]
  expect(read(start(1), row(1, 'user.message', {content: 'Go\non'}), ...rows)).toMatchObject([
    {type: 'session-start', sessionId: 's', model: 'one', cwd: '/p', at},
    {type: 'status', status: 'notice', detail: 'prompt: Go\non', at},
    {type: 'text', text: 'First'},
    {type: 'text', text: 'Done', at: end},
    {type: 'turn-end', ok: true, text: 'Done', at: end},
  ])
})

test('a step of a sub-agent ends no turn', () => {
  const rows = step(2, {content: 'Two.'}).map((item) => ({...item, agentId: 'a'}))
  expect(read(...rows, row(3, 'assistant.turn_end'))).toMatchObject([{type: 'text'}])
})

test('thinking that repeats in the next step is shown again', () => {
  const data = {reasoningText: 'Hm', content: 'x', toolRequests: [{toolCallId: 'c'}]}
  expect(
    read(...step(1, {...data}), ...step(2, data)).filter((event) => 'text' in event).length,
  ).toBe(4)
})

test('an error ends the turn; one of a sub-agent is a warning', () => {
  expect(
    read(
      row(1, 'session.error', {message: 'too long'}, {agentId: 'a'}),
      row(2, 'session.error', {errorType: 'query'}),
      row(3, 'session.error'),
    ),
  ).toMatchObject([
    {type: 'status', status: 'warning', detail: 'too long'},
    {type: 'turn-end', ok: false, errors: ['query']},
    {type: 'turn-end', ok: false, errors: ['error']},
  ])
})

test('another model is reported once', () => {
  expect(
    read(
      row(1, 'session.resume', {selectedModel: 'zero'}),
      start(1),
      row(2, 'session.resume', {selectedModel: 'one'}),
      row(3, 'session.model_change', {newModel: 'two'}),
      row(4, 'session.model_change', {newModel: 'two'}),
      row(5, 'session.model_change', {newModel: 'small'}, {agentId: 'a'}),
    ).map((event) => ('model' in event ? event.model : undefined)),
  ).toEqual(['one', 'two'])
})

test('usage is reported once for each request, also for a compaction', () => {
  const usage = {apiCallId: 'a', inputTokens: 5, outputTokens: 1}
  const record = row(2, 'session.usage_record', {usage})
  const compaction = {success: true, compactionTokensUsed: {input: 3, output: 2}}
  const failed = {success: false, error: 'no room'}
  expect(
    read(
      start(1),
      record,
      record,
      row(3, 'session.compaction_start'),
      row(4, 'session.compaction_complete', compaction),
      row(5, 'session.compaction_complete', failed),
      row(6, 'session.compaction_complete', {success: false}),
    ).slice(1),
  ).toMatchObject([
    {type: 'usage', tokens: {input: 5, output: 1}, model: 'one'},
    {status: 'compacting', phase: 'start'},
    {status: 'compacting', phase: 'end', detail: 'compacted'},
    {type: 'usage', tokens: {input: 3, output: 2}},
    {status: 'compacting', phase: 'end', detail: 'no room'},
    {status: 'compacting', phase: 'end', detail: 'failed'},
  ])
})

test('usage of the session so far is reported once', () => {
  const shutdown = (second: number, count: number) => {
    const usage = {inputTokens: count * 10, outputTokens: count}
    return row(second, 'session.shutdown', {modelMetrics: {m: {requests: {count}, usage}}})
  }
  const resume = row(4, 'session.resume', {sessionLimits: null})
  const outputs = (...rows: JsonObject[]) =>
    read(...rows).map((event) => ('tokens' in event ? event.tokens : undefined))
  const one = expect.objectContaining({input: 10, output: 1}) as object
  expect(outputs(start(1), shutdown(3, 2), resume, shutdown(5, 3))).toEqual([
    undefined,
    one,
    one,
    one,
  ])
  // A fork begins with the rows of its origin.
  expect(outputs(start(3), shutdown(2, 2), resume, shutdown(5, 3))).toEqual([undefined, one])
})

test('a fork has no events of its origin', () => {
  const info = (infoType: string) => row(9, 'session.info', {infoType, message: 'Note'})
  expect(read(start(8), ...step(2, {content: 'Old'}), info('fork'), info('other'))).toMatchObject([
    {type: 'session-start'},
    {type: 'status', status: 'notice', detail: 'Note'},
  ])
})

test('an unknown row is reported', () => {
  const source = {path: 'x', file: {storage: 'lines' as const}, readText: () => undefined}
  const {parse, parser} = createSessionParser(copilotTranscripts, {
    ...source,
    listFiles: () => [],
    query: () => [],
  })
  const value = row(1, 'session.new_thing')
  const record = {
    raw: 'x',
    value,
    at: 0,
    source: {...source, listFiles: () => [], query: () => [], close() {}},
  }
  expect(parse(record)).toMatchObject([{type: 'unknown', reason: 'session.new_thing'}])
  expect(parser.drift()).toMatchObject([{kind: 'type', name: 'session.new_thing'}])
})
