import {describe, expect, test} from 'vitest'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {codexTranscripts} from './transcript.ts'

const THREAD = '01a1e584-0000-7000-8000-000000000001'
const CHILD = '01a1e584-9000-7000-8000-000000000002'
const NESTED = '01a1e584-9900-7000-8000-000000000003'
const TURN = '01a1e584-1000-7000-8000-00000000000a'
const LATER_TURN = '01a1e584-a000-7000-8000-00000000000b'
const LAST_TURN = '01a1e584-b000-7000-8000-00000000000c'

/** Reads rows with a new scanner for each, as when a file grows. */
function scan(rows: readonly JsonObject[], thread = THREAD, names?: string): TranscriptFacts {
  const path = `sessions/2026/11/16/rollout-2026-11-16T18-00-00-${thread}.jsonl`
  const source = {
    path,
    file: {storage: 'lines' as const},
    readText: () => names,
    listFiles: () => [],
    query: () => [],
  }
  return rows.reduce<TranscriptFacts>((facts, value) => {
    codexTranscripts.createScanner(facts, source).read(value)
    return JSON.parse(JSON.stringify(facts)) as TranscriptFacts
  }, createFacts())
}

let clock = 0
function row(type: string, payload: JsonObject, fields: JsonObject = {}): JsonObject {
  clock += 1000
  const timestamp = new Date(Date.UTC(2026, 10, 16, 18) + clock).toISOString()
  return {timestamp, type, payload, ...fields}
}

const meta = (fields: JsonObject = {}) =>
  row('session_meta', {id: THREAD, cwd: '/p', cli_version: '0.140.0', ...fields})
const event = (type: string, fields: JsonObject = {}) => row('event_msg', {type, ...fields})
const turn = (turn_id: string) => event('task_started', {turn_id, started_at: 1})
const call = (call_id: string) => row('response_item', {type: 'function_call', call_id})
const message = (role: string) => row('response_item', {type: 'message', role, content: []})
const prompt = (text: string) => event('user_message', {message: text})

function usage(input: number, output: number): JsonObject {
  return {input_tokens: input, cached_input_tokens: 0, output_tokens: output}
}

/** A running total, whose last request has 10 tokens of input and 1 of output. */
function count(total: number, last = usage(10, 1)): JsonObject {
  const info = {total_token_usage: usage(total * 10, total), last_token_usage: last}
  return event('token_count', {info})
}

function record(id: string, total: number, turn_id = TURN, used = usage(10, 1)): JsonObject {
  const totals = {thread_token_usage: usage(total * 10, total)}
  return row('token_usage_record', {response_id: id, turn_id, usage: used, ...totals})
}

/** A running total before the first request. */
const NO_TOTAL = event('token_count', {info: null})
/** Versions without rows for turns have no ids of turns either. */
const OLD_CONTEXT = row('turn_context', {model: 'gpt-5.5'})

const keysOf = ({requests}: TranscriptFacts) => requests.map(({key}) => key)
const callsOf = ({requests}: TranscriptFacts) => requests.map(({toolCount}) => toolCount)

