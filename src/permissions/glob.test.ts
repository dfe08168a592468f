import fc from 'fast-check'
import {expect, test} from 'vitest'
import {expectWithin} from '../../test/support/within.ts'
import {escapeGlob, matchesGlob, matchesPath, parseGlob} from './glob.ts'

test.each([
  ['git *', 'git push', true],
  ['git *', 'git', false],
  ['*', '', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['a**c', 'abc', true],
  [String.raw`a\*`, 'a*', true],
  [String.raw`a\*`, 'ab', false],
  [String.raw`a\\*`, String.raw`a\b`, true],
  [String.raw`find \;`, String.raw`find \;`, true],
])('%s matches %j: %s', (pattern, text, expected) => {
  expect(matchesGlob(parseGlob(pattern), text)).toBe(expected)
})

test('an escaped text matches only itself', () => {
  const text = fc.string({unit: fc.constantFrom('a', '*', '\\', ' ', ';')})
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(matchesGlob(parseGlob(escapeGlob(one)), other)).toBe(one === other)
    }),
  )
})

test.each([
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'src', true],
  ['src/**', 'srcs/a', false],
  ['src/*', 'src/a', true],
  ['src/*', 'src/a/b', false],
  ['**/*.md', 'a/b/c.md', true],
  ['**/*.md', 'c.md', true],
  ['a/**/b/**/c', 'a/b/b/x/c', true],
  ['a/**/b', 'a/b/c', false],
])('the path pattern %s matches %s: %s', (pattern, path, expected) => {
  const segments = pattern.split('/').map((name) => (name === '**' ? name : parseGlob(name)))
  expect(matchesPath(segments, path.split('/'))).toBe(expected)
})

test('matches any pattern in bounded time', () => {
  expectWithin(1000, () => {
    matchesGlob(parseGlob(`${'a*'.repeat(1000)}b`), 'a'.repeat(100_000))
    const segments = Array.from({length: 200}, (_, index) =>
      index % 2 ? parseGlob('*a') : ('**' as const),
    )
    matchesPath(
      [...segments, parseGlob('b')],
      Array.from({length: 2000}, () => 'aaa'),
    )
  })
})
