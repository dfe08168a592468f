import {mkdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeEach, describe, expect, test} from 'vitest'
import {createFixtureFolder, expectForEach} from '../../test/support/each-fixture.ts'
import {fixtures} from '../../test/support/fixtures.ts'
import {OVER, writeChunkTimes, writeRecording} from '../../test/support/recording.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {readLineRecords} from '../../test/support/recording.ts'
import {hideItemRequests} from './hide-requests.ts'
import {openRunReader, type ReadItem, type RunReader, type RunReaderOptions} from './run-reader.ts'
import type {FullRecord, LineItem, RunItem} from './run-item.ts'
import {showRecord} from './show-events.ts'

const folder = createFixtureFolder('vitrine-items-')
afterAll(() => rmSync(folder, {recursive: true, force: true}))

let count = 0
let dir = ''
beforeEach(createDir)

/** Gives the next test or fixture an empty folder. */
function createDir(): void {
  dir = join(folder, `run-${++count}`)
  mkdirSync(dir)
}

function readAll(reader: RunReader): ReadItem[] {
  const items: ReadItem[] = []
  for (let isMore = true; isMore;) {
    const found = reader.advance()
    items.push(...found.items)
    ;({isMore} = found)
  }
  reader.closeFiles()
  return items
}

function readItems(record: RunRecord, options: Partial<RunReaderOptions> = {}): ReadItem[] {
  const agent = fixtures.find(({agent: {id}}) => id === record.agent)?.agent ?? null
  return readAll(openRunReader(dir, record, {agent, ...options}))
}

function read(record: RunRecord): RunItem[] {
  return readItems(record).map(({item}) => item)
}

/** Complete lines as the hub returns them, from the items of the run. */
function readFull(record: RunRecord, from: number, to: number): FullRecord[] {
  return readLineRecords(dir, record, readItems(record), [from, to])
}

/** Complete lines as an export contains them, from the recording. */
function readExported(record: RunRecord): FullRecord[] {
  return readItems(record, {hasRaw: true}).flatMap(({item, line, raw, events}) =>
    item.type === 'line' ? [showRecord(line, raw, events, true)] : [],
  )
}

const claude = fixtures.find(({agent}) => agent.id === 'claude')?.agent ?? null
const isLine = (item: RunItem): item is LineItem => item.type === 'line'
const TIMES = new Set(['at', 'durationMs', 'maxDurationMs', 'spent', 'until'])
/** Removes fields that depend on when chunks arrived. */
const withoutTimes = (items: RunItem[]): unknown =>
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
    const slices = lines.map(({offset, size}) => bytes.subarray(offset, offset + size))
    expect(Buffer.concat(slices).equals(bytes)).toBe(true)
    const decoder = createEventDecoder(agent, {now: () => 0})
    const events = [...decoder.push(bytes), ...decoder.end()]
    const shown = items.flatMap((item) => ('events' in item ? item.events : []))
    expect(shown.map(({type}) => type)).toEqual(events.map(({type}) => type))
    const subAgentUsage = lines.flatMap(({spent}) => spent?.subAgents ?? [])
    const last = new Map(subAgentUsage.map(({toolId, costUsd}) => [toolId, costUsd]))
    const isMore = ([id, costUsd]: [string, number | null]) =>
      (costUsd ?? 0) > (decoder.subAgentUsage.get(id)?.costUsd ?? 0)
    expect([...last].filter(isMore)).toEqual([])
    expect([...last.keys()]).toEqual([...decoder.subAgentUsage.keys()].slice(0, last.size))
    const full = readFull(made, 1, lines.length)
    const wanted = readExported(made)
    expect(full).toEqual(wanted)
    // The events of line 2 depend on line 1.
    expect(readFull(made, 2, 3)).toEqual(wanted.slice(1, 3))
    expect(full.map(({line}) => line)).toEqual(lines.map(({line}) => line))
    expect(full.map(({events: all}) => all.length)).toEqual(lines.map((item) => item.events.length))
  })
})

test('reports a line over the limit of the run as too long, in items and in full records', () => {
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
  expect(readFull(made, 1, 2)).toEqual(readExported(made))
})

test('returns the same items for any chunks of any fixture', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    createDir()
    const made = writeRecording(dir, agent, bytes, [bytes.length], OVER)
    const complete = read(made)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), {maxLength: 8}), (cuts) => {
        const ends = cuts.filter((cut) => cut > 0).toSorted((one, other) => one - other)
        writeChunkTimes(dir, ends)
        expect(withoutTimes(read(made))).toEqual(withoutTimes(complete))
      }),
      {numRuns: 3},
    )
  })
})

describe('an item', () => {
  const lineOf = (value: object) => `${JSON.stringify(value)}\n`
  const assistantText = (text: string) =>
    lineOf({
      type: 'assistant',
      message: {id: 'm1', role: 'assistant', content: [{type: 'text', text}]},
    })

  test('contains the start of a long text; its full record contains all of it', () => {
    const text = 'word '.repeat(1000)
    const bytes = assistantText(text)
    const made = writeRecording(dir, claude, bytes, [bytes.length], OVER)
    const line = read(made).find(isLine)
    expect(line?.events[0]).toMatchObject({isCut: true, length: 5000, text: text.slice(0, 400)})
    const [full] = readFull(made, 1, 1)
    expect(full?.raw).toBe(bytes)
    expect(full?.events[0]).toMatchObject({type: 'text', text})
  })

  test('reports the usage of a sub-agent whenever it increased', () => {
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
    const subAgentUsage = read(made)
      .filter(isLine)
      .flatMap(({spent}) => spent?.subAgents ?? [])
    expect(subAgentUsage.at(-1)).toMatchObject({toolId: 'toolu_sub', tokens: 82})
    expect(subAgentUsage.at(-1)?.costUsd).toBeGreaterThan(0)
    expect(new Set(subAgentUsage.map(({tokens}) => tokens)).size).toBe(subAgentUsage.length)
  })

  test('contains no secret and no part of one', () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(30)}`
    const bytes = assistantText(`${'x'.repeat(390)} ${key} and more`) + assistantText(`${key}`)
    const made = writeRecording(dir, claude, bytes, [bytes.length], {...OVER, prompt: `Use ${key}`})
    const shown = JSON.stringify([read(made), readFull(made, 1, 2)])
    expect(shown).not.toContain('sk-ant-api03-Ab1')
    expect(shown).not.toContain('Ab1Ab1')
  })

  test('hides permission requests from clients without the right to answer', () => {
    const request = lineOf({
      type: 'control_request',
      request_id: 'r1',
      request: {subtype: 'can_use_tool', tool_name: 'Bash', input: {command: 'rm -rf /'}},
    })
    const made = writeRecording(dir, claude, request, [request.length], OVER)
    const items = read(made).map((item) => JSON.stringify(item))
    expect(items.join()).toContain('rm -rf')
    const shown = items.map(hideItemRequests)
    expect(shown.join()).not.toContain('rm -rf')
    expect(shown).toHaveLength(items.length)
  })

  test('is created for malformed and blank lines, with their offsets', () => {
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

  test('contains a printed line as text when the agent is unknown', () => {
    const made = writeRecording(dir, null, 'one\ntwo\n', [8], OVER)
    const lines = read(made).filter(isLine)
    expect(lines.map(({kind, events}) => [kind, events])).toEqual([
      ['text', [{type: 'text', text: 'one\n'}]],
      ['text', [{type: 'text', text: 'two\n'}]],
    ])
  })
})
