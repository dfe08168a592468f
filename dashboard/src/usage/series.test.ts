import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {makeSeries, rankKeys} from './series.ts'

const cells = [
  makeCell({agent: 'a', costUsd: 1}),
  makeCell({agent: 'b', costUsd: 2}),
  makeCell({agent: 'c', costUsd: null}),
  makeCell({agent: 'd', costUsd: 50, day: '2026-01-01'}),
  makeCell({agent: 'b', costUsd: 3}),
]

test('ranks by recent cost, then by cost, then by tokens', () => {
  expect(rankKeys(cells, 'agent', '2026-11-01')).toEqual(['b', 'a', 'd', 'c'])
})

test('gives an agent the same colour in every range', () => {
  const ranked = rankKeys(cells, 'agent', '2026-11-01')
  const all = makeSeries({cells, group: 'agent', ranked, nameOf: (key) => key.toUpperCase()})
  expect(all.map(({label, color}) => [label, color])).toEqual([
    ['B', 0],
    ['A', 1],
    ['D', 2],
    ['C', 3],
  ])
  const some = makeSeries({cells: cells.slice(2, 4), group: 'agent', ranked, nameOf: (key) => key})
  expect(some.map(({label, color}) => [label, color])).toEqual([
    ['d', 2],
    ['c', 3],
  ])
})

test('joins everything after the fifth rank', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((model) => makeCell({model}))
  const ranked = rankKeys(many, 'model', '2026-11-01')
  const series = makeSeries({cells: many, group: 'model', ranked, nameOf: (key) => key})
  expect(series.map(({label, color}) => [label, color])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
    ['e', 4],
    ['2 others', 'rest'],
  ])
  expect([...(series.at(-1)?.keys ?? [])]).toEqual(['f', 'g'])
  const one = makeSeries({cells: many.slice(6), group: 'model', ranked, nameOf: (key) => key})
  expect(one).toEqual([{label: 'g', keys: new Set(['g']), color: 'rest'}])
})

test('includes keys that the ranking does not contain', () => {
  const series = makeSeries({cells, group: 'agent', ranked: [], nameOf: (key) => key})
  expect(series.map(({label}) => label)).toEqual(['a', 'b', 'c', 'd'])
})
