import {copyFileSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import type * as database from '../../database/database.ts'
import {isDatabaseError, type Database} from '../../database/database.ts'
import {createEntry} from '../../../test/support/index-file.ts'
import {openRunIndex, type RunIndex} from './run-index.ts'
import type {
  MessagePage,
  MessageQuery,
  RunEntry,
  RunQuery,
  SearchQuery,
  StoredItem,
  StoredMessage,
} from './store.ts'

/** The connection of the index that was opened last, to check its tables and to limit its size. */
const opened = vi.hoisted(() => ({database: undefined as Database | undefined}))

vi.mock('../../database/database.ts', async (importOriginal) => {
  const original = await importOriginal<typeof database>()
  const openDatabase = (path: string) => (opened.database = original.openDatabase(path))
  return {...original, openDatabase}
})

/** Any text without lone surrogates; `fc.string({unit: 'binary'})` needs seconds to build its table of characters. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({min: 0xe000, max: 0x10ffff})))
  .map((points) => String.fromCodePoint(...points))

let index: RunIndex
let losses: unknown[]

beforeEach(() => open(':memory:'))

afterEach(() => index.close())

function open(path: string): void {
  losses = []
  index = openRunIndex(path, {onLost: (error) => losses.push(error)})
}

function clear(): void {
  index.close()
  open(':memory:')
}

interface MessageFields {
  type?: 'agent_output' | 'file_changed' | 'run_started'
  text?: string
  thinking?: string[]
}

/** A message that is found by its text. */
function message(seq: number, fields: MessageFields = {}): StoredMessage {
  const {type = 'agent_output', text = `said ${seq}`, thinking} = fields
  const timestamp = new Date(1_000_000 + seq).toISOString()
  const shown = {
    agent_output: {content: text},
    file_changed: {path: text},
    run_started: {title: text},
  }
  return {seq, type, json: JSON.stringify({type, seq, timestamp, ...shown[type]}), thinking}
}

function messages(from: number, count: number, fields: MessageFields = {}) {
  return Array.from({length: count}, (_, at) => message(from + at, fields))
}

function item(n: number, fields: Partial<StoredItem> = {}): StoredItem {
  const type = n === 1 ? 'start' : 'line'
  return {n, line: n - 1, json: `{"type":"${type}","n":${n}}`, complete: undefined, ...fields}
}

function append(runId: string, ...added: StoredMessage[]): void {
  index.append(runId, [], added)
}

function put(runId: string, fields: Partial<RunEntry> = {}): void {
  index.putRun(createEntry(runId, fields))
}

function search(text: string, scope: Partial<SearchQuery> = {}): string[] {
  return index.search({text, limit: 100, ...scope}).hits.map(({runId, seq}) => `${runId} ${seq}`)
}

function seqs(runId: string): number[] {
  return index.listMessages(runId, {since: 0, limit: 1000}).messages.map(({seq}) => seq)
}

function listRuns(query: Partial<RunQuery> = {}): string[] {
  return index.listRuns({limit: 100, ...query}).runs.map(({runId}) => runId)
}

describe('messages', () => {
  test('are returned unchanged, ordered by number', () => {
    append('a', message(1), message(2))
    append('b', message(1))
    append('a', message(3))
    expect(index.listMessages('a', {since: 0, limit: 10})).toEqual({
      messages: [1, 2, 3].map((seq) => ({seq, type: 'agent_output', json: message(seq).json})),
      isEnd: true,
    })
    expect([seqs('b'), seqs('missing')]).toEqual([[1], []])
  })

  test('are returned with the thinking before them, which is not searchable', () => {
    const thinking = ['glass \u001e', 'light'].map((content) =>
      JSON.stringify({type: 'agent_thinking', content}),
    )
    append('a', message(1), message(2, {text: 'said', thinking}))
    expect(index.listMessages('a', {since: 1, limit: 10}).messages).toEqual([
      {seq: 2, type: 'agent_output', json: message(2, {text: 'said'}).json, thinking},
    ])
    expect([search('said'), search('glass')]).toEqual([['a 2', 'a 1'], []])
  })

  test('are ignored when they already exist, and counted once', () => {
    const other = message(1, {text: 'other'})
    append('a', message(1), other)
    index.commit()
    append('a', other, message(2))
    append('a', other)
    index.commit()
    const [first] = index.listMessages('a', {since: 0, limit: 10}).messages
    expect(first?.json).toBe(message(1).json)
    expect(index.headOf('a')).toMatchObject({lastSeq: 2, lastItem: 0})
    expect([search('said'), search('other')]).toEqual([['a 2', 'a 1'], []])
  })

  test('are paged by count and by size, with a mark at the end', () => {
    append('a', ...messages(1, 5))
    const size = message(1).json.length
    const list = (since: number, limit: number, maxBytes?: number) => {
      const page = index.listMessages('a', {since, limit, maxBytes})
      return [page.messages.map(({seq}) => seq).join(' '), page.isEnd]
    }
    expect(list(0, 2)).toEqual(['1 2', false])
    expect(list(2, 3)).toEqual(['3 4 5', true])
    expect(list(5, 3)).toEqual(['', true])
    expect(list(0, 5, 2 * size)).toEqual(['1 2', false])
    expect(list(0, 5, 1)).toEqual(['1', false])
    expect(list(4, 5, 1)).toEqual(['5', true])
  })

  test('are complete and in order for any batches and any pages', () => {
    const types = ['agent_output', 'file_changed', 'run_started'] as const
    const batch = fc.record({
      run: fc.constantFrom('a', 'b'),
      back: fc.nat(3),
      types: fc.array(fc.constantFrom(...types), {maxLength: 90}),
      isCommitted: fc.boolean(),
    })
    const question = fc.record({
      run: fc.constantFrom('a', 'b', 'missing'),
      types: fc.option(fc.uniqueArray(fc.constantFrom(...types, 'run_ended')), {nil: undefined}),
      since: fc.nat(300),
      limit: fc.integer({min: 1, max: 250}),
      maxBytes: fc.option(fc.nat(6000), {nil: undefined}),
    })
    fc.assert(
      fc.property(fc.array(batch, {maxLength: 12}), fc.array(question), (given, questions) => {
        clear()
        const model = new Map<string, StoredMessage[]>()
        for (const {run, back, types: added, isCommitted} of given) {
          const all = model.get(run) ?? []
          const repeated = back === 0 ? [] : all.slice(-back)
          const fresh = added.map((type, at) => message(all.length + at + 1, {type}))
          append(run, ...repeated, ...fresh)
          if (isCommitted) index.commit()
          model.set(run, [...all, ...fresh])
        }
        for (const {run, ...query} of questions) {
          expect(index.listMessages(run, query)).toEqual(page(model.get(run) ?? [], query))
        }
        const count = [...model.values()].reduce((sum, all) => sum + all.length, 0)
        expect(new Set(search('said', {limit: 10_000})).size).toBe(count)
      }),
      {numRuns: 50},
    )

    function page(
      all: readonly StoredMessage[],
      {since, limit, maxBytes = Infinity, types: wantedTypes}: MessageQuery,
    ): MessagePage {
      const wanted = all.filter(
        ({seq, type}) => seq > since && (wantedTypes?.includes(type) ?? true),
      )
      let bytes = 0
      const taken = wanted.slice(0, limit).filter(({json}, at) => {
        bytes += json.length
        return at === 0 || bytes <= maxBytes
      })
      return {
        messages: taken.map(({seq, type, json}) => ({seq, type, json})),
        isEnd: taken.length === wanted.length,
      }
    }
  })

  test('keep any text', () => {
    let count = 0
    fc.assert(
      fc.property(anyText, (text) => {
        const runId = `run-${++count}`
        const added = message(1, {text: `${text}\u{d800}\0\n`})
        append(runId, added)
        const [first] = index.listMessages(runId, {since: 0, limit: 1}).messages
        expect(first?.json).toBe(added.json)
      }),
      {numRuns: 50},
    )
  })
})

describe('items', () => {
  test('are returned as appended, for any batches', () => {
    const lines = fc.array(fc.record({isLine: fc.boolean(), complete: fc.boolean()}), {
      maxLength: 250,
    })
    fc.assert(
      fc.property(fc.array(lines, {maxLength: 4}), fc.nat(500), (batches, from) => {
        clear()
        const all: StoredItem[] = [item(1, {line: 0})]
        index.append('a', all, [])
        for (const batch of batches) {
          const start = Math.max(0, all.length - 2)
          for (const {isLine, complete} of batch) {
            const line = (all.at(-1)?.line ?? 0) + Number(isLine)
            const json = `{"type":"${isLine ? 'line' : 'file'}"}`
            const events = complete ? `[${line}]` : undefined
            all.push(item(all.length + 1, {line, json, complete: events}))
          }
          index.append('a', all.slice(start), [])
        }
        const partial = all.map((each) => ({...each, complete: undefined}))
        expect([...index.listItems('a', from)]).toEqual(partial.slice(from))
        expect([...index.listLines('a', from)]).toEqual(
          all.filter(({n, line}) => line >= from && n > from),
        )
        expect(index.headOf('a')?.lastItem).toBe(all.length)
      }),
      {numRuns: 30},
    )
    expect([...index.listItems('missing', 0), ...index.listLines('missing', 0)]).toEqual([])
  })
})

describe('runs', () => {
  test('are listed newest first, page by page', () => {
    for (const [runId, startedAt] of Object.entries({c: 3, a: 1, b2: 2, b1: 2})) {
      put(runId, {startedAt})
    }
    expect(listRuns()).toEqual(['c', 'b2', 'b1', 'a'])
    expect(listRuns({limit: 2})).toEqual(['c', 'b2'])
    expect(listRuns({before: {startedAt: 2, runId: 'b2'}})).toEqual(['b1', 'a'])
    expect(index.listRuns({limit: 1, before: {startedAt: 2, runId: 'b1'}}).total).toBe(4)
  })

  test('are paged by bytes and continue at the end of the last page', () => {
    for (const runId of ['a', 'b', 'c', 'd']) put(runId, {summary: 'x'.repeat(1000)})
    const first = index.listRuns({limit: 10, maxBytes: 3000})
    expect(first.runs.map(({runId}) => runId)).toEqual(['d', 'c'])
    expect(first).toMatchObject({total: 4, isCut: true})
    const before = {startedAt: 1, runId: 'c'}
    const rest = index.listRuns({limit: 2, maxBytes: 3000, before})
    expect(rest.runs.map(({runId}) => runId)).toEqual(['b', 'a'])
    expect(rest.isCut).toBe(false)
    // A run that exceeds the page size gets a page of its own.
    expect(listRuns({limit: 10, maxBytes: 1})).toEqual(['d'])
  })

  test('are returned as last written, with the number of their last message', () => {
    put('a', {title: 'old'})
    append('a', message(1), message(2))
    const last = {title: 'new', costUsd: null, verdict: 'failed', endedAt: 9}
    put('a', last)
    expect(index.getRun('a')).toEqual({...createEntry('a', last), lastSeq: 2})
    expect(index.getRun('b')).toBeNull()
  })

  test('are not listed while only their messages exist', () => {
    append('a', message(1))
    expect([listRuns(), index.getRun('a')]).toEqual([[], null])
    expect(index.listStamps()).toEqual([
      {runId: 'a', workOrderId: '', stamp: '', kind: 'run', isComplete: false},
    ])
  })

  test('are filtered by agent, verdict, state and text', () => {
    put('a', {agent: null, verdict: 'failed', title: 'Größe % ändern'})
    put('b', {isOver: false, workOrderId: 'o-1', title: 'Size _ of it'})
    put('c', {verdict: 'succeeded', workOrderId: 'o-1'})
    expect(listRuns({agent: 'claude'})).toEqual(['c', 'b'])
    expect(listRuns({verdict: 'failed'})).toEqual(['a'])
    expect(listRuns({state: 'live'})).toEqual(['b'])
    expect(listRuns({state: 'over', workOrderId: 'o-1'})).toEqual(['c'])
    expect(listRuns({text: 'ÄNDERN größe'})).toEqual(['a'])
    expect(listRuns({text: 'ändern size'})).toEqual([])
    expect(listRuns({text: '%'})).toEqual(['a'])
    expect(listRuns({text: '_'})).toEqual(['b'])
    expect(listRuns({text: 'o-1'})).toEqual(['c', 'b'])
    expect(listRuns({text: ' '})).toEqual(['c', 'b', 'a'])
  })

  test('leave nothing behind in any table when they are removed', () => {
    for (const runId of ['a', 'b']) {
      put(runId)
      index.append(runId, [item(1), item(2)], messages(1, 3))
    }
    index.commit()
    // Part of the messages are in the full-text index, part are not.
    append('a', message(4))
    index.removeRun('a')
    index.removeRun('missing')
    expect([listRuns(), seqs('a'), search('said')]).toEqual([['b'], [], ['b 3', 'b 2', 'b 1']])
    expect([...index.listItems('a', 0)]).toEqual([])
    index.removeRun('b')
    index.commit()
    for (const table of ['runs', 'batches', 'search', 'search_docsize']) {
      const row = opened.database?.prepare(`SELECT count(*) AS count FROM ${table}`).get()
      expect([table, row?.['count']]).toEqual([table, 0])
    }
    expect([search('said'), index.headOf('b')]).toEqual([[], undefined])
  })

  test('can be added again after they are removed', () => {
    append('a', message(1), message(2))
    index.removeRun('a')
    append('a', message(1))
    expect([seqs('a'), search('said')]).toEqual([[1], ['a 1']])
  })

  test('are counted in the statistics', () => {
    put('a', {startedAt: 50, costUsd: 1.5, verdict: 'succeeded'})
    put('b', {startedAt: 150, costUsd: 0.5, verdict: 'failed', agent: null})
    put('c', {startedAt: 151, costUsd: null, isOver: false})
    append('a', message(1), message(2))
    index.commit()
    expect(index.stats(100)).toEqual({
      runs: 3,
      liveRuns: 1,
      messages: 2,
      costUsd: 2,
      byVerdict: {succeeded: 1, failed: 1},
      byAgent: {claude: 2, '': 1},
      today: {runs: 2, costUsd: 0.5, byVerdict: {failed: 1}},
    })
  })
})

describe('search', () => {
  test('returns the message that was added last first, and continues after a page', () => {
    append('old', ...messages(1, 3, {text: 'glass'}))
    append('new', message(1, {text: 'glass'}))
    append('old', message(4, {text: 'glass'}))
    const all = ['old 4', 'new 1', 'old 3', 'old 2', 'old 1']
    expect(search('glass')).toEqual(all)
    const found: string[] = []
    let before: number | undefined
    do {
      const page = index.search({text: 'glass', limit: 2, before})
      found.push(...page.hits.map(({runId, seq}) => `${runId} ${seq}`))
      before = page.next
    } while (before !== undefined)
    expect(found).toEqual(all)
  })

  test('finds messages that were added while there was no time to make them searchable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-run-index-'))
    index.close()
    open(join(folder, 'index.db'))
    append('a', ...messages(1, 3))
    index.close()
    // The driver may keep the lock of a closed file.
    copyFileSync(join(folder, 'index.db'), join(folder, 'copy.db'))
    open(join(folder, 'copy.db'))
    append('b', ...messages(1, 3))
    expect(search('said', {limit: 4})).toEqual(['b 3', 'b 2', 'b 1', 'a 3'])
    expect(index.fillSearch(0)).toBe(false)
    append('b', ...messages(4, 3))
    expect(index.fillSearch(0)).toBe(true)
    expect(search('said')).toHaveLength(9)
    rmSync(folder, {recursive: true})
  })

  test('can be limited to a run and to types', () => {
    append('a', message(1), message(2, {type: 'file_changed'}))
    append('b', message(1, {type: 'run_started'}))
    expect(search('said', {runId: 'a'})).toEqual(['a 2', 'a 1'])
    expect(search('said', {types: ['run_started', 'file_changed']})).toEqual(['b 1', 'a 2'])
    expect(search('said', {runId: 'a', types: ['file_changed']})).toEqual(['a 2'])
    expect(search('said', {runId: 'c'})).toEqual([])
    expect(search('said', {types: ['nothing']})).toEqual([])
    expect(search('said', {types: []})).toEqual([])
    // Names of types are not searchable.
    expect(search('file_changed')).toEqual([])
  })

  const text = 'Große Scheiben aus Glas: src/hub/store.ts, mit été'

  test.each([
    'glas',
    'gla',
    'große schei',
    'SRC/HUB/STO',
    'store.ts',
    'scheiben glas',
    'ETE',
    '- glas',
    'glas?',
  ])('finds %j', (wanted) => {
    append('a', message(1, {text}))
    expect(search(wanted)).toEqual(['a 1'])
  })

  test.each(['lass', 'schei große', 'hub/src', 'glas blau', 'gl', 'g', '', ' ', '"', '*', '🚀'])(
    'does not find %j',
    (wanted) => {
      append('a', message(1, {text}))
      expect(search(wanted)).toEqual([])
    },
  )

  test('treats any text as words', () => {
    append('a', message(1, {text: 'NOT run AND kind OR near'}))
    for (const word of ['not', 'NOT run', 'run AND kind', 'OR', '^not', 'run:', '(near)']) {
      expect(search(word)).toEqual(['a 1'])
    }
    for (const word of ['run NOT wall', 'text : near', 'near OR wall'])
      expect(search(word)).toEqual([])
    const syntax = fc.constantFrom(...'"\'*()^:{}-+\0', ' AND ', ' OR ', ' NOT ', 'NEAR', 'run')
    const written = fc.array(syntax).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(anyText, written), (any) => {
        expect(search(any).length).toBeLessThanOrEqual(1)
        expect(listRuns({text: any})).toEqual([])
      }),
      {numRuns: 300},
    )
  })
})

