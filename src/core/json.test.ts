import {describe, expect, test} from 'vitest'
import {numberAt, objectAt, objectsAt, parseText, textAt, timeAt, toText} from './json.ts'

test.each([undefined, null, 1, 'text', [], true])('nothing is in %j', (value) => {
  expect(textAt(value, 'a')).toBe(undefined)
  expect(numberAt(value, 'a')).toBe(undefined)
  expect(timeAt(value, 'a')).toBe(undefined)
  expect(objectAt(value, 'a')).toEqual({})
  expect(objectsAt(value, 'a')).toEqual([])
})

test('a field is given when it is of the type that is asked for', () => {
  const value = {text: 'x', number: 1, object: {a: 1}, list: [{a: 1}, 2, null, {b: 2}]}
  expect([textAt(value, 'text'), textAt(value, 'number')]).toEqual(['x', undefined])
  expect([numberAt(value, 'number'), numberAt(value, 'text')]).toEqual([1, undefined])
  expect([objectAt(value, 'object'), objectAt(value, 'list')]).toEqual([{a: 1}, {}])
  expect([objectsAt(value, 'list'), objectsAt(value, 'object')]).toEqual([[{a: 1}, {b: 2}], []])
})

test.each([
  ['2026-11-15T02:42:44.054Z', 1794710564054],
  [1794710564054, 1794710564054],
  ['yesterday', undefined],
  [Number.NaN, undefined],
  [{}, undefined],
])('the time in %j is %j', (at, expected) => {
  expect(timeAt({at}, 'at')).toBe(expected)
})

describe('toText', () => {
  test.each([
    ['text', 'text'],
    [null, ''],
    [undefined, ''],
    [5, '5'],
    [{a: [1]}, '{"a":[1]}'],
  ])('makes of %j %j', (value, text) => {
    expect(toText(value)).toBe(text)
  })

  test('survives any depth', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(toText(deep)).toBe('[nested too deeply to print]')
  })
})

test('parseText gives the value of JSON, and of other text the text', () => {
  expect(parseText('{"a":1}')).toEqual({a: 1})
  expect(parseText('{"a":')).toBe('{"a":')
})
