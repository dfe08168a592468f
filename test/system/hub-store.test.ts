import {execFileSync} from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {isDamage, openDatabase} from '../../src/database/database.ts'
import {
  checkKilledWriter,
  checkRandomDamage,
  createEntry,
  createItem,
  createMessage,
  listSeqs,
  open,
  openCopy,
  range,
  writeSampleIndex,
} from '../support/index-file.ts'
import {sleep} from '../support/run.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-index-'))
  path = join(folder, 'data', 'index.db')
})

afterEach(() => rmSync(folder, {recursive: true, force: true}))

describe('the index file', () => {
  test('is private, as are its folder and its log', () => {
    const index = open(path)
    index.append('a', [], [createMessage(1)])
    index.commit()
    const files = readdirSync(join(folder, 'data'))
    expect(files).toContain('index.db-wal')
    for (const name of files) {
      expect(statSync(join(folder, 'data', name)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    index.close()
  })

  test('has everything after it is closed, with an empty log', () => {
    const index = open(path)
    index.putRun(createEntry('a'))
    index.append('a', [createItem(1)], [createMessage(1)])
    index.close()
    expect(statSync(`${path}-wal`).size).toBe(0)
    const again = openCopy(path)
    expect(listSeqs(again, 'a')).toEqual([1])
    expect([...again.listItems('a', 0)].map(({n}) => n)).toEqual([1])
    expect(again.search({text: 'glass', limit: 10}).hits).toHaveLength(1)
    again.close()
  })

  test('is written without a further call', async () => {
    const index = open(path)
    index.append('a', [], range(100).map(createMessage))
    const before = statSync(`${path}-wal`).size
    await sleep(300)
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(before)
    index.close()
  })

  test('cannot be opened by a second process', () => {
    const index = open(path)
    const script = `import {openRunIndex} from ${JSON.stringify(
      new URL('../../dist/hub/index/run-index.js', import.meta.url).href,
    )}
      try { openRunIndex(${JSON.stringify(path)}, {onLost() {}}) } catch (error) { console.log(error.message) }`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script])
    expect(String(output)).toContain('locked')
    index.append('a', [], [createMessage(1)])
    index.close()
  })
})

describe('an unusable index', () => {
  test.each([
    ['a file that is not a database', () => writeFileSync(path, 'no database '.repeat(1000))],
    ['an index of another version', () => changeVersion(4)],
    ['an index with other tables', () => replaceTables()],
    ['a truncated index', () => truncate()],
  ])('is reported as damaged: %s', (_name, damage) => {
    writeSampleIndex(`${path}-sample`)
    copyFileSync(`${path}-sample`, path)
    damage()
    let error: unknown
    try {
      const index = openCopy(path)
      index.listRuns({limit: 10})
      listSeqs(index, 'a')
    } catch (failure) {
      error = failure
    }
    expect(isDamage(error)).toBe(true)
  })

  test('never ends the process', () => {
    expect.hasAssertions()
    const intact = writeSampleIndex(path)
    checkRandomDamage(path, intact, {numRuns: 20, seed: 7})
  })
})

test('the index keeps complete batches after its writer is killed with SIGKILL', async () => {
  expect.hasAssertions()
  await checkKilledWriter(path, [
    {batches: 0, delayMs: 0},
    {batches: 3, delayMs: 1},
    {batches: 20, delayMs: 3},
  ])
})

function changeVersion(version: number): void {
  const database = openDatabase(path)
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
}

function replaceTables(): void {
  const database = openDatabase(path)
  database.exec('DROP TABLE runs; CREATE TABLE runs (id INTEGER)')
  database.close()
}

function truncate(): void {
  writeFileSync(path, readFileSync(path).subarray(0, 40_000))
}
