import {
  mkdirSync,
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
import {createAtomic, openAtomic, writeAtomic} from './write-atomic.ts'

let dir: string
let path: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vitrine-write-'))
  path = join(dir, 'file')
})

afterEach(() => rmSync(dir, {recursive: true, force: true}))

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

describe('writeAtomic', () => {
  test('creates and replaces a private file', () => {
    for (const content of ['one', 'two']) {
      writeAtomic(path, content)
      expect(readFileSync(path, 'utf8')).toBe(content)
    }
    expect(modeOf(path)).toBe('600')
    expect(readdirSync(dir)).toEqual(['file'])
  })

  test('keeps the old content when the new one cannot be written', () => {
    // There is no room for the suffix of a draft.
    const long = join(dir, 'x'.repeat(250))
    writeFileSync(long, 'old')
    expect(() => writeAtomic(long, 'new')).toThrow(
      expect.objectContaining({code: 'ENAMETOOLONG', path: long}),
    )
    expect(readFileSync(long, 'utf8')).toBe('old')
  })

  test('leaves no draft when the file cannot be replaced', () => {
    mkdirSync(path)
    expect(() => writeAtomic(path, 'new')).toThrow(expect.objectContaining({code: 'EISDIR', path}))
    expect(readdirSync(dir)).toEqual(['file'])
  })
})

describe('createAtomic', () => {
  test('creates a private file, and leaves one that exists', () => {
    expect(createAtomic(path, 'one')).toBe(true)
    expect(createAtomic(path, 'two')).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('one')
    expect(modeOf(path)).toBe('600')
    expect(readdirSync(dir)).toEqual(['file'])
  })
})

describe('openAtomic', () => {
  test('shows the file when it is committed, and not before', async () => {
    writeFileSync(path, 'old')
    const file = await openAtomic(path)
    await file.write('one')
    await file.write('two')
    expect(readFileSync(path, 'utf8')).toBe('old')
    await file.commit()
    expect(readFileSync(path, 'utf8')).toBe('onetwo')
    expect(readdirSync(dir)).toEqual(['file'])
  })

  test('leaves nothing when it is discarded', async () => {
    const file = await openAtomic(path)
    await file.write('one')
    file.discard()
    expect(readdirSync(dir)).toEqual([])
  })
})
