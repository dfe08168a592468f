import {expect, test} from 'vitest'
import {createDriftCounter} from './drift.ts'

test('drift is counted per version, with the line of its first occurrence', () => {
  const counter = createDriftCounter('claude')
  counter.count({kind: 'field', name: 'a.b'}, 3, undefined)
  counter.count({kind: 'field', name: 'a.b'}, 9, '2.1')
  counter.count({kind: 'field', name: 'a.b'}, 12, '2.1')
  counter.count({kind: 'type', name: 'a.b'}, 13, '2.1')
  expect(counter.list()).toEqual([
    {agent: 'claude', version: undefined, kind: 'field', name: 'a.b', count: 1, line: 3},
    {agent: 'claude', version: '2.1', kind: 'field', name: 'a.b', count: 2, line: 9},
    {agent: 'claude', version: '2.1', kind: 'type', name: 'a.b', count: 1, line: 13},
  ])
})

test('a stream of garbage uses bounded memory', () => {
  const counter = createDriftCounter('claude')
  for (let line = 1; line <= 5000; line++) {
    counter.count({kind: 'type', name: `${line}${'x'.repeat(10_000)}`}, line, undefined)
  }
  const list = counter.list()
  expect(list).toHaveLength(1000)
  expect(Math.max(...list.map(({name}) => name.length))).toBe(120)
})
