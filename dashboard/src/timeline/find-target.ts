import {hitTest, pickSpan} from './hit-test.ts'
import {findFirst, type Cluster, type Grid} from './merge-spans.ts'
import type {PackedSpans, SpanRow} from './pack-rows.ts'
import {BAR_HEIGHT, ROW_HEIGHT, type PlacedTrack} from './place-tracks.ts'

/** The span at a point. */
export interface Target {
  type: 'tools' | 'waits' | 'marks' | 'model'
  placed: PlacedTrack
  cluster: Cluster
  /** The top of the bar. */
  top: number
  /** The index of the span in the array of its lane. */
  index: number
}

/** Finds the span at a time and a height. */
export function findTarget(
  placedTracks: readonly PlacedTrack[],
  grid: Grid,
  {at, y, edge, slop}: {at: number; y: number; edge: number; slop: number},
): Target | undefined {
  const placed = placedTracks.find((one) => y >= one.top && y < one.top + one.height)
  if (placed === undefined || y < placed.laneTop) return undefined
  const {track, stripTop, rowTop, rowCount} = placed
  const find = (type: Target['type'], rows: readonly SpanRow[], top: number, reach: number) => {
    for (const row of rows) {
      const cluster = hitTest(row, grid, at, edge, reach)
      const index = cluster && pickSpan(row, cluster)
      if (cluster !== undefined && index !== undefined) {
        return {type, placed, cluster, top, index}
      }
    }
    return undefined
  }
  const isStrip = y >= stripTop - 4 && y < stripTop + BAR_HEIGHT + 2
  const marker = isStrip
    ? (find('marks', track.marks.rows, stripTop, Math.max(7, slop)) ??
      find('waits', track.waits.rows, stripTop, slop))
    : undefined
  if (marker !== undefined) return marker
  if (y >= rowTop - 1) {
    const index = Math.min(Math.floor((y - rowTop + 1) / ROW_HEIGHT), rowCount - 1)
    const tool = find(
      'tools',
      track.tools.rows.slice(index, index + 1),
      rowTop + index * ROW_HEIGHT,
      slop,
    )
    if (tool !== undefined) return tool
  }
  return Math.abs(y - placed.modelY) < 5
    ? find('model', track.model.rows, placed.modelY - BAR_HEIGHT / 2, slop)
    : undefined
}

/** Id of the target's entry in the feed; model spans have none. */
export function toId({type, placed, index}: Target): string | undefined {
  return type === 'model' ? undefined : placed.track[type].spans[index]?.id
}

/** Finds a span by the id of its entry in the feed. */
export function findById(placedTracks: readonly PlacedTrack[], id: string): Target | undefined {
  for (const placed of placedTracks) {
    for (const type of ['tools', 'waits', 'marks'] as const) {
      const packed: PackedSpans<{id: string}> = placed.track[type]
      const index = packed.spans.findIndex((span) => span.id === id)
      if (index !== -1) return toTarget(placed, type, index)
    }
  }
  return undefined
}

/** The target of a span, by its index in its lane. */
export function toTarget(
  placed: PlacedTrack,
  type: Target['type'],
  index: number,
): Target | undefined {
  const {rows} = placed.track[type]
  for (const [rowIndex, row] of rows.entries()) {
    const first = findFirst(row.indices, 0, index)
    const start = row.starts[first]
    const end = row.ends[first]
    if (row.indices[first] !== index || start === undefined || end === undefined) continue
    const failed = (row.failures[first] ?? 0) - (row.failures[first - 1] ?? 0)
    const top = type === 'tools' ? placed.rowTop + rowIndex * ROW_HEIGHT : placed.stripTop
    return {type, placed, cluster: {first, count: 1, failed, start, end}, top, index}
  }
  return undefined
}
