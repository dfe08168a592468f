import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createRowPacker} from './pack-rows.ts'

interface Span {
  start: number
  end?: number | undefined
  hasFailed?: boolean
}

test('puts each span into the first free row', () => {
  const {rows} = createRowPacker(4)([
    {start: 0, end: 10},
    {start: 2, end: 4},
    {start: 3, end: 5},
    {start: 4, end: 6},
    {start: 10, end: 11},
  ])
  expect(rows.map((row) => row.indices)).toEqual([[0, 4], [1, 3], [2]])
  expect(rows.some((row) => row.isOverlapping)).toBe(false)
})

test('overlaps spans in the last row beyond the limit', () => {
  const {rows} = createRowPacker(2)([{start: 0}, {start: 1}, {start: 2}, {start: 3, end: 4}])
  expect(rows.map((row) => row.indices)).toEqual([[0], [1, 2, 3]])
  expect(rows[1]).toMatchObject({isOverlapping: true, reach: [Infinity, Infinity, Infinity]})
})

test('frees the row of an open span when it ends', () => {
  const pack = createRowPacker(4)
  const spans: Span[] = [{start: 0}, {start: 1, end: 2}]
  expect(pack(spans).rows.map((row) => row.open)).toEqual([[0], []])
  spans[0] = {start: 0, end: 5, hasFailed: true}
  spans.push({start: 6, end: 7})
  const {rows} = pack(spans)
  expect(rows.map((row) => row.indices)).toEqual([[0, 2], [1]])
  expect(rows[0]).toMatchObject({ends: [5, 7], failures: [1, 1], open: []})
})

test('packs a shorter or different array again', () => {
  const pack = createRowPacker(4)
  pack([
    {start: 0, end: 1},
    {start: 2, end: 3},
  ])
  expect(pack([{start: 0}]).rows.map((row) => row.ends)).toEqual([[Infinity]])
  expect(pack([{start: 9, end: 10}]).rows.map((row) => row.starts)).toEqual([[9]])
  expect(pack([]).rows).toEqual([])
})

test('packs the same rows incrementally as at once', () => {
  const spans = fc.array(fc.record({gap: fc.nat(5), length: fc.nat(12), hasFailed: fc.boolean()}), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(
      spans,
      fc.integer({min: 1, max: 4}),
      fc.integer({min: 1, max: 9}),
      (steps, limit, step) => {
        let start = 0
        const all = steps.map(({gap, length, hasFailed}): Span => {
          start += gap
          return {start, end: start + length, hasFailed}
        })
        const pack = createRowPacker(limit)
        for (let count = step; count < all.length; count += step) {
          const seen = all.slice(0, count)
          const time = seen.at(-1)?.start ?? 0
          // The state at that moment: later ends and failures are unknown.
          pack(seen.map((span) => ((span.end ?? 0) > time ? {start: span.start} : span)))
        }
        expect(pack(all).rows).toEqual(createRowPacker(limit)(all).rows)
      },
    ),
  )
})
