import {
  appendFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {isSameUntil, readLines, type LineFilter, type LinesRead} from './read-lines.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-lines-'))
  path = join(folder, 'file')
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

interface Reading extends LinesRead {
  lines: string[]
}

function read(from = 0, filter?: LineFilter, isComplete = true): Reading {
  const lines: string[] = []
  const onLine = (line: Buffer) => {
    lines.push(line.length > 100 ? `${line.length} bytes` : line.toString())
    return isComplete
  }
  return {...readLines(path, {from, filter, onLine}), lines}
}

describe('lines', () => {
  test('are read once while a file grows', () => {
    writeFileSync(path, 'one\ntwo\n')
    const {offset, lines} = read()
    expect([lines, offset]).toEqual([['one', 'two'], 8])
    appendFileSync(path, 'three\n')
    expect(read(offset)).toMatchObject({lines: ['three'], offset: 14})
    expect(read(14)).toEqual({lines: [], offset: 14, ending: ''})
  })

  test('are read again when the last one was not complete', () => {
    writeFileSync(path, 'one\ntw')
    expect(read(0, undefined, false)).toMatchObject({lines: ['one', 'tw'], offset: 4})
    appendFileSync(path, 'o\n')
    expect(read(4).lines).toEqual(['two'])
  })

  test('are complete without a newline when the reader accepts them', () => {
    writeFileSync(path, 'one\ntwo')
    expect(read()).toMatchObject({offset: 7, ending: 'two'})
  })

  test('are the same in a large file, with a line longer than a chunk', () => {
    const long = 'x'.repeat(3_000_000)
    const short = Array.from({length: 100_000}, (_, index) => `line ${index}`)
    writeFileSync(path, [...short, long, 'end', ''].join('\n'))
    expect(read().lines).toEqual([...short, '3000000 bytes', 'end'])
  })

  test('are skipped when they have more than 64 MiB', () => {
    const file = openSync(path, 'w')
    writeSync(file, 'before\n')
    writeSync(file, 'after\nlast\n', 200 * 1024 * 1024)
    closeSync(file)
    const lines = read().lines
    expect(lines).toEqual(['before', 'last'])
  })

  test('are skipped in little memory when a file of 2 GB has no newline', () => {
    writeFileSync(path, '')
    truncateSync(path, 2 * 1024 ** 3)
    const before = process.memoryUsage().rss
    expect(read().lines).toEqual([])
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })
})

describe('with a marker', () => {
  const filter: LineFilter = {
    marker: Buffer.from('"a"'),
    wantsAll: (offset) => offset < 6,
    tailBytes: 20,
    maxTailLineBytes: 10,
  }

  test('only some lines are read, in their order', () => {
    const middle = ['first', 'skipped', '1 "a"', 'skipped', '2 "b" "a"', '3 "a" and "a"', 'skipped']
    writeFileSync(
      path,
      [...middle, ...Array(5).fill('skipped'), 'end 1', 'end "a" is long', ''].join('\n'),
    )
    expect(read(0, filter).lines).toEqual([
      'first',
      '1 "a"',
      '2 "b" "a"',
      '3 "a" and "a"',
      'end "a" is long',
    ])
  })

  test('short lines near the end are read', () => {
    writeFileSync(
      path,
      ['first', ...Array(9).fill('skipped'), 'too long for this', 'e', 'f', ''].join('\n'),
    )
    expect(read(0, filter).lines).toEqual(['first', 'e', 'f'])
  })

  test('lines are found across chunks', () => {
    const lines = Array.from(
      {length: 60_000},
      (_, index) => `${index} ${index % 1000 === 0 ? '"a"' : 'other text'}`,
    )
    writeFileSync(path, `${lines.join('\n')}\n`)
    const wanted = lines.filter((line) => line.includes('"a"'))
    expect(read(0, {...filter, wantsAll: () => false}).lines).toEqual(wanted)
  })
})

test('a file that was written again is detected', () => {
  writeFileSync(path, 'one\ntwo\n')
  const before = read()
  expect(isSameUntil(path, before)).toBe(true)
  appendFileSync(path, 'three\n')
  expect(isSameUntil(path, before)).toBe(true)
  writeFileSync(path, 'ONE\nTWO\nTHREE\n')
  expect(isSameUntil(path, before)).toBe(false)
  truncateSync(path, 2)
  expect(isSameUntil(path, before)).toBe(false)
})

test('a folder is not read', () => {
  expect(() => readLines(folder, {from: 0, onLine: () => true})).toThrow(
    /not a regular file|EISDIR/,
  )
})
