import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeEach, describe, expect, test} from 'vitest'
import {createFixtureFolder, expectForEach} from '../../test/support/each-fixture.ts'
import {fixtures} from '../../test/support/fixtures.ts'
import {OVER, writeRecording} from '../../test/support/recording.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {openItemReader, type ItemReader, type ItemReaderOptions} from './item-reader.ts'
import {createLineIndex} from '../recording/read/line-index.ts'
import {openWindow} from './line-window.ts'
import type {FullRecord, LineItem, RunItem} from './run-item.ts'
import {showRecord} from './show-events.ts'

const folder = createFixtureFolder('vitrine-items-')
afterAll(() => rmSync(folder, {recursive: true, force: true}))

let count = 0
let dir = ''
beforeEach(createDir)

/** Makes the next test or fixture use an empty folder. */
function createDir(): void {
  dir = join(folder, `run-${++count}`)
  mkdirSync(dir)
}

/** Replaces the times of the chunks of a recording, which is faster than writing all of its files again. */
function writeChunkTimes(recording: string, ends: number[]): void {
  const {timing} = recordingAt(recording)
  rmSync(timing)
  writeFileSync(timing, ends.map((end, at) => `[${2000 + at * 1000},"out",${end}]\n`).join(''))
}

function readAll(reader: ItemReader): RunItem[] {
  const items: RunItem[] = []
  for (let isMore = true; isMore;) {
    const found = reader.advance()
    items.push(...found.items)
    ;({isMore} = found)
  }
  reader.closeFiles()
  return items
}

function read(made: RunRecord, options: Partial<ItemReaderOptions> = {}): RunItem[] {
  const agent = fixtures.find(({agent: {id}}) => id === made.agent)?.agent ?? null
  return readAll(openItemReader(dir, made, {agent, mayAnswer: true, ...options}))
}

function readFull(made: RunRecord, from: number, to: number): FullRecord[] {
  const agent = fixtures.find(({agent: {id}}) => id === made.agent)?.agent ?? null
  const path = recordingAt(dir).stdout
  const index = createLineIndex(path)
  index.extend()
  const records: FullRecord[] = []
  const window = openWindow({
    path,
    index,
    agent,
    ranges: [[from, to]],
    maxLineBytes: made.limits?.maxLineBytes,
    isOver: true,
    // When the only chunk of a recording came.
    timeOf: () => 2000,
    take: ({line, raw, events}) => records.push(showRecord(line, raw, events, true)),
  })
  while (window.advance() > 0);
  return records
}

const claude = fixtures.find(({agent}) => agent.id === 'claude')?.agent ?? null
const isLine = (item: RunItem): item is LineItem => item.type === 'line'
const TIMES = new Set(['at', 'durationMs', 'maxDurationMs', 'spent', 'until'])
/** What does not depend on when pieces came. */
const timeless = (items: RunItem[]): unknown =>
  JSON.parse(JSON.stringify(items), (name, value: unknown) => (TIMES.has(name) ? undefined : value))

test('shows every event and every byte of any fixture, with the offset of each line', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    createDir()
    const made = writeRecording(dir, agent, bytes, [bytes.length], OVER)
    const items = read(made)
    expect(items.map(({n}) => n)).toEqual(items.map((_, at) => at + 1))
    expect(items.at(0)?.type).toBe('start')
    expect(items.at(-1)?.type).toBe('end')
    const lines = items.filter(isLine)
    const pieces = lines.map(({offset, size}) => bytes.subarray(offset, offset + size))
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    const decoder = createEventDecoder(agent, {now: () => 0})
    const events = [...decoder.push(bytes), ...decoder.end()]
    const shown = items.flatMap((item) => ('events' in item ? item.events : []))
    expect(shown.map(({type}) => type)).toEqual(events.map(({type}) => type))
    const told = lines.flatMap(({spent}) => spent?.subAgents ?? [])
    const last = new Map(told.map(({toolId, costUsd}) => [toolId, costUsd]))
    const isMore = ([id, costUsd]: [string, number | null]) =>
      (costUsd ?? 0) > (decoder.subAgentUsage.get(id)?.costUsd ?? 0)
    expect([...last].filter(isMore)).toEqual([])
    expect([...last.keys()]).toEqual([...decoder.subAgentUsage.keys()].slice(0, last.size))
    const full = readFull(made, 1, lines.length)
    const whole: FullRecord[] = []
    read(made, {wanted: {has: () => true, take: (one) => whole.push(one)}})
    expect(full).toEqual(whole)
    // Lines in the middle depend on the lines before them.
    expect(readFull(made, 2, 3)).toEqual(whole.slice(1, 3))
    expect(full.map(({line}) => line)).toEqual(lines.map(({line}) => line))
    expect(full.map(({events: all}) => all.length)).toEqual(lines.map((item) => item.events.length))
  })
})

