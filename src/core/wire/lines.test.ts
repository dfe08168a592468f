import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createLineDecoder, type Chunk, type LineFlaw, type LineOptions} from './lines.ts'

interface Line {
  raw: string
  flaw?: LineFlaw
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', {ignoreBOM: true})

function split(chunks: Iterable<Chunk>, options?: LineOptions): Line[] {
  const lines = createLineDecoder<Line>(
    (raw, flaw) => (flaw === undefined ? {raw} : {raw, flaw}),
    options,
  )
  return [...[...chunks].flatMap((chunk) => lines.push(chunk)), ...lines.end()]
}

function texts(chunks: Iterable<Chunk>, options?: LineOptions): string[] {
  return split(chunks, options).map((line) => line.raw)
}

/** Cuts at the given fractions of the length. */
function cut<T extends Chunk>(input: T, fractions: number[]): T[] {
  const at = fractions.map((fraction) => Math.floor(fraction * input.length))
  const ends = [...at.toSorted((a, b) => a - b), input.length]
  return ends.map((end, index) => input.slice(ends[index - 1] ?? 0, end) as T)
}

/** The bytes of a line as they came. */
function bytesOf({raw, flaw}: Line): Uint8Array {
  return flaw?.type === 'invalid-utf8' ? flaw.bytes : encoder.encode(raw)
}

const cuts = fc.array(fc.double({min: 0, max: 1, noNaN: true}), {maxLength: 12})
/** Bytes that make trouble: newlines, carriage returns, parts of multi-byte characters. */
const nastyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x0a, 0x0d, 0x00, 0xe2, 0x80, 0xa8, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xef, 0xbb),
      fc.integer({min: 0, max: 255}),
    ),
    {maxLength: 200},
  )
  .map((bytes) => Uint8Array.from(bytes))

describe('lines', () => {
  test('end at a newline and keep it', () => {
    expect(texts(['one\ntwo\n'])).toEqual(['one\n', 'two\n'])
  })

  test('may lack a newline at the end of the stream', () => {
    expect(texts(['one\ntwo'])).toEqual(['one\n', 'two'])
  })

  test('may be empty', () => {
    expect(texts(['\n\n', 'a\n'])).toEqual(['\n', '\n', 'a\n'])
    expect(texts([])).toEqual([])
    expect(texts([''])).toEqual([])
    expect(texts([new Uint8Array(0)])).toEqual([])
  })

  test.each([
    ['carriage return', 'a\rb'],
    ['carriage return before the newline', 'a\r'],
    ['line separator', 'a\u2028b'],
    ['paragraph separator', 'a\u2029b'],
    ['next line', 'a\u0085b'],
    ['vertical tab and form feed', 'a\vb\fc'],
    ['byte order mark', '\uFEFFa'],
    ['NUL', 'a\0b'],
  ])('do not end at a %s', (_, text) => {
    const input = `${text}\n${text}`
    expect(texts([input])).toEqual([`${text}\n`, text])
    expect(texts([encoder.encode(input)])).toEqual([`${text}\n`, text])
    expect(texts([Buffer.from(input)])).toEqual([`${text}\n`, text])
  })

  test('are complete when a chunk ends within a character', () => {
    const bytes = encoder.encode('né€😀\nx')
    const parts = [...bytes].map((byte) => Uint8Array.of(byte))
    expect(texts(parts)).toEqual(['né€😀\n', 'x'])
  })

  test('are complete when a chunk ends within a surrogate pair', () => {
    expect(texts(['a\ud83d', '\ude00\n'])).toEqual(['a😀\n'])
  })

  test('do not change when the caller uses its buffer again', () => {
    const lines = createLineDecoder((raw) => raw)
    const buffer = Buffer.from('abc')
    lines.push(buffer)
    buffer.fill('x')
    expect(lines.push('\n')).toEqual(['abc\n'])
  })

  test('are complete when a split surrogate pair is next to bytes', () => {
    expect(texts(['\ud83d', new Uint8Array(0), '\ude00\n'])).toEqual(['😀\n'])
    expect(texts([encoder.encode('a'), '\ud83d', '\ude00', encoder.encode('b\n')])).toEqual([
      'a😀b\n',
    ])
    expect(texts([encoder.encode('a'), '\ud83d', '\ude00'])).toEqual(['a😀'])
  })

  test('are read once even when the reader throws', () => {
    let calls = 0
    const lines = createLineDecoder((raw) => {
      calls++
      if (raw.startsWith('bad')) throw new Error('no')
      return raw
    })
    for (const bad of ['bad', Buffer.from('bad')]) {
      lines.push(bad)
      expect(() => lines.push('\n')).toThrow('no')
      expect(lines.push('ok\n')).toEqual(['ok\n'])
    }
    expect(calls).toBe(4)
  })

  test('may consist of bytes and strings', () => {
    expect(texts(['né', encoder.encode('€\nb'), 'c\n', Buffer.from('d')])).toEqual([
      'né€\n',
      'bc\n',
      'd',
    ])
  })

  test('are emitted as soon as they end', () => {
    const lines = createLineDecoder((raw) => raw)
    expect(lines.push('a\nb')).toEqual(['a\n'])
    expect(lines.push('\n')).toEqual(['b\n'])
    expect(lines.end()).toEqual([])
  })

  test('start from scratch after the end', () => {
    const lines = createLineDecoder((raw) => raw)
    lines.push('half')
    expect(lines.end()).toEqual(['half'])
    expect(lines.end()).toEqual([])
    expect(lines.push('a\n')).toEqual(['a\n'])
  })
})

