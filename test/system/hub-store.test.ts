import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {Store} from '../../src/hub/index/store.ts'
import {until} from '../support/run.ts'
import {
  checkKilledWriter,
  checkRandomDamage,
  createEntry as entry,
  createMessage as message,
  createMessages as messages,
  listSeqs as seqs,
  openSqliteStore,
  range,
  startStoreScript,
  writeSampleIndex,
} from '../support/sqlite-store.ts'

let folder: string
let path: string
let damages: string[]
let stores: Store[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-store-'))
  path = join(folder, 'index.db')
  damages = []
  stores = []
})

afterEach(async () => {
  for (const store of stores) await store.close()
  rmSync(folder, {recursive: true})
})

async function open(file = path): Promise<Store> {
  const store = await openSqliteStore(file, {onDamage: (reason) => damages.push(reason)})
  stores.push(store)
  return store
}

describe('a store', () => {
  test('returns everything that was appended before the query', async () => {
    const store = await open()
    for (let seq = 1; seq <= 1200; seq++) {
      store.append('a', [message(seq)])
      if (seq % 400 !== 0) continue
      const [all, row] = await Promise.all([seqs(store, 'a'), store.getRun('a')])
      expect(all).toEqual(range(seq))
      expect(row?.lastSeq).toBe(seq === 400 ? undefined : seq)
      store.putRun(entry('a'))
    }
    await store.whenSearchable()
    const {hits, next} = await store.search({text: 'glass 120', limit: 2})
    expect(hits.map(({seq}) => seq)).toEqual([1200, 120])
    expect(next).toBeUndefined()
    expect((await store.stats()).messages).toBe(1200)
  })

  test('returns messages of many runs once and in order to concurrent readers', async () => {
    const store = await open()
    const appended = [0, 0, 0, 0, 0]
    const read = appended.map((): number[] => [])
    for (let round = 0; round < 300; round++) {
      const no = Math.floor(Math.random() * appended.length)
      const from = (appended[no] ?? 0) + 1
      const count = Math.ceil(Math.random() * 30)
      // Some messages are appended again, as after a restart.
      const again = Math.min(from - 1, round % 4)
      store.append(`run ${no}`, messages(from - again, count + again))
      appended[no] = from - 1 + count
      if (round % 10 === 0) await Promise.all(read.map(readOn))
    }
    while (!(await Promise.all(read.map(readOn))).every(Boolean));
    expect(read).toEqual(appended.map(range))
    await store.whenSearchable()
    const {hits, waiting} = await store.search({text: 'glass', limit: 100_000})
    const sum = appended.reduce((all, count) => all + count, 0)
    expect([hits.length, waiting, (await store.stats()).messages]).toEqual([sum, 0, sum])
    expect(new Set(hits.map(({runId, seq}) => `${runId} ${seq}`)).size).toBe(sum)

    async function readOn(seen: number[], no: number): Promise<boolean> {
      const query = {since: seen.at(-1) ?? 0, limit: 70}
      const {messages: page, isEnd} = await store.listMessages(`run ${no}`, query)
      expect(page).toEqual(page.map(({seq}) => ({seq, json: message(seq).json})))
      seen.push(...page.map(({seq}) => seq))
      return isEnd
    }
  })

  test('writes pending messages without a query', async () => {
    const store = await open()
    store.append('a', messages(1, 3))
    expect(store.backlog).toBe(3)
    await until(() => store.backlog === 0)
    expect(await seqs(store, 'a')).toEqual([1, 2, 3])
  })

  test('drains when enough messages are written', async () => {
    const store = await open()
    let maxBacklog = 0
    for (let round = 0; round < 40; round++) {
      store.append('a', messages(round * 500 + 1, 500))
      await store.whenDrained()
      maxBacklog = Math.max(maxBacklog, store.backlog)
    }
    expect(maxBacklog).toBeLessThanOrEqual(2000)
    // A producer that does not wait loses nothing.
    store.append('b', messages(1, 5000))
    expect(store.backlog).toBeGreaterThan(4000)
    await store.whenWritten()
    expect(store.backlog).toBe(0)
    expect(await seqs(store, 'a')).toEqual(range(20_000))
    expect(await seqs(store, 'b')).toEqual(range(5000))
  })

  test('rejects invalid messages and runs at once', async () => {
    const store = await open()
    for (const seq of [0, -1, 1.5, Number.NaN, 2 ** 27]) {
      expect(() => store.append('a', [{...message(1), seq}])).toThrow(TypeError)
    }
    expect(() => store.append('a', [{...message(1), at: Number.NaN}])).toThrow(TypeError)
    expect(() => store.append('a', [{...message(1), json: '{\n}'}])).toThrow(TypeError)
    expect(() => store.putRun(entry('a', {startedAt: Infinity}))).toThrow(TypeError)
    expect(await store.listStamps()).toEqual([])
  })

  test('reports a failed write once', async () => {
    const store = await open()
    store.putRun(entry('a', {agent: {} as unknown as string}))
    store.append('a', [message(1)])
    await expect(store.whenWritten()).rejects.toThrow(/./)
    await store.whenWritten()
    store.append('b', [message(1)])
    await store.whenWritten()
    expect([await seqs(store, 'a'), await seqs(store, 'b'), damages]).toEqual([[], [1], []])
  })

  test('creates private files and folders', async () => {
    const deep = join(folder, 'x', 'y', 'index.db')
    const store = await open(deep)
    store.append('a', [message(1)])
    await store.whenWritten()
    const modes = readdirSync(join(folder, 'x', 'y')).map((name) => {
      return `${name} ${(statSync(join(folder, 'x', 'y', name)).mode & 0o777).toString(8)}`
    })
    expect(modes).toEqual(['index.db 600', 'index.db-wal 600'])
    expect(statSync(join(folder, 'x')).mode & 0o777).toBe(0o700)
  })

  test('writes everything, removes its log and ends its thread when it is closed, and can be opened again', async () => {
    const store = await open()
    store.putRun(entry('a'))
    store.append('a', messages(1, 1000))
    const late = store.getRun('a')
    await Promise.all([store.close(), store.close()])
    expect((await late)?.lastSeq).toBe(1000)
    expect(readdirSync(folder)).toEqual(['index.db'])
    store.append('a', messages(1001, 1))
    store.putRun(entry('b'))
    await store.whenDrained()
    await expect(store.listRuns({limit: 1})).rejects.toThrow('the index is closed')
    await expect(store.whenWritten()).rejects.toThrow('the index is closed')
    await store.close()

    const again = await open()
    expect(await seqs(again, 'a')).toEqual(range(1000))
    expect(await again.listStamps()).toEqual([
      {
        runId: 'a',
        workOrderId: 'a',
        stamp: 'a',
        lastSeq: 1000,
        messageCount: 1000,
        isComplete: true,
      },
    ])
    expect(damages).toEqual([])
  })

  test('keeps its log small', async () => {
    const store = await open()
    for (let round = 0; round < 60; round++) {
      store.append('a', messages(round * 250 + 1, 250))
      await store.whenDrained()
    }
    await store.whenWritten()
    expect(statSync(`${path}-wal`).size).toBeLessThan(12 * 1024 * 1024)
  })

  test('is empty after it is cleared, except for later messages', async () => {
    const store = await open()
    store.putRun(entry('a'))
    store.append('a', messages(1, 600))
    const clearing = store.clear()
    store.append('a', messages(1, 2))
    const query = seqs(store, 'a')
    await clearing
    expect(await query).toEqual([1, 2])
    expect((await store.listRuns({limit: 10})).total).toBe(0)
    await Promise.all([store.clear(), store.clear()])
    expect(await store.listStamps()).toEqual([])
    expect(damages).toEqual([])
  })

  test('lets the process end when it is closed, and prints nothing', async () => {
    const {status, output} = await startStoreScript(`
      const store = await openSqliteStore(${JSON.stringify(path)}, {onDamage() {}})
      store.append('a', [${JSON.stringify(message(1))}])
      await store.close()`).ended
    expect({status, output}).toEqual({status: 0, output: ''})
  })

  test('rejects a second process, which does not change it', async () => {
    const store = await open()
    store.append('a', messages(1, 10))
    await store.whenWritten()
    const {status, output} = await startStoreScript(`
      await openSqliteStore(${JSON.stringify(path)}, {onDamage: console.log})`).ended
    expect(status).toBe(1)
    expect(output).toMatch(/database is locked/)
    expect(await seqs(store, 'a')).toEqual(range(10))
  })

  test('reports why it cannot be opened', async () => {
    await expect(open(folder)).rejects.toThrow(/EISDIR/)
    writeFileSync(join(folder, 'file'), '')
    await expect(open(join(folder, 'file', 'index.db'))).rejects.toThrow(/ENOTDIR/)
    await expect(open('/proc/nowhere/index.db')).rejects.toThrow(/ENOENT/)
    expect(damages).toEqual([])
  })
})

