import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {listProjects, sortProjects} from './projects.ts'

const span = {from: '2026-11-15', to: '2026-11-16'}
const cells = [
  makeCell({project: '/a', costUsd: 1, day: '2026-11-15'}),
  makeCell({project: '/a', costUsd: 2, agent: 'codex'}),
  makeCell({project: '/b', costUsd: 1, isEstimate: false}),
  makeCell({project: '/c', costUsd: null}),
]
const rows = listProjects(cells, span, [{project: '/a', sessions: 4}])

test('lists each project with its share of the cost', () => {
  expect(rows).toEqual([
    {
      project: '/a',
      agents: ['codex', 'claude'],
      trend: [1, 2],
      sessions: 4,
      tokens: 2000,
      cacheShare: 1600 / 1960,
      share: 0.75,
      cost: {value: 3, isEstimate: true},
    },
    {
      project: '/b',
      agents: ['claude'],
      trend: [0, 1],
      sessions: 0,
      tokens: 1000,
      cacheShare: 800 / 980,
      share: 0.25,
      cost: {value: 1, isEstimate: false},
    },
    {
      project: '/c',
      agents: ['claude'],
      trend: [0, 0],
      sessions: 0,
      tokens: 1000,
      cacheShare: 800 / 980,
      share: 0,
      cost: {value: null, isEstimate: false},
    },
  ])
})

test('joins the days of a long range in the trend', () => {
  const quarter = {from: '2026-08-19', to: '2026-11-16'}
  expect(listProjects(cells, quarter, [])[0]?.trend).toHaveLength(15)
})

test('sorts by a column in both directions, with unknown costs last', () => {
  const sorted = (...order: ['spend' | 'tokens' | 'name', boolean]) =>
    sortProjects(rows, ...order).map(({project}) => project)
  expect(sorted('spend', false)).toEqual(['/a', '/b', '/c'])
  expect(sorted('spend', true)).toEqual(['/c', '/b', '/a'])
  expect(sorted('tokens', true)).toEqual(['/b', '/c', '/a'])
  expect(sorted('name', false)).toEqual(['/c', '/b', '/a'])
})