describe('a failed write', () => {
  let folder: string

  beforeEach(() => {
    index.close()
    folder = mkdtempSync(join(tmpdir(), 'vitrine-run-index-'))
    open(join(folder, 'index.db'))
    put('a')
    index.append('a', [item(1)], [message(1)])
    index.commit()
  })

  afterEach(() => rmSync(folder, {recursive: true}))

  /** Limits the file to its size, as a full disk does. */
  function limitSize(isLimited: boolean): void {
    opened.database?.exec(`PRAGMA max_page_count = ${isLimited ? 1 : 1_000_000}`)
  }

  test('loses only the additions since the last commit', () => {
    limitSize(true)
    const long = 'x'.repeat(100_000)
    const write = () => {
      index.append('a', [item(2)], [message(2), message(3, {text: long})])
      index.commit()
    }
    expect(write).toThrow(expect.toSatisfy(isDatabaseError))
    expect(index.headOf('a')).toMatchObject({lastSeq: 1, lastItem: 1})
    expect([seqs('a'), search('said')]).toEqual([[1], ['a 1']])
    limitSize(false)
    index.append('a', [item(2)], [message(2)])
    index.commit()
    expect([seqs('a'), search('said')]).toEqual([
      [1, 2],
      ['a 2', 'a 1'],
    ])
    expect(index.headOf('a')).toMatchObject({lastSeq: 2, lastItem: 2})
  })
})
