import {readFileSync} from 'node:fs'
import {inspect} from 'node:util'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {ClaudeStreamJsonParseError, ClaudeStreamJsonParser, type ParseOutcome} from './contract.ts'

interface Vector {
  name: string
  line: string
  expect: {
    event?: {kind: string; sessionId: string | null; subtype?: string; streamType?: string} | null
    error?: string
  }
}

const {vectors} = JSON.parse(
  readFileSync(new URL('fixtures/contract-v1.json', import.meta.url), 'utf8'),
) as {vectors: Vector[]}

const parser = new ClaudeStreamJsonParser()

/** An outcome in the words of the vectors. */
function summarize(outcome: ParseOutcome): Vector['expect'] {
  if (!outcome.ok) return {error: outcome.error.code}
  const {event} = outcome
  if (event === null) return {event}
  const {kind, sessionId} = event
  if (kind === 'system_other') return {event: {kind, sessionId, subtype: event.subtype}}
  if (kind === 'stream_event') return {event: {kind, sessionId, streamType: event.stream.eventType}}
  return {event: {kind, sessionId}}
}

const parse = (line: string) => summarize(parser.parseLine(line))

test.each(vectors)('vector: $name', ({line, expect: expected}) => {
  expect(parse(line)).toEqual(expected)
})

describe('a line', () => {
  const user = '{"type":"user","session_id":"s"}'
  const userEvent = {event: {kind: 'user_message', sessionId: 's'}}

  test('loses one carriage return and is not trimmed', () => {
    expect(parse(`${user}\r`)).toEqual(userEvent)
    // White space of JSON's own is no matter of trimming.
    expect(parse(` \t${user} \n\r\r`)).toEqual(userEvent)
    expect(parse(`\u00a0${user}`)).toEqual({error: 'json_parse'})
    expect(parse(`${user}\u2028`)).toEqual({error: 'json_parse'})
    expect(parse(`\uFEFF${user}`)).toEqual({error: 'json_parse'})
    expect(parse(`${user}\0`)).toEqual({error: 'json_parse'})
  })

  test.each(['\r\r', '\n', '\u00a0', '\u2028\u2029', '\u0085', '\u3000 \v\f\r'])(
    'emits no event when it is white space: %j',
    (line) => {
      expect(parse(line)).toEqual({event: null})
    },
  )

  test('may be a long line of white space', () => {
    expect(parse('\u2003'.repeat(8 << 20))).toEqual({event: null})
    expect(parse(`${' '.repeat(8 << 20)}\u2003x`)).toEqual({error: 'json_parse'})
  })

  test('is not blank when it is a byte order mark', () => {
    expect(parse('\uFEFF')).toEqual({error: 'json_parse'})
  })

  test.each(['null', 'true', '7', '"system"', '[]', '[{"type":"user","session_id":"s"}]'])(
    'is an error when it is not an object: %s',
    (line) => {
      expect(parse(line)).toEqual({error: 'typed_parse'})
    },
  )

  test.each(['{"type":null}', '{"type":7}', '{"type":["system"]}', '{}'])(
    'without a type is an error: %s',
    (line) => {
      expect(parse(line)).toEqual({error: 'typed_parse'})
    },
  )

  test('keeps the complete value', () => {
    const line = '{"type":"user","session_id":"s","new":[1,{"a":null}],"__proto__":{"x":1}}'
    const outcome = parser.parseLine(line)
    expect(outcome.ok && JSON.stringify(outcome.event?.raw)).toBe(line)
  })

  test('may be nested 100,000 levels deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(parse(`{"type":"user","session_id":"s","deep":${deep}}`)).toEqual(userEvent)
    expect(parse(deep)).toEqual({error: 'typed_parse'})
    expect(parse(deep.slice(1))).toEqual({error: 'json_parse'})
  })
})

