import {mkdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeEach, describe, expect, test} from 'vitest'
import {createFixtureFolder} from '../../test/support/each-fixture.ts'
import {fixtures} from '../../test/support/fixtures.ts'
import {OVER, readLineRecords, writeRecording} from '../../test/support/recording.ts'
import {maskSecrets} from '../secrets/mask-secrets.ts'
import {encodeMessages} from '../hub/reader/encode.ts'
import type {FullRecord, LineRange, RunItem} from './run-item.ts'
import {openRunReader, type ReadItem} from './run-reader.ts'
import {showRecord} from './show-events.ts'

const folder = createFixtureFolder('vitrine-deltas-')
afterAll(() => rmSync(folder, {recursive: true, force: true}))

let count = 0
let dir = ''
beforeEach(() => {
  dir = join(folder, `run-${++count}`)
  mkdirSync(dir)
})

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const makeLetters = (length: number) =>
  Array.from({length}, (_, at) => LETTERS[(at * 17 + 5 + (at >> 2)) % LETTERS.length]).join('')
const cut = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
const lineOf = (value: object) => `${JSON.stringify(value)}\n`
const BODY = makeLetters(36)
const KEY = `ghp_${BODY}`
const KEY_LINES = Array.from({length: 26}, (_, at) => makeLetters(64 + at).slice(at))
const PEM = ['-----BEGIN PRIVATE KEY-----', ...KEY_LINES, '-----END PRIVATE KEY-----']
const TEXT = `Use this: ${KEY} and be careful.`
const INPUT = JSON.stringify({command: `curl -H "Authorization: Bearer ${BODY}" host`})

interface Channels {
  messages: string
  items: string
  records: string
  singleRecords: string
  exported: string
}

/** Everything that the hub can send of a stream whose lines arrive one at a time. */
function readChannels(agentId: string | null, lines: readonly string[]): Channels {
  const agent = fixtures.find(({agent: {id}}) => id === agentId)?.agent ?? null
  let size = 0
  const ends = lines.map((line) => (size += Buffer.byteLength(line)))
  const made = writeRecording(dir, agent, lines.join(''), ends, OVER)
  const messages: string[] = []
  const items: ReadItem[] = []
  const exported: ReadItem[] = []
  for (const [hasRaw, found] of [
    [false, items],
    [true, exported],
  ] as const) {
    const reader = openRunReader(dir, made, {agent, mask: maskSecrets, hasRaw})
    for (let isMore = true; isMore;) {
      const read = reader.advance()
      const encoded = encodeMessages(read.messages)
      messages.push(...encoded.flatMap(({json, thinking = []}) => [...thinking, json]))
      found.push(...read.items)
      ;({isMore} = read)
    }
    reader.closeFiles()
  }
  const readRecords = (...range: LineRange) => readLineRecords(dir, made, items, range)
  return {
    messages: JSON.stringify(messages),
    items: JSON.stringify(items.map(({item}): RunItem => item)),
    records: JSON.stringify(readRecords(1, lines.length)),
    singleRecords: JSON.stringify(lines.flatMap((_, at) => readRecords(at + 1, at + 1))),
    exported: JSON.stringify(
      exported.map(({line, raw, events}) => showRecord(line, raw, events, true)),
    ),
  }
}

function expectHidden(channels: Channels, secrets: readonly string[]): void {
  for (const [name, text] of Object.entries(channels)) {
    for (const secret of secrets) {
      expect(text.includes(secret), `${secret} in ${name}`).toBe(false)
    }
  }
}

let uuids = 0
const stream = (event: object) =>
  lineOf({type: 'stream_event', event, session_id: 's', uuid: `u${++uuids}`})
const deltas = (parts: readonly string[], toDelta: (part: string) => object) => [
  lineOf({type: 'system', subtype: 'init', session_id: 's', cwd: '/', tools: []}),
  stream({type: 'message_start', message: {id: 'm1', role: 'assistant', content: []}}),
  stream({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}}),
  ...parts.map((part) => stream({type: 'content_block_delta', index: 0, delta: toDelta(part)})),
  stream({type: 'content_block_stop', index: 0}),
  stream({type: 'message_stop'}),
]

