import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {
  answerRow,
  createSessionPlace,
  promptRow,
  resultRow,
  START,
} from '../../../test/support/search.ts'
import type {Entry} from '../entries.ts'
import {fillSearch} from './fill.ts'
import {searchHistory, type SearchQuery} from './search.ts'
import {openSearchStore} from './search-store.ts'

const KEY = `sk-ant-api03-${'a1B2'.repeat(24)}-AA`
const HOUR = 3600
const place = createSessionPlace()
const store = openSearchStore(':memory:')
let entries: Entry[]

beforeAll(async () => {
  place.write(
    'refunds',
    promptRow(0, 'Make the webhook idempotent'),
    answerRow(10, 'Both call createRefund(), so the key belongs in there.'),
    answerRow(20, {
      id: 't',
      name: 'Edit',
      input: {file_path: 'src/refund.ts', new_string: 'key: Id'},
    }),
    resultRow(30, 't', `Written with ${KEY}`),
    answerRow(40, 'createRefund is idempotent now.'),
  )
  place.write(
    'ledger',
    promptRow(HOUR, 'Explain the ledger', '/home/dev/ledger/api'),
    answerRow(HOUR + 5, 'It calls createRefund. Naïve, but größer.'),
  )
  place.write('other', promptRow(2 * HOUR, 'Rename the menu', '/home/dev/menu'))
  entries = await place.read()
  await fillSearch(store, entries)
})
afterAll(() => {
  store.close()
  place.clear()
})

function find(text: string, query: Partial<SearchQuery> = {}) {
  return searchHistory(store, entries, {text, limit: 10, ...query})
}

const titles = (text: string, query: Partial<SearchQuery> = {}) =>
  find(text, query).entries.map(({entry}) => entry.title)

const [REFUNDS, LEDGER, MENU] = [
  'Make the webhook idempotent',
  'Explain the ledger',
  'Rename the menu',
]

test.each([
  ['createRefund', [LEDGER, REFUNDS]],
  ['CREATEREFUND idempotent', [REFUNDS]],
  ['createref', [LEDGER, REFUNDS]],
  ['refund', [REFUNDS]],
  ['"webhook idempotent"', [REFUNDS]],
  ['"idempotent webhook"', []],
  ['idempotent webhook', [REFUNDS]],
  ['src/refund.ts', [REFUNDS]],
  ['naive grosser', []],
  ['naive größer', [LEDGER]],
  ['NAÏVE', [LEDGER]],
  ['the', [MENU, LEDGER, REFUNDS]],
  ['the menu ledger', []],
  ['prompt', []],
  ['reply', []],
])('finds %s', (text, expected) => {
  expect(titles(text)).toEqual(expected)
})

test('counts moments and returns three that have all words, in order of time', () => {
  const {total, entryCount, entries: found, suggestion} = find('createRefund idempotent key')
  expect({total, entryCount, suggestion}).toEqual({total: 4, entryCount: 1, suggestion: undefined})
  const [first] = found
  expect(first?.matches).toBe(4)
  expect(first?.moments.map(({role, offsetMs}) => `${role} ${offsetMs / 1000}`)).toEqual([
    'prompt 0',
    'reply 10',
    'edit 20',
  ])
  expect(find('createRefund idempotent').entries[0]?.moments.at(-1)?.offsetMs).toBe(40_000)
  expect(first?.moments[1]).toEqual({
    role: 'reply',
    label: 'Reply',
    at: START + 10_000,
    offsetMs: 10_000,
    text: 'Both call createRefund(), so the key belongs in there.',
    marks: [
      [10, 22],
      [33, 36],
    ],
  })
})

test.each<[string, string, Partial<SearchQuery>, string[]]>([
  ['agent', 'the', {agents: ['claude']}, [MENU, LEDGER, REFUNDS]],
  ['another agent', 'the', {agents: ['codex']}, []],
  ['name of the folder', 'the', {project: 'menu'}, [MENU]],
  ['folder above it', 'the', {project: '/home/dev/ledger'}, [LEDGER]],
  ['kind', 'the', {kind: 'run'}, []],
  ['start', 'the', {from: START + HOUR * 1000}, [MENU, LEDGER]],
  ['end', 'the', {to: START + HOUR * 1000}, [REFUNDS]],
  ['role', 'createRefund', {role: 'prompt'}, []],
  ['role of all words', 'createRefund idempotent', {role: 'reply'}, [REFUNDS]],
  ['role of some words only', 'webhook createRefund', {role: 'reply'}, []],
])('filters by %s', (_, text, query, expected) => {
  const {searched, entryCount} = find(text, query)
  expect(titles(text, query)).toEqual(expected)
  expect(entryCount).toBe(expected.length)
  expect(searched).toBeGreaterThanOrEqual(expected.length)
})

test('a filter by role counts only moments of that role', () => {
  expect(find('createRefund', {role: 'reply'})).toMatchObject({total: 3})
  expect(find('key', {role: 'edit'}).entries[0]).toMatchObject({
    matches: 1,
    moments: [{role: 'edit', label: 'Edit'}],
  })
})

test('returns the entries page by page', () => {
  expect(titles('the', {limit: 1})).toEqual([MENU])
  expect(titles('the', {limit: 2, offset: 1})).toEqual([LEDGER, REFUNDS])
  expect(find('the', {limit: 1})).toMatchObject({entryCount: 3, total: 4})
  expect(titles('the', {offset: 3})).toEqual([])
})

test('does not find secrets', () => {
  expect(find('a1B2a1B2').total).toBe(0)
  expect(find(KEY.slice(0, 30)).total).toBe(0)
  expect(JSON.stringify(find('written').entries[0]?.moments)).not.toContain('a1B2')
})

describe('without a match', () => {
  test.each([
    ['createRefnd', 'createRefund'],
    ['CREATEREFUNDS', 'createRefund'],
    ['webhok idempotent', 'webhook'],
    ['meny', 'menu'],
    ['nothinglikeit', undefined],
    ['"explain menu"', undefined],
    ['xy', undefined],
  ])('suggests for %s: %s', (text, suggestion) => {
    expect(find(text)).toMatchObject({total: 0, entryCount: 0, entries: [], searched: 3})
    expect(find(text).suggestion).toBe(suggestion)
  })

  test('an empty search finds nothing', () => {
    for (const text of ['', ' ', '"', '***', '-']) expect(find(text).total).toBe(0)
  })
})

test('any text is a search', () => {
  const word = fc.constantFrom(
    '"',
    '*',
    'AND',
    'NOT',
    'text:',
    '(',
    ')',
    '^',
    '{role}',
    '\0',
    'key',
    ' ',
  )
  const text = fc.oneof(
    fc.string({unit: 'binary'}),
    fc.array(word).map((words) => words.join('')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const {total, entryCount, entries: found} = find(typed)
      expect(total).toBeGreaterThanOrEqual(entryCount)
      expect(found.length).toBe(entryCount)
    }),
    {numRuns: 300},
  )
})
