import {expect, test} from 'vitest'
import {expectWithin} from '../../../test/support/within.ts'
import {hitTest, pickSpan} from './hit-test.ts'
import {createRowPacker} from './pack-rows.ts'

const GRID = {origin: 0, msPerPixel: 10}

test('finds only a bar under the pointer', () => {
  const row = pack([
    [0, 100],
    [200, 300],
  ])
  expect(hitTest(row, GRID, 50, 1000, 0)).toMatchObject({first: 0})
  expect(hitTest(row, GRID, 250, 1000, 0)).toMatchObject({first: 1})
  expect(hitTest(row, GRID, 150, 1000, 2)).toBeUndefined()
  expect(hitTest(row, GRID, 115, 1000, 2)).toMatchObject({first: 0})
})

test('a short bar can be hit at its drawn width', () => {
  const row = pack([[100, 101]])
  expect(hitTest(row, GRID, 139, 1000, 0)).toMatchObject({first: 0})
  expect(hitTest(row, GRID, 141, 1000, 0)).toBeUndefined()
})

test('an open bar ends at now', () => {
  const row = pack([[100, undefined]])
  expect(hitTest(row, GRID, 900, 1000, 0)).toMatchObject({first: 0})
  expect(hitTest(row, GRID, 1100, 1000, 0)).toBeUndefined()
})

test('a cluster has the number of its spans and picks a failed one', () => {
  const row = pack([
    [0, 1],
    [2, 3],
    [4, 5, true],
    [6, 7, true],
    [8, 9],
  ])
  const cluster = hitTest(row, GRID, 5, 1000, 0)
  expect(cluster).toMatchObject({count: 5, failed: 2})
  expect(cluster && pickSpan(row, cluster)).toBe(2)
})

test('prefers a failure to its neighbours, because it is drawn on top', () => {
  const row = pack([
    [0, 1, true],
    [20, 21],
  ])
  expect(hitTest(row, GRID, 25, 1000, 0)).toMatchObject({first: 0, failed: 1})
  expect(hitTest(row, GRID, 55, 1000, 0)).toMatchObject({first: 1, failed: 0})
})

test('finds one of a hundred thousand spans quickly', () => {
  const row = pack(Array.from({length: 100_000}, (_, index) => [index * 100, index * 100 + 50]))
  expectWithin(500, () => {
    for (let index = 0; index < 1000; index++) hitTest(row, GRID, index * 9000, 1e9, 2)
  })
  expect(hitTest(row, GRID, 5_000_020, 1e9, 2)).toMatchObject({first: 50_000})
})

function pack(spans: readonly (readonly [number, number | undefined, boolean?])[]) {
  const {rows} = createRowPacker(1)(
    spans.map(([start, end, hasFailed = false]) => ({start, end, hasFailed})),
  )
  const row = rows[0]
  if (row === undefined) throw new Error('no row')
  return row
}
