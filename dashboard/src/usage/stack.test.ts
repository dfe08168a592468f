import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {makeSeries} from './series.ts'
import {nameColumn, pickStep, stackDays} from './stack.ts'

const cells = [
  makeCell({day: '2026-11-15', agent: 'codex', costUsd: 2, isEstimate: false}),
  makeCell({day: '2026-11-16', agent: 'codex', costUsd: 4, isEstimate: false}),
  makeCell({day: '2026-11-16', agent: 'claude', costUsd: 1}),
  makeCell({day: '2026-11-16', agent: 'claude', costUsd: null}),
]
const series = makeSeries({
  cells,
  group: 'agent',
  ranked: ['codex', 'claude'],
  nameOf: (key) => key,
})
const span = {from: '2026-11-14', to: '2026-11-16'}

test('stacks every day of the range, also days without usage', () => {
  expect(stackDays(cells, {span, series, group: 'agent', unit: 'spend', step: 1})).toEqual([
    {
      from: '2026-11-14',
      to: '2026-11-14',
      total: {value: 0, isEstimate: false},
      parts: [undefined, undefined],
    },
    {
      from: '2026-11-15',
      to: '2026-11-15',
      total: {value: 2, isEstimate: false},
      parts: [{value: 2, isEstimate: false}, undefined],
    },
    {
      from: '2026-11-16',
      to: '2026-11-16',
      total: {value: 5, isEstimate: true},
      parts: [
        {value: 4, isEstimate: false},
        {value: 1, isEstimate: true},
      ],
    },
  ])
})

test('stacks tokens of models without a price too', () => {
  const columns = stackDays(cells, {span, series, group: 'agent', unit: 'tokens', step: 1})
  expect(columns.map(({total}) => total.value)).toEqual([0, 1000, 3000])
})

test('joins days so that the last column is complete', () => {
  const columns = stackDays(cells, {
    span: {from: '2026-11-08', to: '2026-11-16'},
    series,
    group: 'agent',
    unit: 'spend',
    step: 7,
  })
  expect(columns.map(({from, to, total}) => [from, to, total.value])).toEqual([
    ['2026-11-08', '2026-11-09', 0],
    ['2026-11-10', '2026-11-16', 7],
  ])
  expect(columns.map((column) => nameColumn(column, 7))).toEqual([
    'Week of 8 Nov',
    'Week of 10 Nov',
  ])
})

test('joins days only when they do not fit', () => {
  const quarter = {from: '2026-08-19', to: '2026-11-16'}
  expect(pickStep(quarter, 600)).toBe(1)
  expect(pickStep(quarter, 340)).toBe(7)
  expect(pickStep({from: '2020-01-01', to: '2026-11-16'}, 340)).toBe(91)
})
