import {describe, expect, test} from 'vitest'
import {expectWithin} from '../../../test/support/within.ts'
import type {ChangedFile} from './changed-files.ts'
import {listTreeRows, type TreeRow} from './file-tree.ts'

function file(path: string, added = 1, removed = 0): ChangedFile {
  return {path, action: 'modified', added, removed, calls: [], isUncertain: false}
}

function show(row: TreeRow): string {
  const indent = '  '.repeat(row.depth)
  return row.type === 'file'
    ? `${indent}${row.name}`
    : `${indent}${row.isOpen ? '▾' : '▸'} ${row.name} ${row.fileCount} +${row.added} -${row.removed}`
}

const list = (paths: readonly string[], closed: readonly string[] = []) =>
  listTreeRows(
    paths.map((path) => file(path, 2, 1)),
    new Set(closed),
  ).map(show)

const PATHS = [
  'README.md',
  'migrations/0042_webhook_events.sql',
  'src/refunds/create.ts',
  'src/webhooks/deep/down/one.ts',
  'src/webhooks/deep/down/two.ts',
  'src/webhooks/handler.ts',
  'tests/webhooks.test.ts',
]

describe('a tree of files', () => {
  test('lists folders first and joins folders with a single child', () => {
    expect(list(PATHS)).toEqual([
      '▾ migrations/ 1 +2 -1',
      '  0042_webhook_events.sql',
      '▾ src/ 4 +8 -4',
      '  ▾ refunds/ 1 +2 -1',
      '    create.ts',
      '  ▾ webhooks/ 3 +6 -3',
      '    ▾ deep/down/ 2 +4 -2',
      '      one.ts',
      '      two.ts',
      '    handler.ts',
      '▾ tests/ 1 +2 -1',
      '  webhooks.test.ts',
      'README.md',
    ])
  })

  test('hides the content of a closed folder', () => {
    expect(list(PATHS, ['src/', 'migrations/'])).toEqual([
      '▸ migrations/ 1 +2 -1',
      '▸ src/ 4 +8 -4',
      '▾ tests/ 1 +2 -1',
      '  webhooks.test.ts',
      'README.md',
    ])
  })

  test('has the position of each row among its siblings', () => {
    const rows = listTreeRows(
      PATHS.map((path) => file(path)),
      new Set(),
    )
    expect(rows.filter(({depth}) => depth === 0).map(({place}) => place)).toEqual([1, 2, 3, 4])
    expect(rows[0]?.placeCount).toBe(4)
  })

  test('is a flat list for few files or a single folder', () => {
    expect(list(PATHS.slice(0, 3))).toEqual(PATHS.slice(0, 3))
    const one = Array.from({length: 9}, (_, index) => `src/api/part-${index}.ts`)
    expect(list(one)).toEqual(one)
    expect(list([])).toEqual([])
  })

  test('supports paths outside the working directory, and Windows paths', () => {
    const paths = ['/etc/hosts', '/etc/motd', 'a/1', 'a/2', 'b\\x\\1', 'b\\x\\2', 'c']
    expect(list(paths)).toEqual([
      '▾ /etc/ 2 +4 -2',
      '  hosts',
      '  motd',
      '▾ a/ 2 +4 -2',
      '  1',
      '  2',
      '▾ b\\x\\ 2 +4 -2',
      '  1',
      '  2',
      'c',
    ])
  })

  test('accepts invalid names and deeply nested folders', () => {
    const deep = (name: string) => `${'d/'.repeat(20_000)}${name}`
    const odd = ['__proto__/a', 'constructor/b', 'src/', 'src/x', '//', deep('1'), deep('2')]
    const rows = listTreeRows(
      odd.map((path) => file(path)),
      new Set(),
    )
    expect(rows.filter(({type}) => type === 'file')).toHaveLength(odd.length)
    expect(Math.max(...rows.map(({depth}) => depth))).toBeLessThan(25)
  })

  test('handles thousands of files quickly', () => {
    const paths = Array.from({length: 5000}, (_, at) => `src/${at % 50}/${at % 7}/part-${at}.ts`)
    expectWithin(500, () => {
      expect(list(paths)).toHaveLength(5000 + 50 * 7 + 50 + 1)
    })
  })
})