describe('requests', () => {
  test('are the changes of the running total in older versions', () => {
    const facts = scan([meta(), turn(TURN), message('assistant'), count(1), count(1), count(2)])
    expect(keysOf(facts)).toEqual([`${TURN}/10.0.1.0`, `${TURN}/20.0.2.0`])
    expect(facts.requests[0]?.tokens).toMatchObject({input: 10, output: 1})
  })

  test('are counted without turns and after the total has started again', () => {
    const facts = scan([meta(), message('assistant'), count(2), count(1), count(2)])
    expect(keysOf(facts)).toEqual([`${THREAD}/20.0.2.0`, `${THREAD}/10.0.1.0`])
  })

  test('have the same keys in a fork that copies rows without turns', () => {
    const copy = [meta({id: CHILD}), meta(), message('assistant'), count(1)]
    expect(keysOf(scan(copy, CHILD))).toEqual([`${THREAD}/10.0.1.0`])
  })

  test('do not include the total with which a fork by reference begins', () => {
    const fork = meta({forked_from_id: CHILD})
    const facts = scan([fork, turn(TURN), message('user'), count(5), count(5), call('a'), count(6)])
    expect(keysOf(facts)).toEqual([`${TURN}/60.0.6.0`])
  })

  test('include the first one when its total comes before its calls, as in 0.45', () => {
    const facts = scan([meta(), prompt('Hi'), NO_TOTAL, count(1), call('a')])
    expect(keysOf(facts)).toEqual([`${THREAD}/10.0.1.0`])
    expect(callsOf(facts)).toEqual([1])
  })

  test('do not include totals without usage of a request, such as those after a compaction', () => {
    const info = {total_token_usage: usage(20, 2), last_token_usage: usage(0, 0)}
    const rows = [call('a'), event('token_count', {info}), event('token_count', {info: null})]
    expect(scan([meta(), turn(TURN), ...rows]).requests).toEqual([])
  })

  test('are the records of newer versions, whose totals repeat them', () => {
    const facts = scan([meta(), turn(TURN), record('r1', 1), count(1), record('r1', 1)])
    expect(keysOf(facts)).toEqual(['r1'])
  })

  test('are counted once when a total comes before its record', () => {
    const facts = scan([
      meta(),
      turn(TURN),
      call('a'),
      record('r1', 1),
      call('b'),
      record('r2', 2),
      count(2),
    ])
    const swapped = scan([meta(), turn(TURN), call('a'), count(1), record('r1', 1)])
    expect([keysOf(facts), callsOf(facts)]).toEqual([
      ['r1', 'r2'],
      [1, 1],
    ])
    expect([keysOf(swapped), callsOf(swapped)]).toEqual([['r1'], [1]])
  })

  test('are counted when an older version continues a thread of a newer one', () => {
    const olderRun = (total: number) => [prompt('Hi'), OLD_CONTEXT, count(total), call(`${total}`)]
    const newerRun = (id: string, total: number, turnId: string) => [
      turn(turnId),
      row('turn_context', {turn_id: turnId}),
      prompt('Hi'),
      call(id),
      record(id, total, turnId, usage(total, 2)),
      count(total, usage(total, 2)),
    ]
    const newerFirst = [
      ...newerRun('r1', 1, TURN),
      ...olderRun(1),
      count(2),
      ...newerRun('r3', 3, LATER_TURN),
      ...olderRun(3),
      count(4),
    ]
    expect(keysOf(scan([meta(), ...newerFirst]))).toEqual([
      'r1',
      `${TURN}/20.0.2.0`,
      'r3',
      `${LATER_TURN}/40.0.4.0`,
    ])
    const olderFirst = [NO_TOTAL, call('a'), count(1), ...newerRun('r2', 2, TURN)]
    const facts = scan([meta(), prompt('Hi'), OLD_CONTEXT, ...olderFirst, ...olderRun(2), count(3)])
    expect(keysOf(facts)).toEqual([`${THREAD}/10.0.1.0`, 'r2', `${TURN}/30.0.3.0`])
  })

  test('are counted once when the agent was killed before the total of a record', () => {
    const killed = [meta(), turn(TURN), call('a'), record('r1', 1), count(1), call('b')]
    const last = record('r2', 2, TURN, usage(20, 2))
    const older = [...killed, last, prompt('Hi'), OLD_CONTEXT, count(1), call('c'), count(3)]
    expect(keysOf(scan(older))).toEqual(['r1', 'r2', `${TURN}/30.0.3.0`])
    const newer = [...killed, last, turn(LAST_TURN), prompt('Hi'), count(2, usage(20, 2))]
    expect(keysOf(scan(newer))).toEqual(['r1', 'r2'])
  })

  test('have a key without a response id', () => {
    expect(
      keysOf(scan([meta(), row('token_usage_record', {turn_id: 't', usage: usage(1, 1)})])),
    ).toEqual(['t/0.0.0.0'])
  })

  test('have no negative tokens', () => {
    const damaged = {input_tokens: 1, cached_input_tokens: 5, output_tokens: -3}
    const facts = scan([meta(), row('token_usage_record', {response_id: 'r', usage: damaged})])
    expect(facts.requests[0]?.tokens).toMatchObject({input: 0, cacheRead: 5, output: 0})
  })
})

