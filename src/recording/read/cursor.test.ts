import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {openFile} from './byte-source.ts'
import {createByteCursor, createLineCursor, readChunks} from './cursor.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-cursor-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const CHUNK_SIZE = 64 * 1024

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('returns every byte once, for any requested ends', () => {
  const content = Buffer.from(Array.from({length: 3 * CHUNK_SIZE + 17}, (_, at) => at % 251))
  const path = write('ends', content)
  const size = fc.nat({max: 2 * CHUNK_SIZE})
  fc.assert(
    fc.property(fc.array(size, {maxLength: 8}), (sizes) => {
      const cursor = createByteCursor(openFile(path))
      const found: Buffer[] = []
      let end = 0
      for (const more of [...sizes, content.length]) {
        end += more
        for (let chunk = cursor.read(end); chunk !== undefined; chunk = cursor.read(end)) {
          found.push(Buffer.from(chunk))
        }
        expect(Buffer.concat(found).length).toBe(Math.min(end, content.length))
      }
      cursor.close()
      expect(Buffer.concat(found).equals(content)).toBe(true)
    }),
    {numRuns: 30},
  )
})

test('continues when the file grows, and reports whether it is at the end', () => {
  const path = write('grows', '')
  const cursor = createByteCursor(openFile(path))
  expect(cursor.read()).toBeUndefined()
  appendFileSync(path, 'one')
  expect(String(cursor.read())).toBe('one')
  expect(cursor.isAtEnd).toBe(true)
  appendFileSync(path, 'two')
  expect(String(cursor.read(4))).toBe('t')
  expect(cursor.isAtEnd).toBe(false)
  expect(String(cursor.read())).toBe('wo')
  expect(cursor.read()).toBeUndefined()
  cursor.close()
})

test('is not affected by other cursors of the thread', () => {
  const cursors = ['a', 'b'].map((letter) => {
    const path = write(letter, letter.repeat(10))
    return createByteCursor(openFile(path))
  })
  const found = [2, 5, 10].flatMap((end) => cursors.map((cursor) => String(cursor.read(end))))
  expect(found).toEqual(['aa', 'bb', 'aaa', 'bbb', 'aaaaa', 'bbbbb'])
  for (const cursor of cursors) cursor.close()
})

test('returns complete lines, also across chunks, and waits for the end of the last one', () => {
  const long = 'x'.repeat(CHUNK_SIZE + 10)
  const path = write('lines', `one\n${long}\nthr`)
  const lines = createLineCursor(openFile(path))
  expect(lines.read()).toEqual(['one'])
  expect(lines.read()).toEqual([long])
  expect(lines.read()).toEqual([])
  expect(lines.isAtEnd).toBe(true)
  appendFileSync(path, 'ee\r\nfour\n')
  expect(lines.read()).toEqual(['three', 'four'])
  lines.close()
})

test('returns the lines before an end', () => {
  const lines = createLineCursor(openFile(write('up-to', 'one\ntwo\nthree\n')))
  expect(lines.readTo(6)).toEqual(['one\n'])
  expect(lines.readTo(8)).toEqual(['two\n'])
  expect(lines.readTo(100)).toEqual(['three\n'])
  lines.close()
})

test('reads the chunks of a file from a position on', () => {
  const content = Buffer.alloc(2 * CHUNK_SIZE + 1, 'abc')
  const path = write('chunks', content)
  const sizes = Array.from(readChunks(path, 10), ({length}) => length)
  expect(sizes).toEqual([CHUNK_SIZE, CHUNK_SIZE - 9])
  const all = Buffer.concat(Array.from(readChunks(path), (chunk) => Buffer.from(chunk)))
  expect(all.equals(content)).toBe(true)
  expect([...readChunks(join(folder, 'nothing'))]).toEqual([])
})
