import fc from 'fast-check'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import type {
  MessagePage,
  MessageQuery,
  RunEntry,
  RunQuery,
  SearchQuery,
  StoredMessage,
} from './store.ts'
import type {Change} from './batch.ts'
import {joinThinking, toBit} from './chunk.ts'
import {openDatabase} from './database.ts'
import {createIndex, type MessageIndex} from './message-index.ts'
import {toTypeWord} from './schema.ts'

/** Any text without lone surrogates; `fc.string({unit: 'binary'})` needs seconds to build its table of characters. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({min: 0xe000, max: 0x10ffff})))
  .map((points) => String.fromCodePoint(...points))

let index: MessageIndex

beforeEach(clear)

function clear(): void {
  index = createIndex(openDatabase(':memory:'))
}

/** A message with text, ready to be added to a store. */
function message(
  seq: number,
  fields: Partial<StoredMessage> & {text?: string} = {},
): StoredMessage {
  const {type = 'agent_output', at = 1_000_000 + seq, text = `said ${seq}`} = fields
  return {seq, type, at, json: encode({type, seq, at, content: text, path: text}), ...fields}
}

/** A message of a type with its own fields. */
function event(seq: number, type: string, fields: object): StoredMessage {
  const at = 1_000_000 + seq
  return {seq, type, at, json: encode({type, seq, at, ...fields})}
}

function encode({at, ...fields}: Record<string, unknown> & {at: number}): string {
  const isTime = Math.abs(at) <= 8.64e15
  const timestamp = isTime ? new Date(at).toISOString() : undefined
  return JSON.stringify({...fields, timestamp})
}

function call(seq: number, toolUseId: string, tool: string): StoredMessage {
  return event(seq, 'agent_tool_call', {toolUseId, tool, input: {}})
}

function result(
  seq: number,
  toolUseId: string,
  fields: {success?: boolean; durationMs?: number},
): StoredMessage {
  return event(seq, 'agent_tool_result', {toolUseId, contentPreview: '', ...fields})
}

function change(seq: number, path: string, fields: object): StoredMessage {
  return event(seq, 'file_changed', {path, ...fields})
}

/** Consecutive messages in one chunk. */
function append(runId: string, ...messages: StoredMessage[]): Change {
  const chunk = {
    firstSeq: messages[0]?.seq ?? 0,
    lastSeq: messages.at(-1)?.seq ?? 0,
    at: messages[0]?.at ?? 0,
    types: messages.reduce((bits, {type}) => bits | toBit(type), 0),
    json: messages.map(({json, thinking}) => joinThinking(json, thinking)).join('\n'),
  }
  return {type: 'append', runId, chunk}
}

function put(runId: string, fields: Partial<RunEntry> = {}): Change & {type: 'put'} {
  return {
    type: 'put',
    entry: {
      runId,
      workOrderId: runId,
      agent: 'claude',
      title: `Run ${runId}`,
      startedAt: 1,
      isOver: true,
      toolCount: 0,
      summary: '{}',
      stamp: 'a',
      isComplete: true,
      ...fields,
    },
  }
}

function search(text: string, scope: Partial<SearchQuery> = {}): string[] {
  while (index.searchIndexer.advance());
  return index.reads
    .search({text, limit: 100, ...scope})
    .hits.map(({runId, seq}) => `${runId} ${seq}`)
}

function seqs(runId: string): number[] {
  return index.reads.listMessages(runId, {since: 0, limit: 1000}).messages.map(({seq}) => seq)
}

function listRuns(query: Partial<RunQuery> = {}): string[] {
  return index.reads.listRuns({limit: 100, ...query}).runs.map(({runId}) => runId)
}

