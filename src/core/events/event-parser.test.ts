import {describe, expect, test} from 'vitest'
import type {Adapter, Draft} from './adapter.ts'
import {createEventDecoder, createEventParser} from './event-parser.ts'
import type {JsonObject} from '../wire/json.ts'
import {defineShapes} from './shapes.ts'

/** An agent that prints its drafts as they are: `{"kind":"emit","drafts":[…]}`. */
const adapter: Adapter = {
  id: 'echo',
  label: 'Echo',
  commands: ['echo'],
  packages: [],
  detect: () => 0,
  flags: () => [],
  printsText: () => false,
  findPrompt: () => undefined,
  env: {},
  reports: {thinking: false, permissions: false, cost: false},
  exitCodes: {},
  kindOf: (record) => String(record['kind']),
  shapes: defineShapes({emit: 'kind drafts blocks@block asks', 'block@known': 'type'}),
  createTranslator: ({openTool}) => ({
    translate: ({drafts, asks}: JsonObject) =>
      typeof asks === 'string'
        ? [{type: 'text', text: JSON.stringify(openTool(asks))}]
        : ((drafts ?? []) as Draft[]),
    end: () => [{type: 'text', text: 'over'}],
  }),
}
function read(...records: unknown[]) {
  const parser = createEventParser(adapter, {now: () => 500})
  return records.flatMap((record) => parser.parse(JSON.stringify(record)))
}

function emit(...drafts: unknown[]) {
  return {kind: 'emit', drafts}
}

const start = {type: 'tool-start', toolId: 't', name: 'sh', tool: 'Bash', input: {command: 'ls'}}
const end = {type: 'tool-end', toolId: 't', ok: true, output: 'a\n'}

test('an event has a line, a time and an agent', () => {
  expect(
    read(emit(), emit({type: 'text', text: 'a'}), emit({type: 'text', text: 'b', at: 7})),
  ).toEqual([
    {type: 'text', text: 'a', line: 2, at: 500, agent: 'echo'},
    {type: 'text', text: 'b', line: 3, at: 7, agent: 'echo'},
  ])
})

describe('a tool', () => {
  test('gets a summary and the length of its output', () => {
    expect(read(emit(start), emit(end))).toMatchObject([{summary: 'ls'}, {outputLength: 2}])
  })

  test('keeps a summary from the translator', () => {
    expect(read(emit({...start, summary: 'mine'}))).toMatchObject([{summary: 'mine'}])
  })

  test('starts once and ends once', () => {
    const types = read(emit(start, start), emit(end), emit(start), emit(end)).map(({type}) => type)
    expect(types).toEqual(['tool-start', 'tool-end'])
  })

  test('may end without a start, as in a recording that begins late', () => {
    expect(read(emit(end), emit(end)).map(({type}) => type)).toEqual(['tool-end'])
  })

  test('changes a file once, however often the agent reports it', () => {
    const change = {type: 'file-change', path: 'a', action: 'created', toolId: 't'}
    const update = {type: 'tool-update', toolId: 't'}
    const line = emit(start, update, change, end)
    const types = read(line, line).map(({type}) => type)
    expect(types).toEqual(['tool-start', 'tool-update', 'file-change', 'tool-end'])
  })

  test('may start again in another session or process', () => {
    const session = (sessionId: string, more = {}) => ({type: 'session-start', sessionId, ...more})
    const again = emit(start, end)
    expect(read(emit(session('a')), again, emit(session('a')), again)).toHaveLength(4)
    expect(read(emit(session('a')), again, emit(session('b')), again)).toHaveLength(6)
    const restarted = read(again, emit(session('a', {isRestart: true})), again)
    expect(restarted).toHaveLength(5)
    expect(restarted[2]).toEqual({...session('a'), line: 2, at: 500, agent: 'echo'})
  })

  test('ends as unfinished when another session begins', () => {
    const session = {type: 'session-start', sessionId: 'a', isRestart: true}
    const other = {...start, input: {command: 'rm'}}
    expect(read(emit(start), emit(session), emit(other))).toMatchObject([
      {type: 'tool-start', summary: 'ls'},
      {type: 'tool-end', unfinished: true},
      {type: 'session-start'},
      {type: 'tool-start', summary: 'rm'},
    ])
  })

  test('has the duration between two times of the agent', () => {
    const timed = read(emit({...start, at: 1000}), emit({...end, at: 1250}))
    expect(timed[1]).toMatchObject({durationMs: 250})
    const reported = read(emit({...start, at: 1000}), emit({...end, at: 1250, durationMs: 9}))
    expect(reported[1]).toMatchObject({durationMs: 9})
  })

  test('has no duration by two clocks, or without times', () => {
    expect(read(emit({...start, at: 100}), emit(end))[1]).not.toHaveProperty('durationMs')
    expect(read(emit(start), emit(end))[1]).not.toHaveProperty('durationMs')
    expect(read(emit({...start, at: 9}), emit({...end, at: 4}))[1]).not.toHaveProperty('durationMs')
  })

  test('has the duration by our clock when the agent reports no times', () => {
    let now = 0
    const parser = createEventParser(adapter, {now: () => (now += 100)})
    parser.parse(JSON.stringify(emit(start)))
    expect(parser.parse(JSON.stringify(emit(end)))).toMatchObject([{durationMs: 100}])
  })

  test('is available to the translator while it is open', () => {
    const asks = {kind: 'emit', asks: 't'}
    const texts = read(asks, emit(start), asks, emit(end), asks).flatMap((event) =>
      event.type === 'text' ? [event.text] : [],
    )
    expect(texts).toEqual([undefined, expect.stringContaining('"command":"ls"'), undefined])
  })

  test('ends as unfinished when the stream ends', () => {
    const parser = createEventParser(adapter, {now: () => 500})
    parser.parse(JSON.stringify(emit(start)))
    expect(parser.end()).toMatchObject([
      {type: 'text', text: 'over', line: 1},
      {type: 'tool-end', toolId: 't', ok: false, unfinished: true, output: '', outputLength: 0},
    ])
  })

  test('is remembered after its end, up to a limit', () => {
    const parser = createEventParser(adapter)
    const line = (id: number, draft: object) => JSON.stringify(emit({...draft, toolId: `t${id}`}))
    for (let id = 0; id < 3000; id++) {
      parser.parse(line(id, start))
      parser.parse(line(id, end))
    }
    expect(parser.parse(line(2999, start))).toEqual([])
    expect(parser.parse(line(0, start))).toHaveLength(1)
  })
})

