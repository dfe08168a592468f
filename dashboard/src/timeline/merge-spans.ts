import type {SpanRow} from './pack-rows.ts'

/** One bar to draw: a span, or neighbours that share a pixel. */
export interface Cluster {
  /** The index of the first of them in the row. */
  first: number
  count: number
  /** How many of them failed. */
  failed: number
  start: number
  /** Infinite while one of them is open. */
  end: number
}

/** Maps time to cells of one pixel, counted from a fixed origin so that they do not change when the view moves. */
export interface Grid {
  origin: number
  msPerPixel: number
}

/**
 * Visits the bars of a row between two times: spans of a pixel and more, and shorter ones merged when they start
 * in the same pixel. At most two start in each pixel, for any number of spans.
 */
export function mergeSpans(
  row: SpanRow,
  grid: Grid,
  from: number,
  to: number,
  visit: (cluster: Cluster) => void,
): void {
  const {starts, ends} = row
  let at = findFirst(row.reach, 0, from)
  for (;;) {
    const start = starts[at]
    const end = ends[at]
    if (start === undefined || end === undefined || start > to) return
    const next =
      row.isOverlapping || end - start < grid.msPerPixel ? findNextCell(row, grid, at) : 0
    if (next <= at + 1) {
      if (end >= from) visit(toCluster(row, at, at + 1))
      at++
    } else if (row.isOverlapping) {
      visitOverlapping(row, grid, at, next, from, visit)
      at = next
    } else {
      // Only the last span of a pixel can be longer than it, as they do not overlap.
      const last = next - 1
      const isLong = (ends[last] ?? 0) - (starts[last] ?? 0) >= grid.msPerPixel
      visit(toCluster(row, at, isLong ? last : next))
      at = isLong ? last : next
    }
  }
}

/** The first index from `from` on with a value not below the limit, else `to`; values are ascending. */
export function findFirst(
  values: readonly number[],
  from: number,
  limit: number,
  to: number = values.length,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? Infinity) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The first index after `at` that starts in a later pixel. Gallops, as it is usually close. */
function findNextCell({starts}: SpanRow, {origin, msPerPixel}: Grid, at: number): number {
  const cell = Math.floor(((starts[at] ?? 0) - origin) / msPerPixel)
  const limit = origin + (cell + 1) * msPerPixel
  let step = 1
  while ((starts[at + step] ?? Infinity) < limit) step *= 2
  return findFirst(starts, at + (step >> 1) + 1, limit, Math.min(at + step, starts.length))
}

function toCluster({starts, ends, failures}: SpanRow, from: number, to: number): Cluster {
  return {
    first: from,
    count: to - from,
    failed: (failures[to - 1] ?? 0) - (failures[from - 1] ?? 0),
    start: starts[from] ?? 0,
    end: ends[to - 1] ?? 0,
  }
}

/** Long and short spans in the same pixel stay separate, so that a short failure does not colour a long bar. */
function visitOverlapping(
  row: SpanRow,
  grid: Grid,
  from: number,
  to: number,
  visibleFrom: number,
  visit: (cluster: Cluster) => void,
): void {
  let long: Cluster | undefined
  let short: Cluster | undefined
  for (let at = from; at < to; at++) {
    const one = toCluster(row, at, at + 1)
    if (one.end < visibleFrom) continue
    if (one.end - one.start >= grid.msPerPixel) long = joinClusters(long, one)
    else short = joinClusters(short, one)
  }
  if (long !== undefined) visit(long)
  if (short !== undefined) visit(short)
}

function joinClusters(all: Cluster | undefined, one: Cluster): Cluster {
  if (all === undefined) return one
  all.count += one.count
  all.failed += one.failed
  all.end = Math.max(all.end, one.end)
  return all
}
