import fc from 'fast-check'
import {expect, test} from 'vitest'
import {findJsonStrings, replaceJsonStrings} from './json-strings.ts'

test('finds every string with its path, and the item before it in a list', () => {
  const text = '{"a":"\\u0041\\/b","list":["x","y",{"in":"z"}],"n":1.10}'
  const found = findJsonStrings(text)
  expect(
    found.filter(({isName}) => !isName).map(({value, path, before}) => [value, path, before]),
  ).toEqual([
    ['A/b', ['a'], ''],
    ['x', ['list'], ''],
    ['y', ['list'], 'x'],
    ['z', ['list', 'in'], ''],
  ])
  expect(found.filter(({isName}) => isName).map(({value}) => value)).toEqual([
    'a',
    'list',
    'in',
    'n',
  ])
})

test('replaces strings and nothing else', () => {
  const text = '{ "id": 12345678901234567890, "x": 1.10, "a\\u0062": "s\\/t" }'
  const replace = (by: (value: string) => string) =>
    replaceJsonStrings(text, findJsonStrings(text), ({value}) => by(value))
  expect(replace((value) => value)).toBe(text)
  expect(replace((value) => (value === 's/t' ? '***' : value))).toBe(
    '{ "id": 12345678901234567890, "x": 1.10, "a\\u0062": "***" }',
  )
})

test('finds the strings that JSON.parse finds, in any JSON, and fails on no text', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const values = new Set<string>()
      JSON.parse(text, (name, value: unknown) => {
        values.add(name)
        if (typeof value === 'string') values.add(value)
      })
      const found = findJsonStrings(text).map(({value}) => value)
      expect(found.filter((value) => !values.has(value))).toEqual([])
      expect(replaceJsonStrings(text, findJsonStrings(text), ({value}) => value)).toBe(text)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => findJsonStrings(`{"${text}`).length > 0))
})