describe('messages', () => {
  test('are returned unchanged, ordered by number', () => {
    index.write([append('a', message(1), message(2)), append('b', message(1))])
    index.write([append('a', message(3))])
    expect(index.reads.listMessages('a', {since: 0, limit: 10})).toEqual({
      messages: [1, 2, 3].map((seq) => ({seq, json: message(seq).json})),
      isEnd: true,
    })
    expect([seqs('b'), seqs('nobody')]).toEqual([[1], []])
  })

  test('are returned with the thinking before them, which is not searchable', () => {
    const thinking = [encode({type: 'agent_thinking', seq: 1, at: 1, content: 'glass \u001e'})]
    index.write([append('a', message(1), {...message(2, {text: 'said'}), thinking})])
    expect(index.reads.listMessages('a', {since: 1, limit: 10}).messages).toEqual([
      {seq: 2, json: message(2, {text: 'said'}).json, thinking},
    ])
    expect([search('said'), search('glass')]).toEqual([['a 2', 'a 1'], []])
  })

  test('are ignored when they already exist, and counted once', () => {
    const other = message(1, {text: 'other'})
    index.write([append('a', message(1)), append('a', other)])
    index.write([append('a', other, message(2)), append('a', other)])
    const {messages} = index.reads.listMessages('a', {since: 0, limit: 10})
    expect(messages[0]?.json).toBe(message(1).json)
    expect(index.reads.listStamps()).toEqual([
      {runId: 'a', workOrderId: '', stamp: '', lastSeq: 2, messageCount: 2, isComplete: false},
    ])
    expect([search('said'), search('other')]).toEqual([['a 2', 'a 1'], []])
  })

  test('are left out after a gap until it is filled, and the run is incomplete', () => {
    index.write([append('a', message(1), message(2)), put('a', {stamp: 'early'})])
    index.write([append('a', message(4), message(5))])
    expect(index.reads.listStamps()).toMatchObject([{stamp: '', lastSeq: 2, isComplete: false}])
    index.write([append('a', message(6)), put('a', {stamp: 'late'})])
    expect([seqs('a'), index.reads.getRun('a')?.stamp]).toEqual([[1, 2], ''])
    const again = [1, 2, 3, 4, 5, 6].map((seq) => message(seq))
    index.write([append('a', ...again.slice(0, 5)), put('a', {stamp: 'late'})])
    expect(index.reads.getRun('a')).toMatchObject({stamp: '', isComplete: false})
    index.write([append('a', ...again), put('a', {stamp: 'late'})])
    expect(index.reads.getRun('a')).toMatchObject({stamp: 'late', isComplete: true})
    expect([seqs('a'), search('said')]).toEqual([
      [1, 2, 3, 4, 5, 6],
      ['a 6', 'a 5', 'a 4', 'a 3', 'a 2', 'a 1'],
    ])
  })

  test('are paged by count and by size, with a mark at the end', () => {
    index.write([append('a', ...[1, 2, 3, 4, 5].map((seq) => message(seq, {json: '"12345678"'})))])
    const list = (since: number, limit: number, maxBytes?: number) => {
      const {messages, isEnd} = index.reads.listMessages('a', {since, limit, maxBytes})
      return [messages.map(({seq}) => seq).join(' '), isEnd]
    }
    expect(list(0, 2)).toEqual(['1 2', false])
    expect(list(2, 3)).toEqual(['3 4 5', true])
    expect(list(5, 3)).toEqual(['', true])
    expect(list(0, 5, 20)).toEqual(['1 2', false])
    expect(list(0, 5, 1)).toEqual(['1', false])
    expect(list(4, 5, 1)).toEqual(['5', true])
  })

  test('are complete and in order for any batches and any pages', () => {
    const type = fc.constantFrom('one', 'two', 'three', 'agent_output')
    const wantedType = fc.constantFrom<string[]>('one', 'two', 'three', 'four')
    const chunk = fc.record({
      run: fc.constantFrom('a', 'b'),
      back: fc.nat(3),
      types: fc.array(type),
    })
    const question = fc.record({
      run: fc.constantFrom('a', 'b', 'nobody'),
      types: fc.option(fc.uniqueArray(wantedType), {nil: undefined}),
      since: fc.nat(40),
      limit: fc.integer({min: 1, max: 12}),
      maxBytes: fc.option(fc.nat(600), {nil: undefined}),
    })
    fc.assert(
      fc.property(fc.array(chunk, {maxLength: 20}), fc.array(question), (given, questions) => {
        clear()
        const model = new Map<string, StoredMessage[]>()
        for (const {run, back, types} of given) {
          const all = model.get(run) ?? []
          const repeated = all.slice(all.length - back)
          const fresh = types.map((each, at) => message(all.length + at + 1, {type: each}))
          if (repeated.length + fresh.length === 0) continue
          index.write([append(run, ...repeated, ...fresh)])
          // Indexing in between must not change the result.
          if (back === 0) index.searchIndexer.advance()
          model.set(run, [...all, ...fresh])
        }
        for (const {run, ...query} of questions) {
          expect(index.reads.listMessages(run, query)).toEqual(page(model.get(run) ?? [], query))
        }
        const hits = [...model].flatMap(([run, all]) =>
          all.filter((each) => each.type === 'agent_output').map(({seq}) => `${run} ${seq}`),
        )
        expect(search('said').toSorted()).toEqual(hits.toSorted().slice(0, 100))
      }),
      {numRuns: 100},
    )

    function page(
      all: readonly StoredMessage[],
      {since, limit, maxBytes = Infinity, types}: MessageQuery,
    ): MessagePage {
      const wanted = all.filter((each) => {
        return each.seq > since && (types?.includes(each.type) ?? true)
      })
      let bytes = 0
      const taken = wanted.slice(0, limit).filter(({json}, at) => {
        bytes += json.length
        return at === 0 || bytes <= maxBytes
      })
      return {
        messages: taken.map(({seq, json}) => ({seq, json})),
        isEnd: taken.length === wanted.length,
      }
    }
  })

  test('are all returned, in short pages, for a rare type', () => {
    const big = 'x'.repeat(60_000)
    const rare = new Set([1, 90, 91, 200])
    for (let seq = 1; seq <= 200; seq++) {
      const type = rare.has(seq) ? 'rare' : 'common'
      // A bit mask of all types, so that each chunk may contain both.
      const {chunk} = append('a', message(seq, {type, text: big})) as Change & {type: 'append'}
      index.write([{type: 'append', runId: 'a', chunk: {...chunk, types: -1}}])
    }
    const found: number[] = []
    let isEnd = false
    while (!isEnd) {
      const page = index.reads.listMessages('a', {
        since: found.at(-1) ?? 0,
        limit: 10,
        types: ['rare'],
      })
      expect(page.messages.length > 0 || page.isEnd).toBe(true)
      found.push(...page.messages.map(({seq}) => seq))
      isEnd = page.isEnd
    }
    expect(found).toEqual([...rare])
  })

  test('keep any text, with replacement characters for invalid characters', () => {
    let count = 0
    fc.assert(
      fc.property(anyText, (text) => {
        const runId = `run-${++count}`
        // JSON never contains the separators unescaped.
        const json = text.replaceAll('\n', '').replaceAll('\u001e', '')
        index.write([append(runId, message(1, {json: `${json}\u{d800}\0`}))])
        const {messages} = index.reads.listMessages(runId, {since: 0, limit: 1})
        expect(messages[0]?.json).toBe(`${json.replaceAll('\0', '\ufffd')}\ufffd\ufffd`)
      }),
      {numRuns: 50},
    )
  })
})