describe('a line', () => {
  test('counts when it is blank, and emits nothing', () => {
    const parser = createEventParser(adapter, {now: () => 1})
    expect(parser.parse('\n')).toEqual([])
    expect(parser.parse('{"a"')).toEqual([
      {
        type: 'malformed',
        raw: '{"a"',
        reason: 'invalid-json',
        size: 4,
        line: 2,
        at: 1,
        agent: 'echo',
      },
    ])
  })

  test('is kept and counted per version when its kind is unknown', () => {
    const parser = createEventParser(adapter, {now: () => 1})
    const line = '{"kind":"novel","a":1}\n'
    expect(parser.parse(line)).toMatchObject([{type: 'unknown', raw: line, reason: 'novel'}])
    parser.parse(JSON.stringify(emit({type: 'session-start', sessionId: 's', agentVersion: '9.1'})))
    parser.parse(line)
    expect(parser.drift()).toMatchObject([
      {name: 'novel', version: undefined, line: 1},
      {name: 'novel', version: '9.1', line: 3},
    ])
  })

  test('with an unknown block emits the known parts and is kept', () => {
    const record = {...emit({type: 'text', text: 'a'}), blocks: [{type: 'known'}, {type: 'novel'}]}
    expect(read(record)).toMatchObject([
      {type: 'text', text: 'a'},
      {type: 'unknown', raw: JSON.stringify(record), reason: 'emit/novel'},
    ])
  })

  test('with an unknown field is drift without an event', () => {
    const parser = createEventParser(adapter)
    expect(parser.parse('{"kind":"emit","extra":1}')).toEqual([])
    expect(parser.drift()).toMatchObject([{kind: 'field', name: 'emit.extra'}])
  })

  test('is kept when its translator throws, and parsing continues', () => {
    const broken: Adapter = {
      ...adapter,
      createTranslator: () => ({
        translate: () => {
          throw new Error('a bug')
        },
      }),
    }
    const parser = createEventParser(broken, {now: () => 1})
    const line = JSON.stringify(emit())
    expect(parser.parse(line)).toEqual([
      {type: 'unknown', raw: line, reason: 'could not be read', line: 1, at: 1, agent: 'echo'},
    ])
    expect(parser.parse('{"kind":"novel"}')).toHaveLength(1)
  })

  test.each(['1', '"a"', 'null', '[[]]', '[1]'])('is kept when it is not an object: %s', (line) => {
    expect(createEventParser(adapter).parse(line)).toMatchObject([
      {type: 'unknown', reason: 'not an object'},
    ])
  })

  test('with a list of records is parsed like lines', () => {
    const run = [emit(start), {kind: 'novel'}, emit(end)]
    expect(createEventParser(adapter).parse(JSON.stringify(run))).toMatchObject([
      {type: 'tool-start', line: 1},
      {type: 'unknown', raw: '{"kind":"novel"}', line: 1},
      {type: 'tool-end', line: 1},
    ])
  })
})

test('a decoder reads bytes in any chunks and counts lines', () => {
  const decoder = createEventDecoder(adapter, {now: () => 1, maxLineBytes: 100})
  const text = `${JSON.stringify(emit({type: 'text', text: 'é'}))}\n\n${'x'.repeat(200)}\n{"half`
  const bytes = new TextEncoder().encode(text)
  const events = [...bytes].flatMap((byte) => decoder.push(Uint8Array.of(byte)))
  events.push(...decoder.end())
  expect(events).toMatchObject([
    {type: 'text', text: 'é', line: 1},
    {type: 'malformed', raw: '', reason: 'line-too-long', size: 200, line: 3},
    {type: 'malformed', raw: '{"half', line: 4},
    {type: 'text', text: 'over', line: 4},
  ])
  expect([decoder.lineCount, decoder.driftCount]).toEqual([4, 0])
  decoder.push('{"kind":"novel"}\n{"kind":"emit","a":1,"b":2}\n5\n')
  expect([decoder.lineCount, decoder.driftCount]).toEqual([7, 3])
  expect(decoder.agent).toBe('echo')
  expect(decoder.drift().map(({name}) => name)).toEqual([
    'novel',
    'emit.a',
    'emit.b',
    '(not an object)',
  ])
})
