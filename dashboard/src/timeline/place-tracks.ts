import type {Track} from './tracks.ts'

/** A track and its position, in pixels from the top of the lanes. */
export interface PlacedTrack {
  track: Track
  top: number
  /** Including the label, if that is above. */
  height: number
  /** The top of the drawing: below the label on a phone, else the top of the track. */
  laneTop: number
  /** The top of the first row of tools. */
  rowTop: number
  rowCount: number
  /** The middle of the spans of the model. */
  modelY: number
  /** The top of waits and marks. */
  stripTop: number
}

/** The height of a bar. */
export const BAR_HEIGHT = 16
/** The distance between two rows of bars. */
export const ROW_HEIGHT = 18

const LABEL_HEIGHT = 21

/** Stacks tracks vertically. */
export function placeTracks(
  tracks: readonly Track[],
  hasLabelsAbove: boolean,
): {placed: readonly PlacedTrack[]; height: number} {
  const placed: PlacedTrack[] = []
  let top = 0
  for (const track of tracks) {
    const laneTop = top + (hasLabelsAbove ? LABEL_HEIGHT : 0)
    const rowCount = Math.max(track.kind === 'main' ? 2 : 1, track.tools.rows.length)
    const isMain = track.kind === 'main'
    const rowTop = laneTop + (isMain ? 26 : 4)
    const bottom =
      rowTop +
      (rowCount - 1) * ROW_HEIGHT +
      BAR_HEIGHT +
      (isMain ? 4 : track.model.spans.length > 0 || track.kind === 'agent' ? 8 : 6)
    placed.push({
      track,
      top,
      height: bottom - top,
      laneTop,
      rowTop,
      rowCount,
      modelY: isMain ? laneTop + 13.5 : rowTop + rowCount * ROW_HEIGHT + 1.5,
      stripTop: isMain ? laneTop + 6 : rowTop,
    })
    top = bottom
  }
  return {placed, height: top}
}
