import {mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {damage} from '../../../test/support/search.ts'
import {openDatabase} from '../../database/database.ts'
import type {Moment} from './moments.ts'
import {openSearchFile} from './search-file.ts'
import {MARK_END, MARK_START, openSearchStore, type SearchStore} from './search-store.ts'

let folder: string
let path: string
let store: SearchStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-search-store-'))
  path = join(folder, 'search.db')
  store = openSearchStore(path)
})
afterEach(() => {
  store.close()
  rmSync(folder, {recursive: true})
})

function momentsOf(...texts: string[]): Moment[] {
  return texts.map((text, at) => ({role: 'reply', label: 'Reply', at, text}))
}

function put(id: string, moments: readonly Moment[], stamp: string | undefined = 's'): void {
  store.put([{id, position: 0, moments, stamp}])
}

function find(match: string, id: string): string[] {
  const no = store.list().find((entry) => entry.id === id)?.no ?? -1
  return store
    .find(match, no, 10)
    .flatMap((row) => store.getMarked(match, row) ?? [])
    .map(({text}) => text.replaceAll(MARK_START, '[').replaceAll(MARK_END, ']'))
}

test('finds moments by entry and marks the matches', () => {
  put('a', momentsOf('one two', 'three', 'Öne again'))
  put('b', momentsOf('one'))
  expect(store.list().map(({id, stamp}) => `${id} ${stamp}`)).toEqual(['a s', 'b s'])
  expect([...store.count('"one"').values()]).toEqual([2, 1])
  expect(find('"one"', 'a')).toEqual(['[one] two', '[Öne] again'])
  expect(find('"thr"*', 'a')).toEqual(['[three]'])
  expect(find('"one"', 'c')).toEqual([])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('replaces moments that have changed, and removes those that are gone', () => {
  put('a', momentsOf('one', 'two', 'three'))
  put('b', momentsOf('one'))
  put('a', momentsOf('one', 'four'), 't')
  expect(store.list().map(({stamp}) => stamp)).toEqual(['t', 's'])
  expect(find('"one" OR "two" OR "three" OR "four"', 'a')).toEqual(['[one]', '[four]'])
  expect(find('"one"', 'b')).toEqual(['[one]'])
})

test('an entry that was not read to its end has no stamp', () => {
  store.put([{id: 'a', position: 0, moments: momentsOf('one')}])
  expect(store.list()).toMatchObject([{id: 'a', stamp: ''}])
  store.put([{id: 'a', position: 1, moments: momentsOf('two'), stamp: 's'}])
  expect(find('"one" OR "two"', 'a')).toEqual(['[one]', '[two]'])
  expect(store.list()).toMatchObject([{id: 'a', stamp: 's'}])
})

test('removes a long entry step by step', () => {
  put('a', momentsOf(...Array.from({length: 500}, (_, index) => `word${index}`)))
  put('b', momentsOf('word1'))
  let steps = 1
  while (store.remove('a')) {
    steps++
    expect(store.list()).toMatchObject([{id: 'a', stamp: ''}, {id: 'b'}])
  }
  expect(steps).toBe(3)
  expect(store.list()).toMatchObject([{id: 'b'}])
  expect(store.count('"word1"').size).toBe(1)
  expect(store.remove('a')).toBe(false)
})

test('keeps any text readable', () => {
  const texts = ['a\0b', `${MARK_START}a${MARK_END}`, 'a \ud800', '\u001b[31ma', '𝒳 a']
  put('a', momentsOf(...texts))
  expect(find('"a"', 'a')).toEqual(
    ['[a]\ufffdb', '\ufffd[a]\ufffd', '[a] \ufffd', '\u001b[31ma', '𝒳 [a]'].filter((text) =>
      text.includes('[a]'),
    ),
  )
})

test('lists words by prefix and finds their spelling', () => {
  put('a', momentsOf('createRefund createrefund', 'CreateRefund', 'created'))
  expect(store.listWords('create')).toEqual([
    {word: 'created', count: 1},
    {word: 'createrefund', count: 2},
  ])
  expect(store.findSpelling('createrefund')).toBe('createRefund')
  expect(store.listWords('reply')).toEqual([])
})

test('two processes can fill the file at once', () => {
  const other = openSearchStore(path)
  store.put([{id: 'a', position: 0, moments: momentsOf('one', 'two')}])
  other.put([{id: 'a', position: 0, moments: momentsOf('one', 'two', 'three'), stamp: 's'}])
  store.put([{id: 'a', position: 2, moments: momentsOf('three'), stamp: 's'}])
  other.close()
  expect(find('"one" OR "two" OR "three"', 'a')).toEqual(['[one]', '[two]', '[three]'])
})

test('creates a damaged or outdated file again', async () => {
  put('a', momentsOf('one'))
  store.close()
  damage(path)
  store = openSearchStore(path)
  expect(store.list()).toEqual([])
  put('a', momentsOf('one'))
  store.close()
  const database = openDatabase(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  store = openSearchStore(path)
  expect(store.list()).toEqual([])
})

test('continues with an empty file when damage is found later', async () => {
  const file = openSearchFile(folder)
  const counts: number[] = []
  const isFilled = await file.use((opened) => {
    counts.push(opened.list().length)
    opened.put([{id: 'a', position: 0, moments: momentsOf('one'), stamp: 's'}])
    if (counts.length === 1) throw new Error('database disk image is malformed')
    return true
  })
  expect(isFilled).toBe(true)
  expect(counts).toEqual([0, 0])
  await expect(file.use(() => Promise.reject(new Error('other')))).rejects.toThrow('other')
  file.close()
})
