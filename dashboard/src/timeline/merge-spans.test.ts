import fc from 'fast-check'
import {expect, test} from 'vitest'
import {mergeSpans, type Cluster, type Grid} from './merge-spans.ts'
import {createRowPacker, type SpanRow} from './pack-rows.ts'

interface Span {
  start: number
  end: number
  hasFailed: boolean
}

test('merges spans shorter than a pixel and keeps longer ones separate', () => {
  const rows = pack([
    toSpan(0, 1),
    toSpan(2, 3, true),
    toSpan(4, 30),
    toSpan(30, 31),
    toSpan(99, 100),
  ])
  expect(collect(rows, {origin: 0, msPerPixel: 10}, 0, 100)).toEqual([
    {first: 0, count: 2, failed: 1, start: 0, end: 3},
    {first: 2, count: 1, failed: 0, start: 4, end: 30},
    {first: 3, count: 1, failed: 0, start: 30, end: 31},
    {first: 4, count: 1, failed: 0, start: 99, end: 100},
  ])
})

test('visits only spans in view', () => {
  const spans = Array.from({length: 1000}, (_, index) => toSpan(index * 10, index * 10 + 5))
  const clusters = collect(pack(spans), {origin: 0, msPerPixel: 1}, 5000, 5100)
  expect(clusters.map((cluster) => cluster.start)).toEqual([
    5000, 5010, 5020, 5030, 5040, 5050, 5060, 5070, 5080, 5090, 5100,
  ])
})

test('a short failure does not paint the long bar that starts with it', () => {
  const rows = pack([toSpan(0, 500), toSpan(1, 2, true), toSpan(2, 400)])
  expect(collect(rows, {origin: 0, msPerPixel: 10}, 0, 1000)).toEqual([
    {first: 0, count: 2, failed: 0, start: 0, end: 500},
    {first: 1, count: 1, failed: 1, start: 1, end: 2},
  ])
})

/** Short adjacent spans, and long spans that overlap others. */
const spansOf = fc
  .array(
    fc.record({
      gap: fc.nat(30),
      length: fc.oneof(fc.nat(3), fc.nat(3), fc.nat(200)),
      hasFailed: fc.boolean(),
    }),
    {maxLength: 120},
  )
  .map((steps) => {
    let start = 0
    return steps.map(({gap, length, hasFailed}) => {
      start += gap
      return toSpan(start, start + length, hasFailed)
    })
  })

test('no failure is ever hidden, nothing is lost, and at most two marks start in each pixel', () => {
  fc.assert(
    fc.property(
      spansOf,
      fc.integer({min: 1, max: 4}),
      fc.integer({min: 1, max: 300}),
      fc.integer({min: 0, max: 3000}),
      fc.integer({min: 1, max: 3000}),
      (spans, limit, msPerPixel, from, length) => {
        const to = from + length
        const grid = {origin: 0, msPerPixel}
        for (const row of createRowPacker(limit)(spans).rows) {
          const clusters = collect([row], grid, from, to)
          for (const index of row.indices) {
            const span = spans[index]
            if (span === undefined || span.end < from || span.start > to) continue
            const holders = clusters.filter((one) => one.start <= span.start && one.end >= span.end)
            expect(holders.length).toBeGreaterThan(0)
            if (!span.hasFailed) continue
            const isMarked = (one: Cluster) => one.failed > 0 && span.start - one.start < msPerPixel
            expect(holders.some(isMarked)).toBe(true)
          }
          const inView = clusters.filter((one) => one.start >= from)
          expect(inView.length).toBeLessThanOrEqual(2 * (length / msPerPixel + 2))
        }
      },
    ),
    {numRuns: 500},
  )
})

test('the full range counts every span and every failure once', () => {
  fc.assert(
    fc.property(
      spansOf,
      fc.integer({min: 1, max: 4}),
      fc.integer({min: 1, max: 300}),
      (spans, limit, ms) => {
        const {rows} = createRowPacker(limit)(spans)
        const clusters = collect(rows, {origin: 0, msPerPixel: ms}, -1, Infinity)
        const sum = (pick: (cluster: Cluster) => number) =>
          clusters.reduce((total, cluster) => total + pick(cluster), 0)
        expect(sum((one) => one.count)).toBe(spans.length)
        expect(sum((one) => one.failed)).toBe(spans.filter((span) => span.hasFailed).length)
      },
    ),
  )
})

function toSpan(start: number, end: number, hasFailed = false): Span {
  return {start, end, hasFailed}
}

function pack(spans: readonly Span[]): readonly SpanRow[] {
  return createRowPacker(1)(spans).rows
}

function collect(rows: readonly SpanRow[], grid: Grid, from: number, to: number): Cluster[] {
  const clusters: Cluster[] = []
  for (const row of rows) mergeSpans(row, grid, from, to, (cluster) => clusters.push({...cluster}))
  return clusters
}
