import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createRecordDecoder, parseRecord, type LineRecord} from './records.ts'

function decode(...chunks: (string | Uint8Array)[]): LineRecord[] {
  const decoder = createRecordDecoder()
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]
}

describe('a record', () => {
  test('contains the value and the exact text', () => {
    const raw = '{"n": 12345678901234567890, "a":1.0,"a" : 2 }\r\n'
    expect(decode(raw)).toEqual([{type: 'json', raw, value: {n: 12345678901234567000, a: 2}}])
  })

  test.each(['', '\n', '\r\n', '  \t \n', '\u00a0\n', '\uFEFF'])(
    'is blank when it is white space: %j',
    (raw) => {
      expect(parseRecord(raw)).toEqual({type: 'blank', raw})
    },
  )

  test.each(['[1]', '"text"', '7', 'null', ' {"a":1}'])('may be any JSON: %s', (raw) => {
    expect(parseRecord(raw)).toEqual({type: 'json', raw, value: JSON.parse(raw)})
  })

  test.each([
    ['prose', 'Error: not logged in\n', 20, undefined],
    ['half a line', '{"type":"assis', 14, 14],
    ['a NUL', '{"a":"\0"}\n', 9, 6],
    ['two values', '{}{}\n', 4, 2],
    ['non-ASCII prose', 'café\n', 5, undefined],
    ['prose that ends like an error of the engine', 'x at position 7', 15, undefined],
  ])('is malformed when it is %s', (_, raw, size, position) => {
    expect(decode(raw)).toEqual([{type: 'malformed', raw, reason: 'invalid-json', size, position}])
  })

  test('counts the position of an error from the beginning of its text', () => {
    expect(parseRecord('\uFEFF{}{}')).toMatchObject({type: 'malformed', position: 3})
  })

  test('may begin with a byte order mark', () => {
    const raw = '\uFEFF{"a":1}\n'
    expect(decode(Buffer.from(raw))).toEqual([{type: 'json', raw, value: {a: 1}}])
    expect(decode('\uFEFFnope')).toEqual([
      {type: 'malformed', raw: '\uFEFFnope', reason: 'invalid-json', size: 7},
    ])
  })

  test('may begin with one byte order mark only', () => {
    const raw = `${'\uFEFF'.repeat(100_000)}{}`
    expect(parseRecord(raw)).toEqual({
      type: 'malformed',
      raw,
      reason: 'invalid-json',
      size: 300_002,
    })
  })

  test('can be omitted when it is blank', () => {
    const decoder = createRecordDecoder({skipBlank: true})
    const records = [...decoder.push('{}\n\n \n7\nno\n'), ...decoder.end(), ...decoder.push('\n')]
    expect(records.map(({raw}) => raw)).toEqual(['{}\n', '7\n', 'no\n'])
    expect([...decoder.push(' '), ...decoder.end()]).toEqual([])
  })

  test('has its size and no text when it is over the limit', () => {
    const decoder = createRecordDecoder({maxLineBytes: 4})
    expect(decoder.push('12345\n{}\n')).toEqual([
      {type: 'malformed', raw: '', reason: 'line-too-long', size: 5},
      {type: 'json', raw: '{}\n', value: {}},
    ])
  })

  test('is parsed although it is not UTF-8, and keeps its bytes', () => {
    const bytes = Buffer.from('{"a":"caf\xe9"}\n', 'latin1')
    expect(decode(bytes)).toEqual([
      {
        type: 'json',
        raw: '{"a":"caf\uFFFD"}\n',
        value: {a: 'caf\uFFFD'},
        bytes: new Uint8Array(bytes),
      },
    ])
    expect(decode(Buffer.from([0xff]))).toEqual([
      {
        type: 'malformed',
        raw: '\uFFFD',
        reason: 'invalid-json',
        size: 1,
        bytes: Uint8Array.of(0xff),
      },
    ])
  })

  test('may be nested 100,000 deep', () => {
    const raw = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(parseRecord(raw).type).toBe('json')
  })

  test('never touches a prototype', () => {
    const record = parseRecord(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    expect(record.type).toBe('json')
    expect(({} as {polluted?: number}).polluted).toBeUndefined()
  })
})

describe('records', () => {
  test('are one per line, and their text joined is the input', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.json(), fc.string(), fc.constantFrom('', '\r', ' ', '{', '\uFEFF'))),
        fc.boolean(),
        (lines, terminated) => {
          const input = lines.join('\n') + (terminated ? '\n' : '')
          const records = decode(input)
          expect(records.map((record) => record.raw).join('')).toBe(input)
          expect(records.length).toBe(input.split('\n').length - (/(^|\n)$/.test(input) ? 1 : 0))
        },
      ),
    )
  })

  test('contain the value that JSON.parse returns for the line', () => {
    fc.assert(
      fc.property(fc.json(), (line) => {
        expect(decode(`${line}\n`)).toEqual([
          {type: 'json', raw: `${line}\n`, value: JSON.parse(line)},
        ])
      }),
    )
  })
})
