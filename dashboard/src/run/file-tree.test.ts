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
  test('has folders first, and those with one thing in them joined', () => {
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

  test('does not show what is in a closed folder', () => {
    expect(list(PATHS, ['src/', 'migrations/'])).toEqual([
      '▸ migrations/ 1 +2 -1',
      '▸ src/ 4 +8 -4',
      '▾ tests/ 1 +2 -1',
      '  webhooks.test.ts',
      'README.md',
    ])
  })

  test('tells where each row is among those beside it', () => {
    const rows = listTreeRows(
      PATHS.map((path) => file(path)),
      new Set(),
    )
    expect(rows.filter(({depth}) => depth === 0).map(({place}) => place)).toEqual([1, 2, 3, 4])
    expect(rows[0]?.placeCount).toBe(4)
  })

  test('is a plain list when there are few, or all are in one folder', () => {
    expect(list(PATHS.slice(0, 3))).toEqual(PATHS.slice(0, 3))
    const one = Array.from({length: 9}, (_, index) => `src/api/part-${index}.ts`)
    expect(list(one)).toEqual(one)
    expect(list([])).toEqual([])
  })

  test('knows paths that are not below the folder of the run, and those of Windows', () => {
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

  test('survives names that are no names, and folders without end', () => {
    const deep = (name: string) => `${'d/'.repeat(20_000)}${name}`
    const odd = ['__proto__/a', 'constructor/b', 'src/', 'src/x', '//', deep('1'), deep('2')]
    const rows = listTreeRows(
      odd.map((path) => file(path)),
      new Set(),
    )
    expect(rows.filter(({type}) => type === 'file')).toHaveLength(odd.length)
    expect(Math.max(...rows.map(({depth}) => depth))).toBeLessThan(25)
  })

  test('is quick with thousands of files', () => {
    const paths = Array.from({length: 5000}, (_, at) => `src/${at % 50}/${at % 7}/part-${at}.ts`)
    expectWithin(500, () => {
      expect(list(paths)).toHaveLength(5000 + 50 * 7 + 50 + 1)
    })
  })
})