describe('a decoder that receives any chunks', () => {
  test('returns the same lines for strings, and joined they equal the input', () => {
    fc.assert(
      fc.property(
        fc.string({unit: fc.constantFrom('a', '\n', '\r', '€', '\ud83d', '\ude00', '\u2028')}),
        cuts,
        (text, at) => {
          const lines = texts(cut(text, at))
          expect(lines).toEqual(texts([text]))
          expect(lines.join('')).toBe(text)
          expect(lines.slice(0, -1).every((line) => line.indexOf('\n') === line.length - 1)).toBe(
            true,
          )
        },
      ),
    )
  })

  test('returns the same lines for bytes, and every byte can be restored', () => {
    fc.assert(
      fc.property(nastyBytes, cuts, (bytes, at) => {
        const lines = split(cut(bytes, at))
        expect(lines).toEqual(split([bytes]))
        expect(lines).toEqual(split([Buffer.from(bytes)]))
        expect(Buffer.concat(lines.map(bytesOf))).toEqual(Buffer.from(bytes))
        expect(lines.map((line) => line.raw).join('')).toBe(decoder.decode(bytes))
      }),
      {numRuns: 1000},
    )
  })

  test('returns the same lines for a mixture of strings and bytes', () => {
    fc.assert(
      fc.property(
        fc.string({unit: 'grapheme'}),
        cuts,
        fc.array(fc.boolean()),
        (text, at, kinds) => {
          const parts = cut(text, at)
          fc.pre(parts.every((part) => !/\p{Surrogate}/u.test(part)))
          const chunks = parts.map((part, index) =>
            kinds[index] === true ? encoder.encode(part) : part,
          )
          expect(texts(chunks)).toEqual(texts([text]))
        },
      ),
    )
  })
})

describe('bytes that are not UTF-8', () => {
  test('are kept beside the text', () => {
    const latin1 = Buffer.from('caf\xe9\n', 'latin1')
    expect(split([latin1])).toEqual([
      {raw: 'caf\uFFFD\n', flaw: {type: 'invalid-utf8', bytes: new Uint8Array(latin1)}},
    ])
  })

  test('are distinguished from a replacement character in the input', () => {
    expect(split([Buffer.from('\uFFFD\n')])).toEqual([{raw: '\uFFFD\n'}])
  })

  test('are a copy, so that the chunk may be used again', () => {
    const chunk = Buffer.from([0xff, 0x0a])
    const [line] = split([chunk])
    chunk.fill(0)
    expect(line).toEqual({
      raw: '\uFFFD\n',
      flaw: {type: 'invalid-utf8', bytes: Uint8Array.of(0xff, 0x0a)},
    })
  })

  test('do not affect the lines around them', () => {
    expect(texts([Buffer.from('61 0a ff 0a 62 0a'.replaceAll(' ', ''), 'hex')])).toEqual([
      'a\n',
      '\uFFFD\n',
      'b\n',
    ])
  })
})

