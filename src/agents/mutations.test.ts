import {describe, expect, test} from 'vitest'
import {fixtures} from '../../test/support/fixtures.ts'
import {expectInvariants} from '../../test/support/invariants.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import {parseRecord} from '../core/wire/records.ts'

const COUNT = 10_000
const small = fixtures.filter(({bytes}) => bytes.length < 20_000)
const random = createRandom(11)

/** Single changes of a recording. */
const mutations: Record<string, (lines: string[], at: number) => string[]> = {
  dropped: (lines, at) => lines.toSpliced(at, 1),
  doubled: (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
  swapped: (lines, at) => lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
  cut: (lines, at) => lines.with(at, cut(lines[at] ?? '')),
  'cut off': (lines, at) => [...lines.slice(0, at), cut(lines[at] ?? '')],
  renamed: (lines, at) =>
    lines.with(at, (lines[at] ?? '').replace(/"(?:type|role)":"[^"]*"/, '"type":"novel"')),
  retyped: (lines, at) => lines.with(at, (lines[at] ?? '').replaceAll(/":"[^"]*"/g, retype)),
}

describe.each(Object.keys(mutations))('lines that are %s', (name) => {
  const mutate = mutations[name]
  const count = Math.ceil(COUNT / Object.keys(mutations).length)

  test(`never throw and are never lost, ${count} times`, () => {
    for (let run = 0; run < count; run++) {
      const fixture = small[Math.floor(random() * small.length)]
      if (fixture === undefined || mutate === undefined) throw new Error('no recordings')
      const lines = fixture.bytes.toString().split('\n')
      const mutated = mutate(lines, Math.floor(random() * lines.length))
      const text = mutated.join('\n')
      const decoder = createEventDecoder(fixture.agent, {now: () => 1})
      const events = [...decoder.push(text), ...decoder.end()]
      const isOpen = text !== '' && !text.endsWith('\n')
      expect(decoder.lineCount).toBe(text.split('\n').length - (isOpen ? 0 : 1))
      const malformed = events.filter((event) => event.type === 'malformed')
      const unreadable = text
        .split(/(?<=\n)/)
        .filter((line) => parseRecord(line).type === 'malformed')
      expect(malformed.map(({raw}) => raw)).toEqual(unreadable)
      expectInvariants(events, fixture.agent.id)
    }
  })
})

test('a renamed type is an unknown event and drift, for every agent', () => {
  for (const {agent, bytes} of small) {
    const lines = bytes.toString().split('\n')
    const at = lines.findIndex((line) => line.startsWith('{"type":"'))
    if (at === -1) continue
    const line = (lines[at] ?? '').replace(/"type":"[^"]*"/, '"type":"novel"')
    const decoder = createEventDecoder(agent, {now: () => 1})
    const events = decoder.push(lines.with(at, line).join('\n'))
    expect(events.filter(({type}) => type === 'unknown')).toMatchObject([{raw: `${line}\n`}])
    expect(decoder.drift()).toMatchObject([{kind: 'type', name: 'novel', count: 1, line: at + 1}])
  }
})

function cut(line: string): string {
  return line.slice(0, Math.floor(random() * line.length))
}

function retype(): string {
  const values = [
    '":null',
    '":1',
    '":[]',
    '":{}',
    '":true',
    '":["a"]',
    '":{"type":"text"}',
    '":"x"',
  ]
  return values[Math.floor(random() * values.length)] ?? '":null'
}

/** The same numbers on every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
