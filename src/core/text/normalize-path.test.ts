import {posix} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {normalizePath} from './normalize-path.ts'

test.each([
  ['a/b.ts', 'a/b.ts'],
  ['a/../b.ts', 'b.ts'],
  ['./a//b', 'a/b'],
  ['../a', '../a'],
  ['a/../../b', '../b'],
  ['/a/../../b', '/b'],
  ['a/..', '.'],
  ['..a/...', '..a/...'],
  ['C:\\a\\..\\b', 'C:\\b'],
  ['C:/a/./b', 'C:/a/b'],
  ['', ''],
])('%j is %j', (path, normalized) => {
  expect(normalizePath(path)).toBe(normalized)
})

test('agrees with Node on every path without a trailing slash', () => {
  const names = fc.array(fc.constantFrom('a', '.', '..', '', 'b c', '...'), {minLength: 1})
  fc.assert(
    fc.property(names, (parts) => {
      const path = [...parts, 'x'].join('/')
      expect(normalizePath(path)).toBe(posix.normalize(path))
    }),
  )
})
