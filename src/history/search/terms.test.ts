import {expect, test} from 'vitest'
import {formatTerm, parseTerms} from './terms.ts'

test.each([
  ['createRefund idempotent', '"createRefund"* "idempotent"*'],
  ['"two words" one', '"two words" "one"*'],
  ['src/store.ts', '"src store ts"*'],
  ['snake_case', '"snake case"*'],
  ['"never closed', '"never closed"'],
  ['a I x.y', '"a" "I" "x y"'],
  ['naïve 日本 größe', '"naïve"* "日本"* "größe"*'],
  ['OR NOT near:x*', '"OR"* "NOT"* "near x"'],
  ['', ''],
  ['?! "" " - "', ''],
  ['\u0301', ''],
])('parses %j', (text, match) => {
  expect(parseTerms(text).map(formatTerm).join(' ')).toBe(match)
})

test('limits the number and the length of terms', () => {
  expect(parseTerms('word '.repeat(100))).toHaveLength(16)
  expect(parseTerms('x'.repeat(1000))[0]?.words).toEqual(['x'.repeat(200)])
})
