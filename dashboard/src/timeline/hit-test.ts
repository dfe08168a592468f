import {mergeSpans, type Cluster, type Grid} from './merge-spans.ts'
import type {SpanRow} from './pack-rows.ts'

/** The minimum width of a bar, in pixels. */
export const LEAST_WIDTH = 4

/** Finds the span of a row at a time: failures first, then the one painted last. */
export function hitTest(
  row: SpanRow,
  grid: Grid,
  at: number,
  edge: number,
  slop: number,
): Cluster | undefined {
  const near = slop * grid.msPerPixel
  const least = LEAST_WIDTH * grid.msPerPixel
  const margin = near + least + 2 * grid.msPerPixel
  let best: Cluster | undefined
  let bestDistance = Infinity
  mergeSpans(row, grid, at - margin, at + near, (cluster) => {
    const end = Math.max(Math.min(cluster.end, edge), cluster.start + least)
    const distance = Math.max(0, cluster.start - at, at - end)
    if (distance > near) return
    const isWorse = cluster.failed > 0 && best?.failed === 0
    const isHidden = cluster.failed === 0 && best !== undefined && best.failed > 0
    if (isWorse || (!isHidden && distance <= bestDistance)) {
      best = cluster
      bestDistance = distance
    }
  })
  return best
}

/** The representative of a cluster: its first failure, else its first span. */
export function pickSpan(row: SpanRow, cluster: Cluster): number | undefined {
  if (cluster.failed > 0) {
    const before = row.failures[cluster.first - 1] ?? 0
    for (let at = cluster.first; at < row.indices.length; at++) {
      if ((row.failures[at] ?? 0) > before) return row.indices[at]
    }
  }
  return row.indices[cluster.first]
}
