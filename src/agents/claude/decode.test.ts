import {readdirSync, readFileSync} from 'node:fs'
import {Readable} from 'node:stream'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {expectForEach} from '../../../test/support/each-fixture.ts'
import {ClaudeStreamJsonParser} from './contract.ts'
import {ClaudeDecoderStream, createClaudeDecoder, decodeClaudeStream} from './decode.ts'
import type {ClaudeEvent, RawClaudeEvent} from './events.ts'

const folder = new URL('fixtures/', import.meta.url)
const captures = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.stdin.jsonl'))
  .toSorted()
  .map((name) => ({name, bytes: readFileSync(new URL(name, folder))}))

function decode(chunks: Iterable<Uint8Array | string>): RawClaudeEvent[] {
  const decoder = createClaudeDecoder()
  return [...[...chunks].flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]
}

/** Splits bytes into chunks of a size. */
function* toChunks(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

describe('every capture', () => {
  test('keeps its text', async () => {
    await expectForEach(captures, ({bytes}) => {
      expect(
        decode([bytes])
          .map((record) => record.raw)
          .join(''),
      ).toBe(bytes.toString())
    })
  })

  test('has no unknown types and fields', async () => {
    await expectForEach(captures, ({bytes}) => {
      const events = decode([bytes])
      expect(events.filter(({event}) => event.type === 'other')).toEqual([])
      expect(
        events.flatMap(({event}) => ('extras' in event ? Object.keys(event.extras) : [])),
      ).toEqual([])
    })
  })

  test('decodes alike for any chunks', async () => {
    await expectForEach(captures, ({bytes}) => {
      const events = decode([bytes])
      expect(decode(toChunks(bytes, 1))).toEqual(events)
      expect(decode(toChunks(bytes, 4096))).toEqual(events)
      expect(decode(bytes.toString())).toEqual(events)
      fc.assert(
        fc.property(fc.integer({min: 1, max: bytes.length + 1}), (size) => {
          expect(decode(toChunks(bytes, size))).toEqual(events)
        }),
        {numRuns: 5},
      )
    })
  })

  test('decodes to events that equal their JSON', async () => {
    await expectForEach(captures, ({bytes}) => {
      for (const {raw, event} of decode([bytes])) {
        if (event.type === 'malformed') continue
        expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event)
        expect(JSON.stringify(event)).toBe(JSON.stringify(JSON.parse(raw)))
      }
    })
  })
})

test('the captures decode to the reviewed events, lossless and by the contract', async () => {
  const parser = new ClaudeStreamJsonParser()
  const report = captures.flatMap(({name, bytes}) => [
    `# ${name}`,
    ...decode([bytes]).map(({raw, event}) => {
      const outcome = parser.parseLine(raw.replace(/\n$/, ''))
      const contract = outcome.ok
        ? (outcome.event?.kind ?? 'nothing')
        : `error ${outcome.error.code}`
      return `${describeEvent(event)} | ${contract}`
    }),
  ])
  await expect(`${report.join('\n')}\n`).toMatchFileSnapshot('fixtures/captures.golden.txt')
})

function describeEvent(event: ClaudeEvent): string {
  if (event.type === 'stream_event') return `stream_event ${event.event?.type}`
  if (event.type === 'control_request') return `control_request ${event.request?.subtype}`
  if (event.type === 'control_response') return `control_response ${event.response?.subtype}`
  return 'subtype' in event ? `${event.type} ${event.subtype}` : event.type
}

describe('every way to decode', () => {
  const input = '{"type":"system","subtype":"init"}\n\nnot json\n{"type":"result"}'
  const expected = [
    ['system', '{"type":"system","subtype":"init"}\n'],
    ['blank', '\n'],
    ['malformed', 'not json\n'],
    ['result', '{"type":"result"}'],
  ]
  const summarize = ({event, raw}: RawClaudeEvent) => [event.type, raw]

  test('is a push decoder', () => {
    const decoder = createClaudeDecoder()
    expect(decoder.push(input).map(summarize)).toEqual(expected.slice(0, 3))
    expect(decoder.end().map(summarize)).toEqual(expected.slice(3))
  })

  test('is an async generator', async () => {
    const got: unknown[] = []
    for await (const record of decodeClaudeStream(Readable.from([Buffer.from(input)]))) {
      got.push(summarize(record))
    }
    expect(got).toEqual(expected)
  })

  test('is a transform stream', async () => {
    const got: unknown[] = []
    for await (const record of new Blob([input]).stream().pipeThrough(new ClaudeDecoderStream())) {
      got.push(summarize(record))
    }
    expect(got).toEqual(expected)
  })

  test('omits blank lines with skipBlank, also with onMalformed', async () => {
    const bad: string[] = []
    const onMalformed = ({raw}: RawClaudeEvent) => bad.push(raw)
    const spaced = '\n{"type":"result"}\n  \nno\n\n'
    const types: string[] = []
    for await (const {event} of decodeClaudeStream(spaced, {skipBlank: true, onMalformed})) {
      types.push(event.type)
    }
    expect([types, bad]).toEqual([['result', 'malformed'], ['no\n']])
    const decoder = createClaudeDecoder({skipBlank: true})
    expect([...decoder.push('\n{}\n '), ...decoder.end()].map(({raw}) => raw)).toEqual(['{}\n'])
  })

  test('reports malformed lines and continues', async () => {
    const bad: string[] = []
    const onMalformed = ({raw}: RawClaudeEvent) => bad.push(raw)
    let count = 0
    for await (const _ of decodeClaudeStream(input, {onMalformed})) count++
    expect(count).toBe(4)
    expect(bad).toEqual(['not json\n'])
  })

  test('stops on an abort', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(decodeClaudeStream(input, {signal}).next()).rejects.toThrow('enough')
  })

  test('stops on an abort in onMalformed', async () => {
    const controller = new AbortController()
    const got: string[] = []
    const reading = (async () => {
      const onMalformed = () => controller.abort(new Error('enough'))
      for await (const {raw} of decodeClaudeStream([input], {
        onMalformed,
        signal: controller.signal,
      })) {
        got.push(raw)
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(got).toEqual([])
  })

  test('applies the limit', () => {
    const decoder = createClaudeDecoder({maxLineBytes: 10})
    expect(decoder.push('{"type":"result"}\n{}\n')).toEqual([
      {raw: '', event: {type: 'malformed', reason: 'line-too-long', size: 17}},
      {raw: '{}\n', event: {type: 'other', value: {}}},
    ])
  })

  test('keeps bytes that are not UTF-8', () => {
    const bytes = Buffer.from('{"type":"result","result":"\xff"}\n\xfe\n', 'latin1')
    const [read, malformed] = decode([bytes])
    expect(read?.event).toMatchObject({type: 'result', result: '\uFFFD'})
    expect(read?.bytes).toEqual(new Uint8Array(bytes.subarray(0, -2)))
    expect(malformed).toEqual({
      raw: '\uFFFD\n',
      event: {type: 'malformed', reason: 'invalid-json', size: 1},
      bytes: Uint8Array.of(0xfe, 0x0a),
    })
  })
})

test('random bytes in random chunks never throw and never lose a byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 500}), fc.integer({min: 1, max: 50}), (bytes, size) => {
      const records = decode(toChunks(bytes, size))
      const back = records.map((record) => record.bytes ?? Buffer.from(record.raw))
      expect(Buffer.concat(back)).toEqual(Buffer.from(bytes))
    }),
    {numRuns: 1000},
  )
})
