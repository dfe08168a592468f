import {describe, expect, test} from 'vitest'
import type {Adapter, Draft} from './adapter.ts'
import {createEventDecoder, createEventParser} from './event-parser.ts'
import type {JsonObject} from '../wire/json.ts'
import {defineShapes} from './shapes.ts'

/** An agent that prints its drafts as they are: `{"kind":"say","drafts":[…]}`. */
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
  shapes: defineShapes({say: 'kind drafts blocks@block asks', 'block@known': 'type'}),
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

function say(...drafts: unknown[]) {
  return {kind: 'say', drafts}
}

const start = {type: 'tool-start', toolId: 't', name: 'sh', tool: 'Bash', input: {command: 'ls'}}
const end = {type: 'tool-end', toolId: 't', ok: true, output: 'a\n'}

test('an event has its line, its time and its agent', () => {
  expect(
    read(say(), say({type: 'text', text: 'a'}), say({type: 'text', text: 'b', at: 7})),
  ).toEqual([
    {type: 'text', text: 'a', line: 2, at: 500, agent: 'echo'},
    {type: 'text', text: 'b', line: 3, at: 7, agent: 'echo'},
  ])
})

describe('a tool', () => {
  test('gets its summary and the length of its output', () => {
    expect(read(say(start), say(end))).toMatchObject([{summary: 'ls'}, {outputLength: 2}])
  })

  test('keeps a summary of its own', () => {
    expect(read(say({...start, summary: 'mine'}))).toMatchObject([{summary: 'mine'}])
  })

  test('starts once and ends once', () => {
    const types = read(say(start, start), say(end), say(start), say(end)).map(({type}) => type)
    expect(types).toEqual(['tool-start', 'tool-end'])
  })

  test('may end without a start, as in a recording that begins late', () => {
    expect(read(say(end), say(end)).map(({type}) => type)).toEqual(['tool-end'])
  })

  test('changes a file once, however often that is told', () => {
    const change = {type: 'file-change', path: 'a', action: 'created', toolId: 't'}
    const update = {type: 'tool-update', toolId: 't'}
    const line = say(start, update, change, end)
    const types = read(line, line).map(({type}) => type)
    expect(types).toEqual(['tool-start', 'tool-update', 'file-change', 'tool-end'])
  })

  test('may start anew in another session, or when its process did', () => {
    const session = (sessionId: string, more = {}) => ({type: 'session-start', sessionId, ...more})
    const again = say(start, end)
    expect(read(say(session('a')), again, say(session('a')), again)).toHaveLength(4)
    expect(read(say(session('a')), again, say(session('b')), again)).toHaveLength(6)
    const restarted = read(again, say(session('a', {isRestart: true})), again)
    expect(restarted).toHaveLength(5)
    expect(restarted[2]).toEqual({...session('a'), line: 2, at: 500, agent: 'echo'})
  })

  test('that is open is unfinished when another session begins', () => {
    const session = {type: 'session-start', sessionId: 'a', isRestart: true}
    const other = {...start, input: {command: 'rm'}}
    expect(read(say(start), say(session), say(other))).toMatchObject([
      {type: 'tool-start', summary: 'ls'},
      {type: 'tool-end', unfinished: true},
      {type: 'session-start'},
      {type: 'tool-start', summary: 'rm'},
    ])
  })

  test('took as long as the agent says', () => {
    const timed = read(say({...start, at: 1000}), say({...end, at: 1250}))
    expect(timed[1]).toMatchObject({durationMs: 250})
    const told = read(say({...start, at: 1000}), say({...end, at: 1250, durationMs: 9}))
    expect(told[1]).toMatchObject({durationMs: 9})
  })

  test('has no duration by two clocks, or by none', () => {
    expect(read(say({...start, at: 100}), say(end))[1]).not.toHaveProperty('durationMs')
    expect(read(say(start), say(end))[1]).not.toHaveProperty('durationMs')
    expect(read(say({...start, at: 9}), say({...end, at: 4}))[1]).not.toHaveProperty('durationMs')
  })

  test('took as long as it seemed, where the agent tells no times', () => {
    let now = 0
    const parser = createEventParser(adapter, {now: () => (now += 100)})
    parser.parse(JSON.stringify(say(start)))
    expect(parser.parse(JSON.stringify(say(end)))).toMatchObject([{durationMs: 100}])
  })

  test('can be asked for by the translator while it is open', () => {
    const asks = {kind: 'say', asks: 't'}
    const texts = read(asks, say(start), asks, say(end), asks).flatMap((event) =>
      event.type === 'text' ? [event.text] : [],
    )
    expect(texts).toEqual([undefined, expect.stringContaining('"command":"ls"'), undefined])
  })

  test('that is open at the end is unfinished', () => {
    const parser = createEventParser(adapter, {now: () => 500})
    parser.parse(JSON.stringify(say(start)))
    expect(parser.end()).toMatchObject([
      {type: 'text', text: 'over', line: 1},
      {type: 'tool-end', toolId: 't', ok: false, unfinished: true, output: '', outputLength: 0},
    ])
  })

  test('is remembered for a while when it is done, but not for ever', () => {
    const parser = createEventParser(adapter)
    const line = (id: number, draft: object) => JSON.stringify(say({...draft, toolId: `t${id}`}))
    for (let id = 0; id < 3000; id++) {
      parser.parse(line(id, start))
      parser.parse(line(id, end))
    }
    expect(parser.parse(line(2999, start))).toEqual([])
    expect(parser.parse(line(0, start))).toHaveLength(1)
  })
})

