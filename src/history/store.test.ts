import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {ModelRequest} from '../core/events/transcript.ts'
import {encodeScans, toScan, toStoredScan} from './store-records.ts'
import {openHistoryStore, readHistoryFile} from './store.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-store-'))
  path = join(folder, 'data', 'history.bin')
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

const REQUESTS: ModelRequest[] = [
  {
    key: 'msg_1 req_1',
    at: Date.UTC(2026, 10, 16),
    model: 'claude-opus-5-5',
    tokens: {input: 1, output: 2, cacheRead: 3, cacheWrite: 4},
    toolCount: 1,
  },
  {
    key: 'Ünïcode 🎉',
    at: 0.5,
    model: undefined,
    tokens: {input: 2 ** 40, output: 0, cacheRead: 0, cacheWrite: 9, reasoning: 0},
    hourCacheWrite: 9,
    isFast: true,
    costUsd: 0.25,
    toolCount: 0,
    isSubAgent: true,
  },
]

function scanOf(key: string, requests: ModelRequest[] = REQUESTS) {
  const facts = {sessionId: key, title: 'Ä "title"', memory: {list: [1]}, requests}
  return toStoredScan(key, `stamp of ${key}`, {facts, offset: 7, ending: '}\n\u00ff'})
}

function keys(): string[] {
  return [...openHistoryStore(path).read().keys()]
}

describe('the store', () => {
  test('returns what was written', () => {
    openHistoryStore(path).write([scanOf('a'), scanOf('b', [])], [])
    const scans = openHistoryStore(path).read()
    const [a, b] = [scans.get('a'), scans.get('b')]
    expect(a).toMatchObject({key: 'a', stamp: 'stamp of a', offset: 7, ending: '}\n\u00ff'})
    expect(a && toScan(a).facts).toEqual({
      sessionId: 'a',
      title: 'Ä "title"',
      memory: {list: [1]},
      requests: REQUESTS,
    })
    expect(b && toScan(b).facts.requests).toEqual([])
  })

  test('appends changes to the file', () => {
    const store = openHistoryStore(path)
    store.write([scanOf('a'), scanOf('b')], [])
    const {size, ino} = statSync(path)
    store.write([scanOf('a', []), scanOf('c')], ['b'])
    expect(statSync(path)).toMatchObject({ino})
    expect(statSync(path).size).toBeGreaterThan(size)
    expect(keys()).toEqual(['a', 'c'])
    expect(openHistoryStore(path).read().get('a')?.requestCount).toBe(0)
  })

  test('takes scans as another thread has encoded them', () => {
    const [a, b] = [scanOf('a'), scanOf('b')]
    openHistoryStore(path).write([a, b], [], {keys: new Set(['b']), changes: [encodeScans([b])]})
    expect(keys().toSorted()).toEqual(['a', 'b'])
    expect(readHistoryFile(path).isIntact).toBe(true)
  })

  test('does not grow without end', () => {
    const store = openHistoryStore(path)
    const many = Array.from({length: 3000}, (_, index) => ({
      key: `${index}`,
      at: index,
      tokens: {input: 1, output: 2, cacheRead: 3, cacheWrite: 4},
      toolCount: 1,
    }))
    for (let round = 0; round < 30; round++) store.write([scanOf('a', many)], [])
    const once = encodeScans([scanOf('a', many)]).length
    expect(statSync(path).size).toBeLessThan(15 * once)
    expect(keys()).toEqual(['a'])
  })

  test('is for its owner only', () => {
    openHistoryStore(path).write([scanOf('a')], [])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('creates nothing when it is read', () => {
    expect(keys()).toEqual([])
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test.each(['', 'not a database '.repeat(1000), `vitrine history 0${' '.repeat(100)}`])(
    'is empty when it has other content, and is then replaced: %j',
    (content) => {
      openHistoryStore(path).write([scanOf('a')], [])
      writeFileSync(path, content)
      expect(keys()).toEqual([])
      openHistoryStore(path).write([scanOf('b')], [])
      expect(keys()).toEqual(['b'])
      expect(readHistoryFile(path).isIntact).toBe(true)
    },
  )

  test('keeps what is before the damage, and is repaired by the next change', () => {
    const store = openHistoryStore(path)
    store.write([scanOf('a')], [])
    const {size} = statSync(path)
    store.write([scanOf('b')], [])
    const bytes = readFileSync(path)
    for (const at of [size, size + 5, size + 40, bytes.length - 9]) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(path, damaged)
      expect(keys()).toEqual(['a'])
    }
    openHistoryStore(path).write([scanOf('c')], [])
    expect(keys()).toEqual(['a', 'c'])
    expect(readHistoryFile(path).isIntact).toBe(true)
  })

  test('can be cut or extended anywhere without an error', () => {
    const store = openHistoryStore(path)
    store.write([scanOf('a')], [])
    store.write([scanOf('b')], [])
    const bytes = readFileSync(path)
    for (let length = 0; length < bytes.length; length += 3) {
      writeFileSync(path, bytes.subarray(0, length))
      expect(['', 'a']).toContain(keys().join())
    }
    writeFileSync(path, bytes)
    appendFileSync(path, 'x'.repeat(100))
    expect(keys()).toEqual(['a', 'b'])
    expect(readHistoryFile(path).isIntact).toBe(false)
  })
})
