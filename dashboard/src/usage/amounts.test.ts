import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {compareCosts, filterCells, shareOfCache, sumCells, sumTokens} from './amounts.ts'

test('adds up known costs and reports none when no cell has one', () => {
  const priced = makeCell({costUsd: 2, isEstimate: false})
  const unpriced = makeCell({costUsd: null})
  expect(sumCells([priced, unpriced], 'spend')).toEqual({value: 2, isEstimate: false})
  expect(sumCells([priced, makeCell()], 'spend')).toEqual({value: 3, isEstimate: true})
  expect(sumCells([unpriced], 'spend')).toEqual({value: null, isEstimate: false})
  expect(sumCells([], 'spend')).toEqual({value: 0, isEstimate: false})
})

test('counts reasoning once, as a part of the output', () => {
  expect(sumCells([makeCell(), makeCell({costUsd: null})], 'tokens')).toEqual({
    value: 2000,
    isEstimate: false,
  })
})

test('reports the share of the input that was read from a cache', () => {
  expect(shareOfCache(sumTokens([makeCell()]))).toBeCloseTo(800 / 980)
  expect(shareOfCache(sumTokens([]))).toBeUndefined()
})

test('compares costs only when both are known and the earlier one is not zero', () => {
  const amount = (value: number | null) => ({value, isEstimate: true})
  expect(compareCosts(amount(3), amount(2))).toBe(0.5)
  expect(compareCosts(amount(0), amount(2))).toBe(-1)
  expect(compareCosts(amount(3), amount(0))).toBeUndefined()
  expect(compareCosts(amount(3), amount(null))).toBeUndefined()
  expect(compareCosts(amount(null), amount(2))).toBeUndefined()
})

test('filters cells by day, agent and project', () => {
  const cells = [
    makeCell({day: '2026-11-14'}),
    makeCell({day: '2026-11-15', agent: 'codex'}),
    makeCell({day: '2026-11-16', project: '/home/dev/docs'}),
  ]
  const all = {from: '2026-11-15', to: '2026-11-16', agent: '', project: ''}
  expect(filterCells(cells, all)).toEqual(cells.slice(1))
  expect(filterCells(cells, {...all, agent: 'codex'})).toEqual([cells[1]])
  expect(filterCells(cells, {...all, project: '/home/dev/docs'})).toEqual([cells[2]])
  expect(filterCells(cells, {...all, project: 'docs'})).toEqual([cells[2]])
})
