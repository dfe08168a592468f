import {expect, test} from 'vitest'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {createEventParser} from '../../src/core/events/event-parser.ts'
import type {AgentEvent} from '../../src/core/events/events.ts'
import {createLineMasker, type MaskedLine} from '../../src/secrets/line-masker.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {fixtures} from '../support/fixtures.ts'

const BODY = 'FvK3aQx9Zt7Lw2Rb8Nc5Yd1Hg6Jm4Pe0SuTi'
const TEXT = `Use this: ghp_${BODY} and be careful.`
const PEM = [
  '-----BEGIN PRIVATE KEY-----',
  ...Array.from({length: 20}, (_, at) => `${BODY}${at % 10}${BODY}`.slice(0, 64)),
  '-----END PRIVATE KEY-----',
]

const cut = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
const agentOf = (id: string) => fixtures.find(({agent}) => agent.id === id)?.agent ?? null

/** Masks lines as they arrive, then the rest. */
function mask(agent: Adapter | null, lines: readonly string[], isCut = false): MaskedLine[] {
  const parser = agent === null ? null : createEventParser(agent, {now: () => 0})
  const masker = createLineMasker({hasRaw: true})
  const masked: MaskedLine[] = []
  for (const [at, raw] of lines.entries()) {
    const printed: AgentEvent = {type: 'text', text: raw, line: at + 1, at: 0, agent: ''}
    masker.push(raw, parser?.parse(raw) ?? [printed], (line) => masked.push(line))
  }
  masker.flush(isCut)
  return masked
}

test('releases every line of every recording in order, with the same kinds of events', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    const lines = bytes.toString('utf8').match(/[^\n]*\n|[^\n]+$/g) ?? []
    const parser = createEventParser(agent, {now: () => 0})
    const masked = mask(agent, lines)
    expect(masked.map(({events}) => events.map(({type}) => type))).toEqual(
      lines.map((raw) => parser.parse(raw).map(({type}) => type)),
    )
    // The text of a line is shown up to 128 KiB.
    const isShort = (at: number) => (lines[at] ?? '').length < 128 * 1024
    const ends = (texts: readonly string[]) =>
      texts.map((text, at) => !isShort(at) || text.endsWith('\n'))
    expect(ends(masked.map(({raw}) => raw))).toEqual(ends(lines))
  })
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each<[agent: string | null, toLine: (delta: string, at: number) => object | string]>([
  [
    'claude',
    (text) => ({
      type: 'stream_event',
      event: {type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}},
    }),
  ],
  [
    'claude',
    (partial_json) => ({
      type: 'stream_event',
      event: {
        type: 'content_block_delta',
        index: 0,
        delta: {type: 'input_json_delta', partial_json},
      },
    }),
  ],
  ['gemini', (content) => ({type: 'message', role: 'assistant', content, delta: true})],
  ['cursor', (text) => ({type: 'thinking', subtype: 'delta', text, session_id: 's'})],
  [
    'codex',
    (text) => ({
      id: '0',
      msg: {type: 'exec_command_output_delta', call_id: 'c', stream: 'stdout', chunk: base64(text)},
    }),
  ],
  ['opencode', (delta, at) => ({type: 'a.new.delta', id: `e${at}`, part: {messageID: 'm', delta}})],
])('shows no delta of a key that %s streams in deltas', (id, toLine) => {
  const agent = id === null ? null : agentOf(id)
  const deltas = cut(TEXT, 5)
  const start = {id: '0', msg: {type: 'exec_command_begin', call_id: 'c', command: ['cat']}}
  const lines = [...(id === 'codex' ? [start] : []), ...deltas.map(toLine)]
  const shown = JSON.stringify(
    mask(
      agent,
      lines.map((line) => `${JSON.stringify(line)}\n`),
    ),
  )
  for (const delta of deltas.filter((one) => BODY.includes(one))) {
    expect(shown).not.toContain(id === 'codex' ? base64(delta) : delta)
  }
})

test('shows no line of a private key that a program prints line by line', () => {
  const lines = ['Here it is:\n', ...PEM.map((line) => `${line}\n`), 'That was it.\n']
  for (const agent of [null, agentOf('claude')]) {
    const shown = mask(agent, lines)
    expect(shown.map(({raw}) => raw).join('')).not.toContain(BODY.slice(0, 20))
    expect(shown[0]?.raw).toBe('Here it is:\n')
    expect(shown.at(-1)?.raw).toBe('That was it.\n')
  }
})

test('masks a possible start of a key at the end of a truncated text', () => {
  const [line] = mask(null, [`ghp_${BODY.slice(0, 8)}`], true)
  expect(line?.raw).toContain('***')
  expect(mask(null, ['Plain words'], true)).toMatchObject([{raw: 'Plain words'}])
})

test('runs a callback after the lines before it', () => {
  const masker = createLineMasker({hasRaw: false})
  const order: string[] = []
  masker.after(() => order.push('first'))
  const event: AgentEvent = {type: 'text', text: 'ghp_FvK3', line: 1, at: 0, agent: ''}
  masker.push('ghp_FvK3', [event], () => order.push('line'))
  masker.after(() => order.push('second'))
  masker.flush()
  expect(order).toEqual(['first', 'line', 'second'])
})