describe('calls', () => {
  test('belong to the request that is counted after them', () => {
    const facts = scan([
      meta(),
      turn(TURN),
      call('a'),
      call('b'),
      record('r1', 1),
      call('c'),
      record('r2', 2),
    ])
    expect(callsOf(facts)).toEqual([2, 1])
  })

  test('belong to the request that is counted before them, as in 0.45', () => {
    const first = [count(1), call('a'), call('b'), count(1), count(2), call('c'), count(3)]
    const facts = scan([meta(), prompt('Hi'), ...first, message('assistant')])
    expect([callsOf(facts), facts.isTurnOver]).toEqual([[2, 1, 0], true])
    const rows = [prompt('Again'), row('compacted', {}), count(4), call('d')]
    const continued = scan([meta(), prompt('Hi'), ...first, ...rows])
    expect([callsOf(continued), continued.isTurnOver]).toEqual([[2, 1, 0, 1], false])
  })

  test('belong to the request after them when a newer version continues a thread of 0.45', () => {
    const newer = [prompt('Again'), call('b'), count(2), message('assistant'), count(3)]
    const facts = scan([meta(), prompt('Hi'), count(1), call('a'), ...newer])
    expect([callsOf(facts), facts.isTurnOver]).toEqual([[1, 1, 0], true])
  })

  test('belong to the latest request when the agent was killed', () => {
    const facts = scan([meta(), turn(TURN), call('a'), record('r1', 1), call('b')])
    expect(callsOf(facts)).toEqual([2])
  })

  test('belong to no request of a fork when their request was not copied', () => {
    const copied = [meta({id: CHILD}), meta(), turn(TURN), call('a')]
    const facts = scan([...copied, turn(LATER_TURN), call('b'), count(1)], CHILD)
    expect(callsOf(facts)).toEqual([1])
  })

  test('count once when a row is repeated', () => {
    const repeated = row('response_item', {type: 'web_search_call', action: {query: 'x'}})
    const facts = createFacts()
    const {read} = codexTranscripts.createScanner(facts, {
      path: 'x',
      file: {storage: 'lines'},
      readText: () => undefined,
      listFiles: () => [],
      query: () => [],
    })
    for (const item of [meta(), repeated, repeated, record('r1', 1)]) read(item)
    expect(callsOf(facts)).toEqual([1])
    expect(facts.sessionId).toBe(THREAD)
  })
})

