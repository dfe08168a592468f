import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openFile, openPooledFile, readBytes, type ByteSource} from './byte-source.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-source-'))
  path = join(folder, 'file')
})

afterEach(() => {
  rmSync(folder, {recursive: true, force: true})
})

function read(source: ByteSource, position: number, length = 100): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('latin1', 0, source.read(bytes, position))
}

test('reads any range of a file, up to its end', () => {
  writeFileSync(path, '0123456789')
  const source = openFile(path)
  expect(source.size).toBe(10)
  expect(read(source, 3, 4)).toBe('3456')
  expect(read(source, 8, 4)).toBe('89')
  expect(read(source, 10)).toBe('')
  expect(read(source, 100)).toBe('')
  expect(read(source, 0)).toBe('0123456789')
  source.close()
})

test('treats a missing file as empty, and reads it when it appears', () => {
  const source = openFile(path)
  expect(source.size).toBe(0)
  expect(read(source, 0)).toBe('')
  writeFileSync(path, 'late')
  expect(source.size).toBe(4)
  expect(read(source, 0)).toBe('late')
  appendFileSync(path, 'r')
  expect(read(source, 4)).toBe('r')
  source.close()
})

test('reports the size of a truncated file', () => {
  writeFileSync(path, 'long text')
  const source = openFile(path)
  expect(read(source, 0)).toBe('long text')
  truncateSync(path, 4)
  expect(source.size).toBe(4)
  expect(read(source, 4)).toBe('')
  expect(read(source, 0)).toBe('long')
  source.close()
})

test('reads the same file until it is closed, and then the one with that name', () => {
  writeFileSync(path, 'first')
  const source = openFile(path)
  expect(read(source, 0)).toBe('first')
  unlinkSync(path)
  writeFileSync(path, 'second')
  expect(read(source, 0)).toBe('first')
  source.close()
  expect(read(source, 0)).toBe('second')
  source.close()
})

test('throws when a file exists and cannot be read', () => {
  expect(() => read(openFile(folder), 0)).toThrow('EISDIR')
})

test('reads a part of a file at once', () => {
  writeFileSync(path, '0123456789')
  expect(String(readBytes(path, 2, 3))).toBe('234')
  expect(String(readBytes(path, 8, 10))).toBe('89')
  expect(readBytes(join(folder, 'nothing'), 0, 10).length).toBe(0)
})

test.skipIf(process.platform !== 'linux')('keeps few pooled files open, and reads all', () => {
  const countOpen = () => readdirSync('/proc/self/fd').length
  const before = countOpen()
  const sources = Array.from({length: 200}, (_, at) => {
    writeFileSync(`${path}-${at}`, `file ${at}`)
    return openPooledFile(`${path}-${at}`)
  })
  for (const round of [1, 2]) {
    const texts = sources.map((source) => read(source, 0))
    expect([round, ...texts]).toEqual([round, ...sources.map((_, at) => `file ${at}`)])
    expect(countOpen()).toBeLessThanOrEqual(before + 64)
  }
  for (const source of sources) source.close()
  expect(countOpen()).toBe(before)
})
