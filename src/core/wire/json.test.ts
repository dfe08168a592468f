import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {numberAt, objectAt, objectsAt, parseText, textAt, timeAt, toText} from './json.ts'

test.each([undefined, null, 1, 'text', [], true])('%j has no fields', (value) => {
  expect(textAt(value, 'a')).toBe(undefined)
  expect(numberAt(value, 'a')).toBe(undefined)
  expect(timeAt(value, 'a')).toBe(undefined)
  expect(objectAt(value, 'a')).toEqual({})
  expect(objectsAt(value, 'a')).toEqual([])
})

test('a field is returned when it has the requested type', () => {
  const value = {text: 'x', number: 1, object: {a: 1}, list: [{a: 1}, 2, null, {b: 2}]}
  expect([textAt(value, 'text'), textAt(value, 'number')]).toEqual(['x', undefined])
  expect([numberAt(value, 'number'), numberAt(value, 'text')]).toEqual([1, undefined])
  expect(numberAt(JSON.parse('{"number":1e999}'), 'number')).toBe(undefined)
  expect([objectAt(value, 'object'), objectAt(value, 'list')]).toEqual([{a: 1}, {}])
  expect([objectsAt(value, 'list'), objectsAt(value, 'object')]).toEqual([[{a: 1}, {b: 2}], []])
})

test.each([
  ['2026-11-15T02:42:44.054Z', 1794710564054],
  ['2026-11-15T02:42:44.055Z', 1794710564055],
  ['2026-11-15T23:59:59.999Z', Date.UTC(2026, 10, 15, 23, 59, 59, 999)],
  ['2026-11-15T24:00:00.001Z', undefined],
  ['2026-11-16T00:00:00.000Z', Date.UTC(2026, 10, 16)],
  ['2026-11-16T00:00:00Z', Date.UTC(2026, 10, 16)],
  ['2026-11-16T00:00:00.000X', undefined],
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
  ])('turns %j into %j', (value, text) => {
    expect(toText(value)).toBe(text)
  })

  test('accepts any depth', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(toText(deep)).toBe('[nested too deeply to print]')
  })
})

test('parseText returns the value of JSON, and any other text unchanged', () => {
  expect(parseText('{"a":1}')).toEqual({a: 1})
  expect(parseText('{"a":')).toBe('{"a":')
})

test('parseText skips a byte order mark', () => {
  expect(parseText('\uFEFF{"a":1}')).toEqual({a: 1})
  expect(parseText('\uFEFFtext')).toBe('\uFEFFtext')
  expect(parseText('\uFEFF\uFEFF1')).toBe('\uFEFF\uFEFF1')
})

test('times are parsed correctly within a day and across days', () => {
  fc.assert(
    fc.property(
      fc.array(fc.date({noInvalidDate: true, min: new Date(0), max: new Date(4e12)})),
      (dates) => {
        const at = dates.map((date) => timeAt({at: date.toISOString()}, 'at'))
        expect(at).toEqual(dates.map((date) => date.getTime()))
      },
    ),
  )
})
