import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {isTerminal, type ClaudeEvent} from './events.ts'
import {parseRawEvent} from './parse-event.ts'

function parse(line: string): ClaudeEvent {
  return parseRawEvent(line).event
}

function extrasOf(event: ClaudeEvent): Readonly<Record<string, unknown>> {
  return 'extras' in event ? event.extras : {}
}

describe('a known line', () => {
  const line =
    '{"type":"system","cwd":"/tmp","tools":[],"model":"test","session_id":"abc","mcp_servers":[],"future_field":"captured","another_new_field":123}'

  test('keeps its text and its fields', () => {
    const {raw, event} = parseRawEvent(line)
    expect(raw).toBe(line)
    expect(event.type).toBe('system')
    expect(event).toMatchObject({cwd: '/tmp', model: 'test', session_id: 'abc'})
  })

  test('lists the fields without a type', () => {
    expect(extrasOf(parse(line))).toEqual({future_field: 'captured', another_new_field: 123})
    expect(extrasOf(parse('{"type":"result","result":"done"}'))).toEqual({})
    expect(extrasOf(parse('{"type":"control_request","session_id":"s"}'))).toEqual({
      session_id: 's',
    })
  })

  test('equals its JSON, including extras', () => {
    const {event} = parseRawEvent(line)
    expect(JSON.stringify(event)).toBe(line)
    expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event)
    expect(parse(JSON.stringify(event))).toStrictEqual(event)
  })

  test('is not changed by reading its extras', () => {
    const {event} = parseRawEvent(line)
    extrasOf(event)
    expect(JSON.stringify(event)).toBe(line)
    expect(extrasOf(event)).toEqual({future_field: 'captured', another_new_field: 123})
  })

  test('may have a field named extras', () => {
    const marked = '{"type":"keep_alive","extras":{"a":1},"more":2}'
    const event = parse(marked)
    expect(extrasOf(event)).toEqual({extras: {a: 1}, more: 2})
    expect(JSON.stringify(event)).toBe(marked)
  })

  test('may have a field with an empty name', () => {
    expect(extrasOf(parse('{"type":"ping","":1}'))).toEqual({'': 1})
  })

  test('may have field names of the object prototype', () => {
    const odd = '{"type":"keep_alive","__proto__":{"type":"x"},"constructor":1,"toString":2}'
    const extras = extrasOf(parse(odd))
    expect(Object.keys(extras)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(extras)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(parse(odd))).toBe(Object.prototype)
    expect(({} as {type?: string}).type).toBeUndefined()
  })

  test('may be a system line without a subtype, as in the first versions', () => {
    expect(parse('{"type":"system"}').type).toBe('system')
    expect(parse('{"type":"system","subtype":null}').type).toBe('system')
  })

  test.each([
    'success',
    'error_during_execution',
    'error_max_turns',
    'error_max_budget_usd',
    'error_max_structured_output_retries',
    'error',
    'from_the_future',
  ])('may be a result with the subtype %s', (subtype) => {
    const event = parse(JSON.stringify({type: 'result', subtype}))
    expect(event.type).toBe('result')
    expect(isTerminal(event)).toBe(true)
  })

  test.each(
    [
      'tool_use',
      'tool_result',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_start',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ].map((type) => [type]),
  )('may be a bare %s', (type) => {
    const event = parse(JSON.stringify({type, novel: 1}))
    expect(event.type).toBe(type)
    expect(extrasOf(event)).toEqual({novel: 1})
    expect(isTerminal(event)).toBe(false)
  })
})

describe('an unknown line', () => {
  test.each([
    '{"type":"future_event_type","data":"important","count":42}',
    '{"type":"system","subtype":"future_subtype","data":1}',
    '{"type":"system","subtype":7}',
    '{"type":"constructor"}',
    '{"type":"__proto__"}',
    '{"type":"other","value":1}',
    '{"type":7}',
    '{"subtype":"init"}',
    '{"__proto__":{"type":"result"}}',
    '{}',
    '[]',
    'null',
    '"text"',
    '0',
  ])('keeps its value: %s', (line) => {
    const event = parse(line)
    expect(event).toEqual({type: 'other', value: JSON.parse(line)})
    expect(isTerminal(event)).toBe(false)
  })
})

describe('a bad line', () => {
  test.each([
    ['half a line', '{"type":"assistant","mess', 25],
    ['prose', 'Invalid API key', undefined],
    ['a NUL', '{"type":"result"}\0', 17],
    ['two events', '{"type":"result"}{"type":"result"}', 17],
    ['two lines', '{"type":"result"}\n{"type":"result"}', 18],
  ])('is malformed: %s', (_, line, position) => {
    expect(parseRawEvent(line)).toEqual({
      raw: line,
      event: {type: 'malformed', reason: 'invalid-json', size: line.length, position},
    })
  })

  test('is blank when it is white space', () => {
    expect(parseRawEvent(' \r\n')).toEqual({raw: ' \r\n', event: {type: 'blank'}})
  })
})

test('a line nested 100,000 levels deep is an event', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(parse(`{"type":"user","message":{"content":${deep}}}`).type).toBe('user')
  expect(parse(deep).type).toBe('other')
})

test('no line throws or loses text', () => {
  const type = fc.constantFrom('system', 'user', 'assistant', 'result', 'stream_event', 'novel')
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .tuple(type, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([name, rest]) => JSON.stringify({...rest, type: name})),
  )
  fc.assert(
    fc.property(line, (text) => {
      const {raw, event} = parseRawEvent(text)
      expect(raw).toBe(text)
      expect(valueOf(event)).toEqual(jsonOf(text))
    }),
    {numRuns: 2000},
  )
})

/** The value of an event without the additions of Vitrine. */
function valueOf(event: ClaudeEvent): unknown {
  if (event.type === 'malformed' || event.type === 'blank') return undefined
  if (event.type === 'other') return event.value
  return JSON.parse(JSON.stringify(event))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