describe('runs', () => {
  test('are listed newest first, page by page', () => {
    const starts = {c: 3, a: 1, b2: 2, b1: 2}
    index.write(Object.entries(starts).map(([runId, startedAt]) => put(runId, {startedAt})))
    expect(listRuns()).toEqual(['c', 'b2', 'b1', 'a'])
    expect(listRuns({limit: 2})).toEqual(['c', 'b2'])
    expect(listRuns({before: {startedAt: 2, runId: 'b2'}})).toEqual(['b1', 'a'])
    const page = index.reads.listRuns({limit: 1, before: {startedAt: 2, runId: 'b1'}})
    expect(page.total).toBe(4)
  })

  test('are paged by bytes and continue at the end of the last page', () => {
    for (const runId of ['a', 'b', 'c', 'd']) {
      index.write([put(runId, {summary: 'x'.repeat(1000)})])
    }
    const first = index.reads.listRuns({limit: 10, maxBytes: 3000})
    expect(first.runs.map(({runId}) => runId)).toEqual(['d', 'c'])
    expect(first).toMatchObject({total: 4, isCut: true})
    const before = {startedAt: 1, runId: 'c'}
    const rest = index.reads.listRuns({limit: 2, maxBytes: 3000, before})
    expect(rest.runs.map(({runId}) => runId)).toEqual(['b', 'a'])
    expect(rest.isCut).toBe(false)
    // A run that exceeds the page size gets a page of its own.
    const single = index.reads.listRuns({limit: 10, maxBytes: 1})
    expect(single.runs.map(({runId}) => runId)).toEqual(['d'])
  })

  test('are returned as last written, with the number of their last message', () => {
    index.write([put('a', {title: 'old'}), append('a', message(1), message(2))])
    const last = put('a', {title: 'new', costUsd: null, verdict: 'failed', endedAt: 9})
    index.write([last])
    expect(index.reads.getRun('a')).toEqual({...last.entry, lastSeq: 2})
    expect(index.reads.getRun('b')).toBeNull()
  })

  test('are not listed while only their messages exist', () => {
    index.write([append('a', message(1))])
    expect([listRuns(), index.reads.getRun('a')]).toEqual([[], null])
  })

  test('are filtered by agent, verdict, state and text', () => {
    index.write([
      put('a', {agent: null, verdict: 'failed', title: 'Größe % ändern'}),
      put('b', {isOver: false, workOrderId: 'o-1', title: 'Size _ of it'}),
      put('c', {verdict: 'succeeded', workOrderId: 'o-1'}),
    ])
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

  test('leave nothing behind when they are removed', () => {
    const facts = [call(3, 't', 'Bash'), change(4, 'x', {action: 'edit'})]
    const ofA = [put('a'), append('a', message(1), message(2), ...facts)]
    index.write([...ofA, put('b'), append('b', message(1))])
    expect(search('said')).toHaveLength(3)
    // Part of the messages are indexed for search, part are not.
    index.write([append('a', message(5))])
    index.write([
      {type: 'remove', runId: 'a'},
      {type: 'remove', runId: 'nobody'},
    ])
    expect([listRuns(), seqs('a'), search('said')]).toEqual([['b'], [], ['b 1']])
    expect([index.reads.toolStats(), index.reads.listFiles('a')]).toEqual([[], []])
    expect(index.reads.stats(0)).toMatchObject({runs: 1, messages: 1})
  })

  test('can be removed in the batch that added them, and added again', () => {
    index.write([append('a', message(1)), {type: 'remove', runId: 'a'}, append('a', message(1))])
    expect([seqs('a'), search('said')]).toEqual([[1], ['a 1']])
  })

  test('are counted in the statistics', () => {
    index.write([
      put('a', {startedAt: 50, costUsd: 1.5, verdict: 'succeeded'}),
      put('b', {startedAt: 150, costUsd: 0.5, verdict: 'failed', agent: null}),
      put('c', {startedAt: 151, costUsd: null, isOver: false}),
      append('a', message(1, {json: '"é"'}), message(2, {json: '""'})),
    ])
    expect(index.reads.stats(100)).toEqual({
      runs: 3,
      liveRuns: 1,
      messages: 2,
      bytes: 6,
      costUsd: 2,
      byVerdict: {succeeded: 1, failed: 1},
      byAgent: {claude: 2, '': 1},
      today: {runs: 2, costUsd: 0.5, byVerdict: {failed: 1}},
    })
  })
})

describe('search', () => {
  test('returns the newest first, for any order of writes, and continues after a page', () => {
    index.write([append('new', message(1, {at: 9000, text: 'glass'}))])
    index.write([append('old', ...[1, 2, 3].map((seq) => message(seq, {at: 5000, text: 'glass'})))])
    index.write([append('mid', message(1, {at: 7000, text: 'glass'}))])
    const all = ['new 1', 'mid 1', 'old 3', 'old 2', 'old 1']
    expect(search('glass')).toEqual(all)
    const found: string[] = []
    let before: number | undefined
    do {
      const page = index.reads.search({text: 'glass', limit: 2, before})
      found.push(...page.hits.map(({runId, seq}) => `${runId} ${seq}`))
      before = page.next
    } while (before !== undefined)
    expect(found).toEqual(all)
  })

  test('keeps thousands of messages of the same millisecond in order', () => {
    const many = Array.from({length: 9000}, (_, at) => message(at + 1, {at: 1, text: 'glass'}))
    index.write([append('b', message(1, {at: 2, text: 'glass'})), append('a', ...many)])
    index.write([append('c', message(1, {at: 1, text: 'glass'}))])
    const ofA = search('glass', {limit: 10_000}).filter((hit) => hit.startsWith('a'))
    expect(ofA).toEqual(many.map(({seq}) => `a ${seq}`).toReversed())
    expect([search('glass', {runId: 'b'}), search('glass', {runId: 'c'})]).toEqual([
      ['b 1'],
      ['c 1'],
    ])
  })

  test('accepts times outside the range of dates', () => {
    const times = [-5, 0.5, Number.MAX_VALUE, 8.64e15, Number.MAX_VALUE]
    for (const [at, time] of times.entries()) {
      index.write([append('a', message(at + 1, {at: time}))])
    }
    expect(search('said')).toEqual(['a 5', 'a 4', 'a 3', 'a 2', 'a 1'])
  })

  const text = 'Große Scheiben aus Glas: src/hub/store.ts, mit été'

  test.each([
    'glas',
    'große schei',
    'SRC/HUB/ST',
    'store.ts',
    'gl',
    'scheiben glas',
    'ETE',
    '- glas',
    'glas?',
  ])('finds %j', (wanted) => {
    index.write([append('a', message(1, {text}))])
    expect(search(wanted)).toEqual(['a 1'])
  })

  test.each(['lass', 'schei große', 'hub/src', 'glas blau', 'g', '', ' ', '"', '*', '🚀', '- /'])(
    'does not find %j',
    (wanted) => {
      index.write([append('a', message(1, {text}))])
      expect(search(wanted)).toEqual([])
    },
  )

  describe('with a long prefix', () => {
    const WORDS =
      'glas glass Gläser glass-case class "glass_case" glaſs été Étés stores.ts store.t 대한민국 대한민구'

    /** A limit above the number of candidates that are checked one by one, so that the full-text index is used. */
    const MANY = 5000

    /** Searches page by page. */
    function searchPages(typed: string, limit: number): string[] {
      const found: string[] = []
      let before: number | undefined
      do {
        const {hits, next} = index.reads.search({text: typed, limit, before})
        found.push(...hits.map(({runId, seq}) => `${runId} ${seq}`))
        before = next
      } while (before !== undefined)
      return found
    }

    test('finds the same messages as the full-text index', () => {
      const word = fc.constantFrom(...WORDS.split(' '))
      const anyTexts = fc.array(fc.array(word, {maxLength: 4}), {maxLength: 40})
      const wanted = fc.array(word, {minLength: 1, maxLength: 2})
      fc.assert(
        fc.property(
          anyTexts,
          wanted,
          fc.nat(5),
          fc.integer({min: 1, max: 9}),
          (texts, words, cut, limit) => {
            clear()
            const messages = texts.map((part, at) => message(at + 1, {text: part.join(' ')}))
            if (messages.length > 0) index.write([append('a', ...messages)])
            const typed = words.join(' ').slice(0, 4 + cut)
            expect(searchPages(typed, limit)).toEqual(search(typed, {limit: MANY}))
          },
        ),
      )
    })

    test.each([
      ['everywhere', () => true],
      ['only old', (seq: number) => seq <= 100],
      ['rare', (seq: number) => seq % 700 === 0],
      ['absent', () => false],
    ])('finds each message once when matches are %s', (_where, isThere) => {
      for (const runId of ['a', 'b']) {
        const messages = Array.from({length: 1500}, (_, at) =>
          message(at + 1, {text: isThere(at + 1) ? 'a glass case' : 'to glaze it'}),
        )
        index.write([append(runId, ...messages)])
      }
      const all = search('glass', {limit: MANY})
      expect(searchPages('glass', 50)).toEqual(all)
      expect(searchPages('glas', 300)).toEqual(all)
      const there = Array.from({length: 1500}, (_, at) => at + 1).filter(isThere)
      expect(all).toHaveLength(2 * there.length)
    })
  })

  test('can be limited to a run and to types', () => {
    index.write([
      append('a', message(1), message(2, {type: 'file_changed'})),
      append('b', event(1, 'run_started', {title: 'said', at: 5})),
    ])
    const types = ['run_started', 'file_changed']
    expect(search('said', {runId: 'a'})).toEqual(['a 2', 'a 1'])
    expect(search('said', {types}).toSorted()).toEqual(['a 2', 'b 1'])
    expect(search('said', {runId: 'a', types: ['file_changed']})).toEqual(['a 2'])
    expect(search('said', {runId: 'c'})).toEqual([])
    expect(search('said', {types: ['nothing']})).toEqual([])
    expect(search('said', {types: []})).toEqual([])
    // The internal words for runs and types are not searchable.
    expect([...search('r1'), ...search(toTypeWord('file_changed'))]).toEqual([])
  })

  test('reports how many messages are not searchable yet', () => {
    const total = 20_000
    const many = Array.from({length: total}, (_, at) =>
      message(at + 1, {text: 'glass '.repeat(40)}),
    )
    for (let at = 0; at < total; at += 100) index.write([append('a', ...many.slice(at, at + 100))])
    // A search spends 50 ms on catching up, which ends after two steps of this clock.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 30))
    const first = index.reads.search({text: 'glass', limit: total})
    clock.mockRestore()
    expect(first.hits.length).toBeGreaterThan(0)
    expect(first.waiting).toBeGreaterThan(0)
    expect(first.hits.length + first.waiting).toBe(total)
    while (index.searchIndexer.advance());
    expect(index.reads.search({text: 'glass', limit: 1}).waiting).toBe(0)
    expect(search('glass', {limit: total})).toHaveLength(total)
  })

  test('treats any text as words', () => {
    index.write([append('a', message(1, {text: 'NOT run AND kind OR near'}))])
    for (const word of ['not', 'NOT run', 'run AND kind', 'OR', '^not', 'run:', '(near)']) {
      expect(search(word)).toEqual(['a 1'])
    }
    for (const word of ['run NOT wall', 'text : near', 'near OR wall'])
      expect(search(word)).toEqual([])
    const syntax = fc.constantFrom(
      ...'"\'*()^:{}-+\0',
      ' AND ',
      ' OR ',
      ' NOT ',
      'NEAR',
      'run',
      ' ',
    )
    const written = fc.array(syntax).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(anyText, written), (any) => {
        expect(search(any).length).toBeLessThanOrEqual(1)
        expect(listRuns({text: any})).toEqual([])
      }),
      {numRuns: 500},
    )
  })

  test('finds all words of a text in any order', () => {
    const word = fc.stringMatching(/^[a-zäöü0-9]{1,8}$/)
    let count = 0
    fc.assert(
      fc.property(fc.array(word, {minLength: 1, maxLength: 8}), (words) => {
        const runId = `run-${++count}`
        index.write([append(runId, message(1, {text: words.join(' ')}))])
        expect(search(words.toReversed().join('\n'), {runId})).toEqual([`${runId} 1`])
      }),
      {numRuns: 50},
    )
  })
})

