import {describe, expect, test} from 'vitest'
import {defineShapes, findDrift, isKnown, type Shapes} from './shapes.ts'

const shapes = defineShapes({
  text: 'type text usage{input cache{read}} blocks@block free',
  'block@leaf': 'type value',
  'block@tree': 'type children@block',
  'a list': ['plain', 'with space'],
})

function findAllDrift(kind: string, record: Record<string, unknown>, table: Shapes = shapes) {
  const shape = table.get(kind)
  const found = findDrift(table, kind, record)
  // The fast check and the list agree.
  expect(shape !== undefined && isKnown(record, shape)).toBe(found.length === 0)
  return found
}

describe('a record', () => {
  test.each([
    ['known fields', {type: 'text', text: 'x'}],
    ['fields in any order, of any type', {text: null, type: 5}],
    ['known fields of fields', {usage: {input: 1, cache: {read: 2}}}],
    ['a list of such objects', {usage: [{input: 1}, {cache: [{read: 1}]}]}],
    ['any value in a field without a shape', {free: {a: {b: [{c: 1}]}}}],
    ['known blocks in known blocks', {blocks: [{type: 'tree', children: [{type: 'leaf'}]}]}],
    ['another value where an object may be', {usage: 7, blocks: ['a', null, 3]}],
  ])('has no drift: %s', (_, record) => {
    expect(findAllDrift('text', record)).toEqual([])
  })

  test.each([
    ['a field', {type: 'text', novel: 1}, [{kind: 'field', name: 'text.novel'}]],
    [
      'a field of a field',
      {usage: {cache: {novel: 1}}},
      [{kind: 'field', name: 'text.usage.cache.novel'}],
    ],
    ['a block', {blocks: [{type: 'novel'}]}, [{kind: 'block', name: 'text/novel'}]],
    ['a block without a type', {blocks: {a: 1}}, [{kind: 'block', name: 'text/(no type)'}]],
    [
      'a field of a block in a block',
      {blocks: [{type: 'tree', children: [{type: 'leaf', novel: 1}]}]},
      [{kind: 'field', name: 'text/tree/leaf.novel'}],
    ],
    [
      'several things',
      {one: 1, two: 2, blocks: [{type: 'a'}, {type: 'b'}]},
      [
        {kind: 'field', name: 'text.one'},
        {kind: 'field', name: 'text.two'},
        {kind: 'block', name: 'text/a'},
        {kind: 'block', name: 'text/b'},
      ],
    ],
  ])('has drift: %s', (_, record, expected) => {
    expect(findAllDrift('text', record)).toEqual(expected)
  })

  test('is drift as a type when its kind is unknown', () => {
    expect(findAllDrift('nope', {a: 1})).toEqual([{kind: 'type', name: 'nope'}])
    expect(findAllDrift('system/nope', {a: 1})).toEqual([{kind: 'subtype', name: 'system/nope'}])
  })

  test('may have field names with spaces', () => {
    expect(findAllDrift('a list', {'with space': 1, plain: 2})).toEqual([])
    expect(findAllDrift('a list', {with: 1})).toEqual([{kind: 'field', name: 'a list.with'}])
  })

  test('may have its fields in any order', () => {
    for (const record of [{type: 1, text: 1}, {text: 1, type: 1}, {free: 1}, {type: 1, free: 1}]) {
      expect(findAllDrift('text', record)).toEqual([])
    }
  })

  test('may be nested very deeply', () => {
    let block: Record<string, unknown> = {type: 'leaf', novel: 1}
    for (let depth = 0; depth < 100_000; depth++) block = {type: 'tree', children: [block]}
    expect(findAllDrift('text', {blocks: [block]})).toEqual([])
  })

  test('may have field names of the object prototype', () => {
    const record = JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, unknown>
    expect(findAllDrift('text', record)).toEqual([
      {kind: 'field', name: 'text.__proto__'},
      {kind: 'field', name: 'text.constructor'},
    ])
  })
})
