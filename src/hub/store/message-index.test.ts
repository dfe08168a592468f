import fc from 'fast-check'
import {beforeEach, describe, expect, test} from 'vitest'
import type {RunEntry, RunQuery, SearchQuery, StoredMessage} from '../store.ts'
import type {Change} from './batch.ts'
import {openDatabase} from './database.ts'
import {createIndex, type MessageIndex} from './message-index.ts'

let index: MessageIndex

beforeEach(clear)

function clear(): void {
  index = createIndex(openDatabase(':memory:'))
}

function message(seq: number, fields: Partial<StoredMessage> = {}): StoredMessage {
  const {text = `said ${seq}`} = fields
  const json = JSON.stringify({type: 'agent_output', seq, content: text})
  return {seq, type: 'agent_output', at: 1_000_000 + seq, json, text, ...fields}
}

function append(runId: string, ...messages: StoredMessage[]): Change {
  return {type: 'append', runId, messages}
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
  test('come back as they were given, in the order of seq', () => {
    index.write([append('a', message(2), message(1)), append('b', message(7))])
    index.write([append('a', message(3))])
    expect(index.reads.listMessages('a', {since: 0, limit: 10})).toEqual({
      messages: [1, 2, 3].map((seq) => ({seq, json: message(seq).json})),
      isEnd: true,
    })
    expect([seqs('b'), seqs('nobody')]).toEqual([[7], []])
  })

  test('that are there already are ignored, and counted once', () => {
    const other = message(1, {json: '"other"', text: 'other'})
    index.write([append('a', message(1), other)])
    index.write([append('a', other, message(2))])
    const {messages} = index.reads.listMessages('a', {since: 0, limit: 10})
    expect(messages[0]?.json).toBe(message(1).json)
    expect(index.reads.listStamps()).toEqual([
      {runId: 'a', stamp: '', lastSeq: 2, messageCount: 2, isComplete: false},
    ])
    expect([search('said'), search('other')]).toEqual([['a 2', 'a 1'], []])
  })

  test('are paged by count and by size, and the end is told', () => {
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

  test('are paged by type as if they were filtered', () => {
    const type = fc.constantFrom('one', 'two', 'three')
    const wantedType = fc.constantFrom<string[]>('one', 'two', 'three', 'four')
    fc.assert(
      fc.property(
        fc.array(type, {maxLength: 40}),
        fc.uniqueArray(wantedType),
        fc.nat(40),
        fc.integer({min: 1, max: 10}),
        (given, types, since, limit) => {
          clear()
          const messages = given.map((each, at) => message(at + 1, {type: each}))
          index.write([append('a', ...messages)])
          const wanted = messages.filter((each) => each.seq > since && types.includes(each.type))
          const page = index.reads.listMessages('a', {since, limit, types})
          expect(page).toEqual({
            messages: wanted.slice(0, limit).map(({seq, json}) => ({seq, json})),
            isEnd: wanted.length <= limit,
          })
        },
      ),
      {numRuns: 50},
    )
  })

  test('the last of a type is found', () => {
    index.write([append('a', message(1), message(2, {type: 'progress'}), message(3))])
    const last = (runId: string, type: string) => index.reads.lastMessage(runId, type)?.seq
    expect([last('a', 'agent_output'), last('a', 'progress')]).toEqual([3, 2])
    expect([last('b', 'progress'), last('a', 'other')]).toEqual([undefined, undefined])
  })

  test('any text is kept, except what is no text', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (json) => {
        clear()
        index.write([append('a', message(1, {json: `${json}\u{d800}\0`}))])
        const {messages} = index.reads.listMessages('a', {since: 0, limit: 1})
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

  test('come back as they were put last, with the seq of their last message', () => {
    index.write([put('a', {title: 'old'}), append('a', message(5))])
    const last = put('a', {title: 'new', costUsd: null, verdict: 'failed', endedAt: 9})
    index.write([last])
    expect(index.reads.getRun('a')).toEqual({...last.entry, lastSeq: 5})
    expect(index.reads.getRun('b')).toBeNull()
  })

  test('of which only messages are known are not listed', () => {
    index.write([append('a', message(1))])
    expect([listRuns(), index.reads.getRun('a')]).toEqual([[], null])
  })

  test('are filtered', () => {
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

  test('that are removed leave nothing behind', () => {
    const facts = {toolUseId: 't', tool: 'Bash', durationMs: 3, path: 'x', action: 'edit'}
    const ofA = [put('a'), append('a', message(1, facts), message(2))]
    index.write([...ofA, put('b'), append('b', message(9))])
    index.write([
      {type: 'remove', runId: 'a'},
      {type: 'remove', runId: 'nobody'},
    ])
    expect([listRuns(), seqs('a'), search('said')]).toEqual([['b'], [], ['b 9']])
    expect([index.reads.toolStats(), index.reads.listFiles('a')]).toEqual([[], []])
    expect(index.reads.stats(0)).toMatchObject({runs: 1, messages: 1})
  })

  test('can be removed in the batch that brought them, and come again', () => {
    index.write([append('a', message(1)), {type: 'remove', runId: 'a'}, append('a', message(2))])
    expect([seqs('a'), search('said')]).toEqual([[2], ['a 2']])
  })

  test('are counted', () => {
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
  test('finds the newest first, whenever they were written, and goes on where it was', () => {
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

  test('keeps thousands of messages of the same moment apart and in order', () => {
    const many = Array.from({length: 9000}, (_, at) => message(at + 1, {at: 1, text: 'glass'}))
    index.write([append('b', message(9, {at: 2, text: 'glass'})), append('a', ...many)])
    index.write([append('c', message(1, {at: 1, text: 'glass'}))])
    const ofA = search('glass', {limit: 10_000}).filter((hit) => hit.startsWith('a'))
    expect(ofA).toEqual(many.map(({seq}) => `a ${seq}`).toReversed())
    expect([search('glass', {runId: 'b'}), search('glass', {runId: 'c'})]).toEqual([
      ['b 9'],
      ['c 1'],
    ])
  })

  test('takes times that cannot be', () => {
    const times = [-5, 0.5, Number.MAX_VALUE, 8.64e15, Number.MAX_VALUE]
    index.write([append('a', ...times.map((at, seq) => message(seq + 1, {at})))])
    expect(search('said')).toEqual(['a 5', 'a 4', 'a 3', 'a 2', 'a 1'].toSorted(byTime))
    function byTime(a: string, b: string): number {
      return (times[Number(b.at(-1)) - 1] ?? 0) - (times[Number(a.at(-1)) - 1] ?? 0)
    }
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

  test('is narrowed to a run and to types', () => {
    index.write([
      append('a', message(1), message(2, {type: 'file_changed'})),
      append('b', message(1, {at: 5, type: 'other'})),
    ])
    expect(search('said', {runId: 'a'})).toEqual(['a 2', 'a 1'])
    expect(search('said', {types: ['other', 'file_changed']})).toEqual(['a 2', 'b 1'])
    expect(search('said', {runId: 'a', types: ['file_changed']})).toEqual(['a 2'])
    expect(search('said', {runId: 'c'})).toEqual([])
    expect(search('said', {types: ['nothing']})).toEqual([])
    expect(search('said', {types: []})).toEqual([])
    // The words that stand for runs and types are found by nobody.
    expect([...search('r1'), ...search('k1')]).toEqual([])
  })

  test('takes any text for words', () => {
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
      fc.property(fc.oneof(fc.string({unit: 'binary'}), written), (any) => {
        expect(search(any).length).toBeLessThanOrEqual(1)
        expect(listRuns({text: any})).toEqual([])
      }),
      {numRuns: 500},
    )
  })

  test('finds all words of a text in any order', () => {
    const word = fc.stringMatching(/^[a-zäöü0-9]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, {minLength: 1, maxLength: 8}), (words) => {
        clear()
        index.write([append('a', message(1, {text: words.join(' ')}))])
        expect(search(words.toReversed().join('\n'))).toEqual(['a 1'])
      }),
      {numRuns: 50},
    )
  })
})

describe('tools and files', () => {
  test('a use is made of its call and its result', () => {
    const call = message(1, {toolUseId: 'x', tool: 'Bash'})
    index.write([append('a', call, message(2, {toolUseId: 'y', tool: 'Read'}))])
    index.write([append('a', message(3, {toolUseId: 'x', success: false, durationMs: 40}))])
    index.write([append('a', message(3, {toolUseId: 'x', success: true, durationMs: 1}))])
    expect(index.reads.listTools('a')).toEqual([
      {toolUseId: 'x', tool: 'Bash', seq: 1, at: 1_000_001, success: false, durationMs: 40},
      {toolUseId: 'y', tool: 'Read', seq: 2, at: 1_000_002},
    ])
  })

  test('tools are counted and timed, in a run and in all', () => {
    const uses = Array.from({length: 100}, (_, at) =>
      message(at + 1, {toolUseId: `${at}`, tool: 'Bash', success: at > 2, durationMs: at + 1}),
    )
    index.write([append('a', ...uses, message(101, {toolUseId: 'r', tool: 'Read'}))])
    index.write([append('b', message(1, {toolUseId: 'r', tool: 'Read', durationMs: 7}))])
    expect(index.reads.toolStats()).toEqual([
      {tool: 'Bash', count: 100, failures: 3, p50Ms: 50, p95Ms: 95},
      {tool: 'Read', count: 2, failures: 0, p50Ms: 7, p95Ms: 7},
    ])
    expect(index.reads.toolStats('a')[1]).toEqual({tool: 'Read', count: 1, failures: 0})
    expect(index.reads.toolStats('nobody')).toEqual([])
  })

  test('a file has what was done to it last', () => {
    index.write([
      append(
        'a',
        message(1, {path: 'b', action: 'create', sizeBytes: 5}),
        message(3, {path: 'b', action: 'delete'}),
        message(2, {path: 'b', action: 'edit', sizeBytes: 9}),
        message(4, {path: 'a', action: 'create', sizeBytes: 0}),
      ),
    ])
    expect(index.reads.listFiles('a')).toEqual([
      {path: 'a', action: 'create', changes: 1, sizeBytes: 0},
      {path: 'b', action: 'delete', changes: 3},
    ])
  })
})

test('a batch that fails is not there, and nothing hides that later', () => {
  index.write([put('a'), append('a', message(1))])
  const broken = {...message(3), json: null as unknown as string}
  expect(() => index.write([append('a', message(2)), append('b', broken)])).toThrow(TypeError)
  index.write([append('a', message(4)), put('a', {stamp: 'done'}), append('c', message(1))])
  expect([seqs('a'), seqs('b'), seqs('c')]).toEqual([[1], [], [1]])
  expect(index.reads.getRun('a')).toMatchObject({stamp: '', isComplete: false, lastSeq: 1})
  // Until the run is begun again.
  index.write([{type: 'remove', runId: 'a'}, append('a', message(1)), put('a', {stamp: 'done'})])
  expect(index.reads.getRun('a')).toMatchObject({stamp: 'done', isComplete: true, lastSeq: 1})
})

test('a type that came with a batch that failed can come again', () => {
  const broken = {...message(2, {type: 'new'}), json: null as unknown as string}
  expect(() => index.write([append('a', message(1, {type: 'new'}), broken)])).toThrow(TypeError)
  index.write([append('b', message(1, {type: 'first'}), message(2, {type: 'new'}))])
  expect(search('said', {types: ['new']})).toEqual(['b 2'])
})