describe('tools and files', () => {
  test('a tool use combines its call and its result', () => {
    index.write([append('a', call(1, 'x', 'Bash'), call(2, 'y', 'Read'))])
    const first = index.reads.listTools('a')
    expect(first.map(({toolUseId, success}) => [toolUseId, success])).toEqual([
      ['x', undefined],
      ['y', undefined],
    ])
    index.write([append('a', result(3, 'x', {success: false, durationMs: 40}))])
    index.write([append('a', result(3, 'x', {success: true, durationMs: 1}))])
    const uses = [
      {toolUseId: 'x', tool: 'Bash', seq: 1, at: 1_000_001, success: false, durationMs: 40},
      {toolUseId: 'y', tool: 'Read', seq: 2, at: 1_000_002},
    ]
    expect(index.reads.listTools('a')).toEqual(uses)
    // Indexing the rest must not count anything twice.
    while (index.searchIndexer.advance());
    expect(index.reads.listTools('a')).toEqual(uses)
  })

  test('tools are counted and timed, in one run and in all runs', () => {
    const uses = Array.from({length: 100}, (_, at) => [
      call(2 * at + 1, `${at}`, 'Bash'),
      result(2 * at + 2, `${at}`, {success: at > 2, durationMs: at + 1}),
    ])
    index.write([append('a', ...uses.flat(), call(201, 'r', 'Read'))])
    index.write([append('b', call(1, 'r', 'Read'), result(2, 'r', {durationMs: 7}))])
    expect(index.reads.toolStats('a')[1]).toEqual({tool: 'Read', count: 1, failures: 0})
    while (index.searchIndexer.advance());
    expect(index.reads.toolStats()).toEqual([
      {tool: 'Bash', count: 100, failures: 3, p50Ms: 50, p95Ms: 95},
      {tool: 'Read', count: 2, failures: 0, p50Ms: 7, p95Ms: 7},
    ])
    expect(index.reads.toolStats('nobody')).toEqual([])
  })

  test('a file has its last action', () => {
    const write = () =>
      index.write([
        append(
          'a',
          change(1, 'b', {action: 'create', sizeBytes: 5}),
          change(2, 'b', {action: 'edit', sizeBytes: 9}),
          change(3, 'b', {action: 'delete'}),
          change(4, 'a', {action: 'create', sizeBytes: 0}),
          change(5, 'c', {action: 'create', isUncertain: true}),
          change(6, 'd', {action: 'create', isUncertain: true}),
          change(7, 'd', {action: 'create'}),
        ),
      ])
    const files = [
      {path: 'a', action: 'create', changes: 1, sizeBytes: 0, isUncertain: false},
      {path: 'b', action: 'delete', changes: 3, isUncertain: false},
      {path: 'c', action: 'create', changes: 1, isUncertain: true},
      {path: 'd', action: 'create', changes: 2, isUncertain: false},
    ]
    write()
    expect(index.reads.listFiles('a')).toEqual(files)
    while (index.searchIndexer.advance());
    write()
    expect(index.reads.listFiles('a')).toEqual(files)
  })
})