describe('a line', () => {
  test('that is blank counts, and says nothing', () => {
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

  test('of an unknown kind is kept, and counted by version', () => {
    const parser = createEventParser(adapter, {now: () => 1})
    const line = '{"kind":"novel","a":1}\n'
    expect(parser.parse(line)).toMatchObject([{type: 'unknown', raw: line, reason: 'novel'}])
    parser.parse(JSON.stringify(say({type: 'session-start', sessionId: 's', agentVersion: '9.1'})))
    parser.parse(line)
    expect(parser.drift()).toMatchObject([
      {name: 'novel', version: undefined, line: 1},
      {name: 'novel', version: '9.1', line: 3},
    ])
  })

  test('with an unknown block says what is known, and is kept', () => {
    const record = {...say({type: 'text', text: 'a'}), blocks: [{type: 'known'}, {type: 'novel'}]}
    expect(read(record)).toMatchObject([
      {type: 'text', text: 'a'},
      {type: 'unknown', raw: JSON.stringify(record), reason: 'say/novel'},
    ])
  })

  test('with an unknown field is drift, and no event of its own', () => {
    const parser = createEventParser(adapter)
    expect(parser.parse('{"kind":"say","extra":1}')).toEqual([])
    expect(parser.drift()).toMatchObject([{kind: 'field', name: 'say.extra'}])
  })

  test('that its translator fails on is kept, and the stream goes on', () => {
    const broken: Adapter = {
      ...adapter,
      createTranslator: () => ({
        translate: () => {
          throw new Error('a bug')
        },
      }),
    }
    const parser = createEventParser(broken, {now: () => 1})
    const line = JSON.stringify(say())
    expect(parser.parse(line)).toEqual([
      {type: 'unknown', raw: line, reason: 'could not be read', line: 1, at: 1, agent: 'echo'},
    ])
    expect(parser.parse('{"kind":"novel"}')).toHaveLength(1)
  })

  test.each(['1', '"a"', 'null', '[[]]', '[1]'])(
    'of JSON that is no object is kept: %s',
    (line) => {
      expect(createEventParser(adapter).parse(line)).toMatchObject([
        {type: 'unknown', reason: 'not an object'},
      ])
    },
  )

  test('that holds a whole run is read as its lines would be', () => {
    const run = [say(start), {kind: 'novel'}, say(end)]
    expect(createEventParser(adapter).parse(JSON.stringify(run))).toMatchObject([
      {type: 'tool-start', line: 1},
      {type: 'unknown', raw: '{"kind":"novel"}', line: 1},
      {type: 'tool-end', line: 1},
    ])
  })
})

test('a decoder reads bytes in any chunks, and knows how many lines there were', () => {
  const decoder = createEventDecoder(adapter, {now: () => 1, maxLineBytes: 100})
  const text = `${JSON.stringify(say({type: 'text', text: 'é'}))}\n\n${'x'.repeat(200)}\n{"half`
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
  decoder.push('{"kind":"novel"}\n{"kind":"say","a":1,"b":2}\n5\n')
  expect([decoder.lineCount, decoder.driftCount]).toEqual([7, 3])
  expect(decoder.agent).toBe('echo')
  expect(decoder.drift().map(({name}) => name)).toEqual([
    'novel',
    'say.a',
    'say.b',
    '(not an object)',
  ])
})