describe('a line over the limit', () => {
  const tooLong = (size: number): Line => ({raw: '', flaw: {type: 'line-too-long', size}})

  test.each<[string, (text: string) => Chunk]>([
    ['a string', (text) => text],
    ['bytes', (text) => encoder.encode(text)],
    ['a Node buffer', (text) => Buffer.from(text)],
  ])('is reported with its size and skipped, from %s', (_, toChunk) => {
    const limit = {maxLineBytes: 5}
    expect(split([toChunk('12345\n123456\n1\n')], limit)).toEqual([
      {raw: '12345\n'},
      tooLong(6),
      {raw: '1\n'},
    ])
    expect(split(['123', '45', '6', '789', '\n', 'ok'].map(toChunk), limit)).toEqual([
      tooLong(9),
      {raw: 'ok'},
    ])
    expect(split(['1234', '56'].map(toChunk), limit)).toEqual([tooLong(6)])
    expect(split(['1234', '5\n'].map(toChunk), limit)).toEqual([{raw: '12345\n'}])
    expect(split(['ééé\n', 'é', 'éé\n', 'éé\n'].map(toChunk), limit)).toEqual([
      tooLong(6),
      tooLong(6),
      {raw: 'éé\n'},
    ])
    expect(split(['€€', '😀\n'].map(toChunk), limit)).toEqual([tooLong(10)])
  })

  test('is reported alike for any chunks', () => {
    fc.assert(
      fc.property(
        fc.string({unit: fc.constantFrom('a', 'b', '€', '😀', '\n')}),
        cuts,
        fc.integer({min: 1, max: 12}),
        (text, at, maxLineBytes) => {
          const bytes = encoder.encode(text)
          const unsplit = split([bytes], {maxLineBytes})
          expect(split(cut(bytes, at), {maxLineBytes})).toEqual(unsplit)
          expect(split(cut(text, at), {maxLineBytes})).toEqual(unsplit)
        },
      ),
      {numRuns: 1000},
    )
  })

  test('is reported alike for strings, bytes and both', () => {
    const limit = {maxLineBytes: 5}
    expect(split(['éé', encoder.encode('é\nok\n')], limit)).toEqual([tooLong(6), {raw: 'ok\n'}])
    expect(split(['éé', encoder.encode('\n')], limit)).toEqual([{raw: 'éé\n'}])
    expect(split(['é', encoder.encode('123'), '4\nok'], limit)).toEqual([tooLong(6), {raw: 'ok'}])
    expect(split(['123456', encoder.encode('7'), '8', '\n'], limit)).toEqual([tooLong(8)])
    expect(split(['ééé', encoder.encode('')], limit)).toEqual([tooLong(6)])
    expect(split([encoder.encode('éé'), 'é\nok'], limit)).toEqual([tooLong(6), {raw: 'ok'}])
    expect(split([encoder.encode('éé'), 'a', '\n'], limit)).toEqual([{raw: 'ééa\n'}])
    expect(split([encoder.encode('1234'), '567', '8\n'], limit)).toEqual([tooLong(8)])
  })

  test('is longer than 64 MiB by default', () => {
    const limit = 64 * 1024 * 1024
    const mebibyte = Buffer.alloc(1024 * 1024, 'x')
    const chunks = Array.from({length: 64}, () => mebibyte)
    const measure = (all: Chunk[]) => {
      const lines = createLineDecoder((raw, flaw) => flaw ?? raw.length)
      return [...all.flatMap((chunk) => lines.push(chunk)), ...lines.end()]
    }
    expect(measure([...chunks, '\n'])).toEqual([limit + 1])
    expect(measure([...chunks, 'x', '\n', 'ok'])).toEqual([
      {type: 'line-too-long', size: limit + 1},
      2,
    ])
  })
})

describe('a decoder with invalid input', () => {
  test.each([
    [0, 'maxLineBytes must be a number above 0, got 0'],
    [-1, 'maxLineBytes must be a number above 0, got -1'],
    [Number.NaN, 'maxLineBytes must be a number above 0, got NaN'],
  ])('throws for a limit of %s', (maxLineBytes, message) => {
    expect(() => createLineDecoder((raw) => raw, {maxLineBytes})).toThrow(new TypeError(message))
  })

  test.each([
    [{}, 'object'],
    [new DataView(new ArrayBuffer(1)), 'object'],
    [new Uint16Array(1), 'object'],
    [null, 'null'],
    [7, 'number'],
  ])('throws for a chunk like %s', (chunk, kind) => {
    const lines = createLineDecoder((raw) => raw)
    expect(() => lines.push(chunk as unknown as string)).toThrow(
      new TypeError(
        `expected a chunk of type string or Uint8Array, got ${kind}. Is the stream in object mode?`,
      ),
    )
  })
})