test('reports a line over the limit of the run as too long, in items and in full', () => {
  createDir()
  const long = JSON.stringify({type: 'assistant', message: {content: 'x'.repeat(2_000_000)}})
  const short = JSON.stringify({type: 'assistant', message: {content: 'Hello'}})
  const bytes = Buffer.from(`${long}\n${short}\n`)
  const made = writeRecording(dir, claude, bytes, [bytes.length], {
    ...OVER,
    limits: {maxLineBytes: 1000, onStuck: 'warn'},
  })
  const tooLong = {type: 'malformed', reason: 'line-too-long', size: long.length, raw: ''}
  expect(readFull(made, 1, 2)).toMatchObject([
    {line: 1, raw: '', events: [tooLong]},
    {line: 2, raw: `${short}\n`, events: [{type: 'text', text: 'Hello'}]},
  ])
  const whole: FullRecord[] = []
  read(made, {wanted: {has: () => true, take: (one) => whole.push(one)}})
  expect(readFull(made, 1, 2)).toEqual(whole)
})

test('shows the same items for any chunks of any fixture, and from any item on', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    createDir()
    const made = writeRecording(dir, agent, bytes, [bytes.length], OVER)
    const whole = read(made)
    fc.assert(
      fc.property(
        fc.array(fc.nat(bytes.length), {maxLength: 8}),
        fc.nat(whole.length),
        (cuts, since) => {
          const ends = cuts.filter((cut) => cut > 0).toSorted((one, other) => one - other)
          writeChunkTimes(dir, ends)
          expect(timeless(read(made))).toEqual(timeless(whole))
          expect(timeless(read(made, {since}))).toEqual(timeless(whole.slice(since)))
        },
      ),
      {numRuns: 3},
    )
  })
})

describe('an item', () => {
  const lineOf = (value: object) => `${JSON.stringify(value)}\n`
  const says = (text: string) =>
    lineOf({
      type: 'assistant',
      message: {id: 'm1', role: 'assistant', content: [{type: 'text', text}]},
    })

  test('has the beginning of a long text, and in full all of it', () => {
    const text = 'word '.repeat(1000)
    const bytes = says(text)
    const made = writeRecording(dir, claude, bytes, [bytes.length], OVER)
    const line = read(made).find(isLine)
    expect(line?.events[0]).toMatchObject({isCut: true, length: 5000, text: text.slice(0, 400)})
    const [full] = readFull(made, 1, 1)
    expect(full?.raw).toBe(bytes)
    expect(full?.events[0]).toMatchObject({type: 'text', text})
  })

  test('tells what a sub-agent used, whenever it was more', () => {
    const used = (id: string, tokens: number, parent: string | null) =>
      lineOf({
        type: 'assistant',
        parent_tool_use_id: parent,
        message: {
          id,
          model: 'claude-opus-4-8',
          role: 'assistant',
          content: [{type: 'text', text: 'ok'}],
          usage: {input_tokens: tokens, output_tokens: 1},
        },
      })
    const bytes = [
      used('m1', 100, null),
      used('m2', 30, 'toolu_sub'),
      used('m3', 50, 'toolu_sub'),
      used('m4', 100, null),
      lineOf({type: 'result', subtype: 'success', is_error: false, result: 'ok'}),
    ].join('')
    const made = writeRecording(dir, claude, bytes, [bytes.length], OVER)
    const told = read(made)
      .filter(isLine)
      .flatMap(({spent}) => spent?.subAgents ?? [])
    expect(told.at(-1)).toMatchObject({toolId: 'toolu_sub', tokens: 82})
    expect(told.at(-1)?.costUsd).toBeGreaterThan(0)
    expect(new Set(told.map(({tokens}) => tokens)).size).toBe(told.length)
  })

  test('has no secret, nor a part of one', () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(30)}`
    const bytes = says(`${'x'.repeat(390)} ${key} and more`) + says(`${key}`)
    const made = writeRecording(dir, claude, bytes, [bytes.length], {...OVER, prompt: `Use ${key}`})
    const shown = JSON.stringify([read(made), readFull(made, 1, 2)])
    expect(shown).not.toContain('sk-ant-api03-Ab1')
    expect(shown).not.toContain('Ab1Ab1')
  })

  test('tells nobody what is asked who may not answer', () => {
    const asks = lineOf({
      type: 'control_request',
      request_id: 'r1',
      request: {subtype: 'can_use_tool', tool_name: 'Bash', input: {command: 'rm -rf /'}},
    })
    const made = writeRecording(dir, claude, asks, [asks.length], OVER)
    expect(JSON.stringify(read(made))).toContain('rm -rf')
    expect(JSON.stringify(read(made, {mayAnswer: false}))).not.toContain('rm -rf')
  })

  test('has a place for what cannot be read', () => {
    const bytes = Buffer.concat([Buffer.from('{"type":"ass\n\n'), Buffer.from([0xff, 0xfe, 0x0a])])
    const made = writeRecording(dir, claude, bytes, [bytes.length], OVER)
    const lines = read(made).filter(isLine)
    expect(lines.map(({offset, size}) => [offset, size])).toEqual([
      [0, 13],
      [13, 1],
      [14, 3],
    ])
    expect(lines.map(({events}) => events.map(({type}) => type))).toEqual([
      ['malformed'],
      [],
      ['malformed'],
    ])
  })

  test('is a line of a program that is no agent', () => {
    const made = writeRecording(dir, null, 'one\ntwo\n', [8], OVER)
    const lines = read(made).filter(isLine)
    expect(lines.map(({kind, events}) => [kind, events])).toEqual([
      ['text', [{type: 'text', text: 'one\n'}]],
      ['text', [{type: 'text', text: 'two\n'}]],
    ])
  })
})