test('a failed batch is not stored, and later batches do not hide the gap', () => {
  index.write([put('a'), append('a', message(1))])
  expect(() => index.write([append('a', message(2)), broken('b')])).toThrow(/./)
  index.write([append('a', message(4)), put('a', {stamp: 'done'}), append('c', message(1))])
  expect([seqs('a'), seqs('b'), seqs('c')]).toEqual([[1], [], [1]])
  expect(index.reads.getRun('a')).toMatchObject({stamp: '', isComplete: false, lastSeq: 1})
  // Starting the run again repairs the gap.
  index.write([{type: 'remove', runId: 'a'}, append('a', message(1)), put('a', {stamp: 'done'})])
  expect(index.reads.getRun('a')).toMatchObject({stamp: 'done', isComplete: true, lastSeq: 1})
})

test('a failed indexing step is retried, and its result is exact', () => {
  const database = openDatabase(':memory:')
  index = createIndex(database)
  index.write([append('a', message(1), call(2, 'x', 'Bash'), change(3, 'p', {action: 'edit'}))])
  database.exec('ALTER TABLE search_rows RENAME TO gone')
  expect(() => index.searchIndexer.advance()).toThrow(/search_rows/)
  expect(index.searchIndexer.waiting).toBe(3)
  expect(index.reads.search({text: 'said', limit: 1})).toEqual({hits: [], waiting: 3})
  database.exec('ALTER TABLE gone RENAME TO search_rows')
  expect(search('said')).toEqual(['a 1'])
  expect(index.reads.listFiles('a')).toMatchObject([{path: 'p', changes: 1}])
  expect(index.reads.listTools('a')).toHaveLength(1)
})

/** A change that cannot be written. */
function broken(runId: string): Change {
  const chunk = {firstSeq: 1, lastSeq: 1, at: 1, types: null as unknown as number, json: '{}'}
  return {type: 'append', runId, chunk}
}