describe('a session id', () => {
  test('is the first valid string of the two names', () => {
    expect(parse('{"type":"user","session_id":"a","sessionId":"b"}')).toEqual({
      event: {kind: 'user_message', sessionId: 'a'},
    })
    expect(parse('{"sessionId":"b","session_id":"a","type":"user"}')).toEqual({
      event: {kind: 'user_message', sessionId: 'a'},
    })
    expect(parse('{"type":"user","session_id":7,"sessionId":"b"}')).toEqual({
      event: {kind: 'user_message', sessionId: 'b'},
    })
    expect(parse('{"type":"user","session_id":null,"sessionId":"b"}')).toEqual({
      event: {kind: 'user_message', sessionId: 'b'},
    })
    expect(parse('{"type":"user","session_id":"","sessionId":"b"}')).toEqual({
      event: {kind: 'user_message', sessionId: ''},
    })
  })

  test.each(['null', '7', '{}', '["s"]', 'true'])('is not %s', (value) => {
    expect(parse(`{"type":"user","session_id":${value}}`)).toEqual({error: 'typed_parse'})
    expect(parse(`{"type":"novel","session_id":${value}}`)).toEqual({
      event: {kind: 'unknown', sessionId: null},
    })
  })

  test('may have either name for an unknown type', () => {
    expect(parse('{"type":"novel","sessionId":"b"}')).toEqual({
      event: {kind: 'unknown', sessionId: 'b'},
    })
  })
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'System', ''])(
  'the type %j is unknown like any other',
  (type) => {
    expect(parse(JSON.stringify({type}))).toEqual({event: {kind: 'unknown', sessionId: null}})
  },
)

describe('a result', () => {
  const result = (fields: string) => parse(`{"type":"result","session_id":"s",${fields}}`)
  const success = {event: {kind: 'result_success', sessionId: 's'}}
  const failure = {event: {kind: 'result_error', sessionId: 's'}}

  test.each<[string, Vector['expect']]>([
    ['"subtype":"success","is_error":false', success],
    ['"subtype":"success"', success],
    ['"subtype":"error","is_error":true', failure],
    ['"subtype":"error"', failure],
    ['"subtype":"success","is_error":true', {error: 'normalize'}],
    ['"subtype":"error","is_error":false', {error: 'normalize'}],
    ['"subtype":"success","is_error":null', {error: 'typed_parse'}],
    ['"subtype":"success","is_error":"false"', {error: 'typed_parse'}],
    ['"subtype":"error","is_error":1', {error: 'typed_parse'}],
    ['"subtype":"error_max_turns","is_error":true', {error: 'typed_parse'}],
    ['"subtype":"error_max_turns","is_error":false', {error: 'typed_parse'}],
    ['"subtype":"Success"', {error: 'typed_parse'}],
    ['"subtype":null', {error: 'typed_parse'}],
    ['"is_error":true', {error: 'typed_parse'}],
  ])('is accepted or rejected with %s', (fields, expected) => {
    expect(result(fields)).toEqual(expected)
  })

  test('reports the missing session before a contradiction', () => {
    expect(parse('{"type":"result","subtype":"success","is_error":true}')).toEqual({
      error: 'typed_parse',
    })
  })
})

test.each([
  '{"type":"stream_event","session_id":"s","event":null}',
  '{"type":"stream_event","session_id":"s","event":[]}',
  '{"type":"stream_event","session_id":"s","event":"message_start"}',
  '{"type":"stream_event","session_id":"s","event":{}}',
  '{"type":"stream_event","session_id":"s","event":{"type":1}}',
  '{"type":"system","session_id":"s","subtype":null}',
  '{"type":"system","session_id":"s","subtype":{}}',
])('a wrong shape is an error: %s', (line) => {
  expect(parse(line)).toEqual({error: 'typed_parse'})
})

test('a stream event contains the wrapped event', () => {
  const outcome = parser.parseLine(
    '{"type":"stream_event","session_id":"s","event":{"type":"ping","a":1}}',
  )
  expect(outcome).toEqual({
    ok: true,
    event: {
      kind: 'stream_event',
      sessionId: 's',
      stream: {eventType: 'ping', raw: {type: 'ping', a: 1}},
      raw: {type: 'stream_event', session_id: 's', event: {type: 'ping', a: 1}},
    },
  })
})