describe('facts', () => {
  test('describe the session', () => {
    const context = row('turn_context', {turn_id: TURN, model: 'gpt-5.5', cwd: '/q'})
    const facts = scan([meta({timestamp: '2026-11-16T17:00:00.000Z'}), context, prompt('Hello')])
    expect(facts).toMatchObject({
      sessionId: THREAD,
      cwd: '/p',
      model: 'gpt-5.5',
      agentVersion: '0.140.0',
      prompt: 'Hello',
      startedAt: Date.UTC(2026, 10, 16, 17),
      isTurnOver: false,
    })
    expect(facts.parentId).toBe(undefined)
  })

  test('have the last name from the list of names, or from a row', () => {
    const name = (id: string, text: string) => JSON.stringify({id, thread_name: text})
    const names = [name(THREAD, 'Old'), name(CHILD, 'Other'), name(THREAD, 'New')].join('\n')
    expect(scan([meta()], THREAD, names).title).toBe('New')
    expect(scan([meta()], THREAD, '{}').title).toBe(undefined)
    expect(scan([meta(), event('thread_name_updated', {thread_name: 'Now'})]).title).toBe('Now')
  })

  test('have the main session of a sub-agent, which older versions only name as the parent', () => {
    const spawn = {thread_spawn: {parent_thread_id: THREAD, depth: 1}}
    const child = (fields: JsonObject) => scan([meta({id: CHILD, ...fields})], CHILD)
    expect(child({session_id: THREAD, parent_thread_id: 'another'})).toMatchObject({
      sessionId: THREAD,
      parentId: 'another',
    })
    expect(child({source: {subagent: spawn}})).toMatchObject({sessionId: THREAD, parentId: THREAD})
  })

  test('have the main session of a sub-agent that another one started', () => {
    const spawn = (parent_thread_id: string, depth: number) => ({
      source: {subagent: {thread_spawn: {parent_thread_id, depth}}},
    })
    const files: Record<string, JsonObject> = {
      [`rollout-${THREAD}.jsonl`]: meta(),
      [`rollout-${CHILD}.jsonl`]: meta({id: CHILD, ...spawn(THREAD, 1)}),
    }
    const facts = createFacts()
    const scanner = codexTranscripts.createScanner(facts, {
      path: `sessions/rollout-${NESTED}.jsonl`,
      file: {storage: 'lines'},
      readText: (path) => JSON.stringify(files[path.slice('sessions/'.length)]),
      listFiles: () => Object.keys(files),
      query: () => [],
    })
    scanner.read(meta({id: NESTED, ...spawn(CHILD, 2)}))
    expect(facts).toMatchObject({sessionId: THREAD, parentId: CHILD})
    expect(scan([meta({id: NESTED, ...spawn(CHILD, 2)})], NESTED).sessionId).toBe(CHILD)
  })

  test('have the own prompt of a fork, or that of its origin until there is one', () => {
    const copied = [meta({id: CHILD, forked_from_id: THREAD}), meta(), turn(TURN), prompt('First')]
    expect(scan(copied, CHILD)).toMatchObject({prompt: 'First', forkedFrom: THREAD})
    const own = [turn(LATER_TURN), prompt('Second'), prompt('Third')]
    const facts = scan([...copied, ...own], CHILD)
    expect(facts).toMatchObject({prompt: 'Second', sessionId: CHILD})
  })

  test('have the time of the origin for requests that a fork has copied', () => {
    const rows = [meta({id: CHILD}), meta(), turn(TURN), call('a'), count(1)]
    expect(scan(rows, CHILD).requests[0]?.at).toBe(1000)
  })

  test('detect own turns by time when ids have none', () => {
    const first = meta({id: CHILD, timestamp: '2026-11-16T18:00:00.500Z'})
    const copied = event('task_started', {turn_id: 'x', started_at: Date.UTC(2026, 10, 16) / 1000})
    const own = event('task_started', {
      turn_id: 'y',
      started_at: Date.UTC(2026, 10, 16, 18) / 1000,
    })
    const unknown = event('task_started', {turn_id: 'z'})
    const rows = [first, meta(), copied, prompt('First'), unknown, prompt('Second'), own]
    expect(scan([...rows, prompt('Third')], CHILD).prompt).toBe('Third')
  })

  test('skip the copied rows of a sub-agent by their numbers', () => {
    const numbered = (ordinal: number, item: JsonObject) => ({...item, ordinal})
    const facts = scan(
      [
        numbered(0, meta({id: CHILD, subagent_history_start_ordinal: 3})),
        numbered(1, meta()),
        numbered(2, prompt('First')),
        numbered(3, prompt('Second')),
      ],
      CHILD,
    )
    expect(facts.prompt).toBe('Second')
  })

  test.each([
    ['the state of an editor', '# Context\n## My request for Codex:\nDo it', 'Do it'],
    ['the environment', '<environment_context>\n</environment_context>', undefined],
  ])('have no prompt from %s', (_, text, expected) => {
    expect(scan([meta(), prompt(text)]).prompt).toBe(expected)
  })

  test('have no prompt from instructions in versions of 2025', () => {
    const rows = [meta(), event('user_message', {message: 'Be brief', kind: 'user_instructions'})]
    expect(scan([...rows, event('user_message', {message: 'Go', kind: 'plain'})]).prompt).toBe('Go')
  })

  test('report whether the agent waits for a prompt', () => {
    const isOver = (...rows: JsonObject[]) => scan([meta(), ...rows]).isTurnOver
    expect(isOver(turn(TURN))).toBe(false)
    expect(isOver(turn(TURN), event('task_complete'))).toBe(true)
    expect(isOver(turn(TURN), event('turn_aborted'))).toBe(true)
    expect(isOver(prompt('Hi'), call('a'), count(1))).toBe(false)
    expect(isOver(prompt('Hi'), message('assistant'), count(1))).toBe(true)
  })

  test('report the end of a turn when an older version continues a thread', () => {
    const newer = [meta(), turn(TURN), record('r1', 1), event('task_complete'), prompt('Hi')]
    const facts = scan([...newer, OLD_CONTEXT, message('assistant'), count(2, usage(20, 2))])
    expect(facts.isTurnOver).toBe(true)
  })

  test('have the session of the first versions, whose rows have no envelope', () => {
    const rows = [
      {id: THREAD, timestamp: '2025-07-01T00:00:00.000Z', instructions: null},
      {record_type: 'state'},
      {type: 'message', role: 'user', content: [{type: 'input_text', text: 'Hi'}]},
    ]
    expect(scan(rows)).toMatchObject({
      sessionId: THREAD,
      startedAt: Date.UTC(2025, 6, 1),
      prompt: 'Hi',
    })
  })
})

describe('files', () => {
  const identify = codexTranscripts.identify

  test.each([
    ['sessions/2026/11/16/rollout-a.jsonl', {storage: 'lines'}],
    ['archived_sessions/rollout-a.jsonl', {storage: 'lines'}],
    ['sessions/2026/11/16/rollout-a.jsonl.zst', {storage: 'lines', compression: 'zstd'}],
    ['history.jsonl', undefined],
    ['sessions/2026/11/16/notes.jsonl', undefined],
    ['log/rollout-a.jsonl', undefined],
  ])('are identified by their path: %s', (path, expected) => {
    expect(identify(path)).toEqual(expected)
  })

  test('are in the folder of the environment, or else in the home folder', () => {
    const roots = (env: Record<string, string>) => codexTranscripts.roots({home: '/h', env})
    expect(roots({})).toEqual(['/h/.codex'])
    expect(roots({CODEX_HOME: ''})).toEqual(['/h/.codex'])
    expect(roots({CODEX_HOME: '/other/'})).toEqual(['/other'])
  })

  test('are below two folders', () => {
    const folders = ['sessions', 'sessions/2026/11', 'archived_sessions', 'log', 'sessions_old']
    expect(folders.filter(codexTranscripts.hasTranscripts)).toEqual(folders.slice(0, 3))
  })
})