describe('a secret that is split into deltas', () => {
  const parts = cut(BODY, 5).filter((part) => part.length === 5)

  test.each([5, 3, 11])('is masked in text_delta records of Claude, %i characters each', (size) => {
    const deltaTexts = cut(TEXT, size)
    const channels = readChannels(
      'claude',
      deltas(deltaTexts, (text) => ({type: 'text_delta', text})),
    )
    expectHidden(channels, [...deltaTexts.filter((part) => BODY.includes(part)), KEY])
    expect(channels.items).toContain('***')
    expect(channels.messages).toContain('ghp_*** and be careful.')
  })

  test('is masked in tool input of Claude', () => {
    const deltaTexts = cut(INPUT, 5)
    const lines = deltas(deltaTexts, (json) => ({type: 'input_json_delta', partial_json: json}))
    const channels = readChannels('claude', lines)
    expectHidden(
      channels,
      deltaTexts.filter((part) => BODY.includes(part)),
    )
  })

  test.each([
    ['an unknown program', null],
    ['a known agent without JSON output', 'claude'],
  ])('is masked when %s prints a private key line by line', (_, agent) => {
    const channels = readChannels(
      agent,
      PEM.map((line) => `${line}\n`),
    )
    expectHidden(channels, KEY_LINES)
    expect(channels.records).toContain('-----END PRIVATE KEY-----')
  })

  test('is masked in base64 tool output of Codex 0.36', () => {
    const begin = {
      type: 'exec_command_begin',
      call_id: 'c1',
      command: ['cat', 'k'],
      cwd: '/',
      parsed_cmd: [],
    }
    const chunk = (text: string) =>
      lineOf({
        id: '0',
        msg: {
          type: 'exec_command_output_delta',
          call_id: 'c1',
          stream: 'stdout',
          chunk: Buffer.from(text).toString('base64'),
        },
      })
    const deltaTexts = [...PEM.map((line) => `${line}\n`), ...cut(`x ${KEY} y\n`, 5)]
    const lines = [lineOf({id: '0', msg: begin}), ...deltaTexts.map(chunk)]
    const channels = readChannels('codex', lines)
    expectHidden(channels, KEY_LINES)
    expectHidden(
      channels,
      KEY_LINES.map((line) => Buffer.from(`${line}\n`).toString('base64')),
    )
    const inner = cut(`x ${KEY} y\n`, 5).filter((part) => BODY.includes(part))
    expectHidden(
      channels,
      inner.map((part) => Buffer.from(part).toString('base64')),
    )
    expectHidden(channels, parts)
  })

  test.each<[agent: string, toLine: (part: string, at: number) => object]>([
    ['gemini', (content) => ({type: 'message', role: 'assistant', content, delta: true})],
    [
      'copilot',
      (deltaContent, at) => ({
        type: 'assistant.message_delta',
        data: {messageId: 'm', deltaContent},
        id: `e${at}`,
        parentId: `e${at - 1}`,
      }),
    ],
    ['cursor', (text) => ({type: 'thinking', subtype: 'delta', text, session_id: 's'})],
    [
      'pi',
      (delta) => ({
        type: 'message_update',
        assistantMessageEvent: {type: 'text_delta', contentIndex: 0, delta},
      }),
    ],
    [
      'opencode',
      (delta, at) => ({type: 'a.new.delta', id: `e${at}`, part: {messageID: 'm', delta}}),
    ],
  ])('is masked in deltas of %s', (agent, toLine) => {
    const deltaTexts = cut(TEXT, 5)
    const channels = readChannels(
      agent,
      deltaTexts.map((part, at) => lineOf(toLine(part, at))),
    )
    expectHidden(
      channels,
      deltaTexts.filter((part) => BODY.includes(part)),
    )
    expect(channels.records).toContain('***')
  })

  test('is masked in interleaved deltas of two sub-agents', () => {
    const from = (id: string, part: string) =>
      lineOf({
        type: 'stream_event',
        parent_tool_use_id: id,
        event: {type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text: part}},
      })
    const deltaTexts = cut(TEXT, 5)
    const lines = deltaTexts.flatMap((part) => [from('toolu_a', part), from('toolu_b', part)])
    expectHidden(
      readChannels('claude', lines),
      deltaTexts.filter((part) => BODY.includes(part)),
    )
  })
})

test('leaves deltas without a secret unchanged', () => {
  const deltaTexts = cut('The file src/a_b.ts has 12 lines: x = y, and token_count is 5.', 4)
  const {items, records} = readChannels(
    'claude',
    deltas(deltaTexts, (text) => ({type: 'text_delta', text})),
  )
  for (const part of deltaTexts) {
    expect(items).toContain(`"text":${JSON.stringify(part)}`)
    expect(records).toContain(JSON.stringify(`"text":${JSON.stringify(part)}`).slice(1, -1))
  }
})

test('masks secrets written with JSON escapes, and keeps the other bytes of the line', () => {
  const text = String.raw`\u0067hp_${BODY} xoxb\u002d123456789012-${makeLetters(24)} http:\/\/u:PASSW0RD@host`
  const plainLine = '{"type":"assistant", "n":12345678901234567890,"x":1.10,"t":"a\\/b"}\n'
  const lines = [
    `{"type":"assistant","n":12345678901234567890,"x":1.10,"t":"${text}"}\n`,
    plainLine,
  ]
  const channels = readChannels('claude', lines)
  expectHidden(channels, [BODY, makeLetters(24), 'PASSW0RD'])
  const [first, second] = JSON.parse(channels.records) as FullRecord[]
  expect(first?.raw).toContain('"n":12345678901234567890,"x":1.10,"t":"ghp_***')
  expect(second?.raw).toBe(plainLine)
})

test('shows a delta of a live run at once unless a secret could start at its end', () => {
  const {agent = null} = fixtures.find(({agent: {id}}) => id === 'claude') ?? {}
  const all = deltas(['Let me', ' check', ' src/a_b'], (text) => ({type: 'text_delta', text}))
  const readTexts = (lines: readonly string[]) => {
    const bytes = lines.join('')
    const reader = openRunReader(dir, writeRecording(dir, agent, bytes, [bytes.length], {}), {
      agent,
    })
    const {items} = reader.advance()
    reader.closeFiles()
    return items.flatMap(({item}) =>
      item.type === 'line'
        ? item.events.flatMap((event) => ('text' in event ? [event.text] : []))
        : [],
    )
  }
  expect(readTexts(all.slice(0, -2))).toEqual(['Let me', ' check'])
  // The next line ends the block.
  expect(readTexts(all.slice(0, -1))).toEqual(['Let me', ' check', ' src/a_b'])
})