describe('an error', () => {
  const secret = 'sk-ant-SECRET'
  const badLines = [
    `{"key":"${secret}"`,
    `${secret}`,
    `{"${secret}":1}`,
    `{"type":"user","${secret}":"${secret}"}`,
    `{"type":"system","session_id":"${secret}"}`,
    `{"type":"result","session_id":"s","subtype":"${secret}"}`,
    `{"type":"result","session_id":"s","subtype":"success","is_error":"${secret}"}`,
    `{"type":"result","session_id":"${secret}","subtype":"success","is_error":true}`,
    `{"type":"stream_event","session_id":"s","event":"${secret}"}`,
    `["${secret}"]`,
  ]

  test.each(badLines)('does not quote the line: %s', (line) => {
    const outcome = parser.parseLine(line)
    expect(outcome.ok).toBe(false)
    if (outcome.ok) return
    const {error} = outcome
    const renderings = [
      error.message,
      String(error),
      error.stack ?? '',
      JSON.stringify(error),
      JSON.stringify(error, Object.getOwnPropertyNames(error)),
      inspect(error, {showHidden: true, depth: Infinity}),
      inspect(error.cause),
    ]
    expect(renderings.join('\n')).not.toContain('SECRET')
  })

  test('is an error with a name and a code, in JSON too', () => {
    const outcome = parser.parseLine('nope')
    expect(outcome.ok).toBe(false)
    if (outcome.ok) return
    expect(outcome.error).toBeInstanceOf(ClaudeStreamJsonParseError)
    expect(outcome.error).toBeInstanceOf(Error)
    expect(JSON.parse(JSON.stringify(outcome.error))).toEqual({
      name: 'ClaudeStreamJsonParseError',
      code: 'json_parse',
      message: 'the line is not valid JSON',
    })
  })
})

describe('parseJson', () => {
  test('reads own properties only', () => {
    const inherited: unknown = Object.create({type: 'user', session_id: 's'})
    expect(summarize(parser.parseJson(inherited))).toEqual({error: 'typed_parse'})
    const half: unknown = Object.assign(Object.create({session_id: 's'}), {type: 'user'})
    expect(summarize(parser.parseJson(half))).toEqual({error: 'typed_parse'})
    const bare: unknown = Object.assign(Object.create(null), {type: 'user', session_id: 's'})
    expect(summarize(parser.parseJson(bare))).toEqual({
      event: {kind: 'user_message', sessionId: 's'},
    })
  })

  test('ignores a `__proto__` in the line', () => {
    expect(parse('{"__proto__":{"type":"user","session_id":"s"}}')).toEqual({error: 'typed_parse'})
    expect(parse('{"type":"user","__proto__":{"session_id":"s"}}')).toEqual({error: 'typed_parse'})
  })

  test.each([undefined, null, 7, 'user', [], () => {}, Symbol('user')])('rejects %o', (value) => {
    expect(summarize(parser.parseJson(value))).toEqual({error: 'typed_parse'})
  })

  test('accepts a value that is not JSON without throwing', () => {
    const hostile = {
      get type(): string {
        throw new Error('sk-ant-SECRET')
      },
    }
    const outcome = parser.parseJson(hostile)
    expect(summarize(outcome)).toEqual({error: 'unknown'})
    expect(inspect(outcome)).not.toContain('SECRET')
  })

  test('has the same outcome as parseLine for any line', () => {
    const field = fc.oneof(
      fc.constantFrom('system', 'user', 'result', 'stream_event', 'success', 'error', 'init', 's'),
      fc.boolean(),
      fc.constant(null),
      fc.record({type: fc.oneof(fc.string(), fc.integer())}),
      fc.jsonValue(),
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          type: field,
          subtype: field,
          session_id: field,
          sessionId: field,
          is_error: field,
          event: field,
        },
        {requiredKeys: []},
      ),
    )
    fc.assert(
      fc.property(value, (json) => {
        const line = JSON.stringify(json)
        const fromLine = parser.parseLine(line)
        const fromJson = parser.parseJson(JSON.parse(line))
        expect(summarize(fromLine)).toEqual(summarize(fromJson))
        expect(fromLine.ok && fromLine.event).toEqual(fromJson.ok && fromJson.event)
        parser.reset()
        expect(summarize(parser.parseLine(`${line}\r`))).toEqual(summarize(fromLine))
      }),
      {numRuns: 2000},
    )
  })

  test('never throws and never returns json_parse', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, line) => {
        const outcome = parser.parseJson(value)
        expect(outcome.ok || outcome.error.code).not.toBe('json_parse')
        expect(typeof parser.parseLine(line).ok).toBe('boolean')
      }),
    )
  })
})