// test/slow/hub-store-kill.test.ts kills at 20 random moments.
test('the index keeps complete batches after its writer is killed with SIGKILL', async () => {
  expect.hasAssertions()
  const kills = [
    {batches: 5, delayMs: 0},
    {batches: 3, delayMs: 0},
  ]
  await checkKilledWriter(path, kills)
})

describe('a damaged index', () => {
  let intact: Buffer
  let sampleFolder: string

  beforeAll(async () => {
    sampleFolder = mkdtempSync(join(tmpdir(), 'vitrine-store-sample-'))
    intact = await writeSampleIndex(join(sampleFolder, 'index.db'))
  })

  beforeEach(() => writeFileSync(path, intact))

  afterAll(() => rmSync(sampleFolder, {recursive: true}))

  test.each([
    ['is not a database', () => writeFileSync(path, 'no database at all '.repeat(1000))],
    ['is truncated', () => truncateSync(path, 20_000)],
    ['is truncated in its header', () => truncateSync(path, 50)],
    ['has a damaged header', () => flip(path, 16, 30)],
    ['is of an older version', () => setVersion(0)],
    ['is of a newer version', () => setVersion(99)],
    ['has damaged tables', () => flip(path, 100, 4000)],
  ])('is rebuilt and reported once when it %s', async (_, spoil) => {
    spoil()
    const store = await open()
    await store.whenWritten()
    expect(damages).toHaveLength(1)
    expect(damages[0]).toMatch(/^the index is damaged: [^\n]+\.$/)
    expect(await seqs(store, 'a')).toEqual([])
    store.putRun(entry('b'))
    store.append('b', messages(1, 3))
    await store.close()
    const again = await open()
    await again.whenWritten()
    expect(await seqs(again, 'b')).toEqual([1, 2, 3])
    expect(damages).toHaveLength(1)
  })

  test('is not reported when the file is empty', async () => {
    truncateSync(path, 0)
    const store = await open()
    expect([damages, await store.listStamps()]).toEqual([[], []])
  })

  test('is emptied when the damage is detected later, and accepts new messages', async () => {
    spoilMessages()
    const store = await openSqliteStore(path, {
      onDamage(reason) {
        damages.push(reason)
        store.putRun(entry('fresh'))
        store.append('fresh', messages(1, 2))
      },
    })
    stores.push(store)
    store.append('a', messages(601, 2000))
    store.putRun(entry('a', {stamp: 'b'}))
    // These are rejected, or answered from the empty index.
    await Promise.allSettled([
      store.listMessages('a', {since: 0, limit: 1000}),
      store.search({text: 'glass', limit: 10}),
      store.listRuns({limit: 10}),
      store.whenDrained(),
      store.whenWritten(),
    ])
    await until(() => damages.length > 0)
    await store.whenWritten()
    expect(await store.listStamps()).toEqual([
      {
        runId: 'fresh',
        workOrderId: 'fresh',
        stamp: 'a',
        lastSeq: 2,
        messageCount: 2,
        isComplete: true,
      },
    ])
    expect(await seqs(store, 'fresh')).toEqual([1, 2])
    expect(damages).toHaveLength(1)
  })

  test('rejects the query that detects the damage', async () => {
    spoilMessages()
    const store = await open()
    const query = store.listMessages('a', {since: 0, limit: 1000})
    await expect(query).rejects.toThrow(/./)
    expect(await seqs(store, 'a')).toEqual([])
    expect(damages).toHaveLength(1)
  })

  test('is empty after the damage is detected during close', async () => {
    spoilTail()
    const store = await open()
    store.append('a', messages(601, 300))
    store.removeRun('a')
    await store.close()
    expect(damages).toHaveLength(1)
    const again = await open()
    expect([await seqs(again, 'a'), damages.length]).toEqual([[], 1])
  })

  // test/slow/hub-store-damage.test.ts tries more random damage.
  test('never returns a message that differs from the written one', async () => {
    expect.hasAssertions()
    // Damage all over the file, which is always detected, and one random case.
    const spread = Array.from({length: 100}, (_, at): [number, number] => [
      Math.floor((at * intact.length) / 100) + 20,
      0x5a,
    ])
    await checkRandomDamage(path, intact, {numRuns: 2, seed: 7, examples: [[spread]]})
  })
})

/** Inverts every bit in a range. */
function flip(file: string, from: number, count: number): void {
  const bytes = readFileSync(file)
  for (let at = from; at < from + count; at++) bytes[at] = ~(bytes[at] ?? 0) & 0xff
  writeFileSync(file, bytes)
}

/** Damages the messages, but not the pages that refer to them. */
function spoilMessages(): void {
  const bytes = readFileSync(path)
  for (let at = bytes.indexOf('glass and'); at !== -1; at = bytes.indexOf('glass and', at + 1)) {
    bytes[at] = 0
  }
  writeFileSync(path, bytes)
}

/** Damages everything but the first tables. */
function spoilTail(): void {
  const head = 40 * 4096
  flip(path, head, statSync(path).size - head)
}

/** Sets the version of the schema: four bytes in the header of the file. */
function setVersion(version: number): void {
  const bytes = readFileSync(path)
  bytes.writeUInt32BE(version, 60)
  writeFileSync(path, bytes)
}
