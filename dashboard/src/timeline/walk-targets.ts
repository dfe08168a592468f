import {findById, toTarget, type Target} from './find-target.ts'
import {findFirst} from './merge-spans.ts'
import type {PlacedTrack} from './place-tracks.ts'

/** A step between bars. */
export type Step = 'next' | 'previous' | 'up' | 'down' | 'first' | 'last'

/** The bar one step away: in the same lane by time, or the nearest in another lane. */
export function walkTargets(
  placedTracks: readonly PlacedTrack[],
  from: Target | undefined,
  step: Step,
): Target | undefined {
  // The layout may have changed since; the index in its lane is still valid.
  const at = placedTracks.findIndex((placed) => placed.track.id === from?.placed.track.id)
  const placed = placedTracks[at]
  if (from === undefined || placed === undefined) {
    return pickFirst(placedTracks, step === 'last' || step === 'previous')
  }
  if (step === 'up' || step === 'down') {
    const way = step === 'up' ? -1 : 1
    for (let index = at + way; index >= 0 && index < placedTracks.length; index += way) {
      const other = placedTracks[index]
      const nearest = other && pickNearest(other, from.cluster.start)
      if (nearest !== undefined) return nearest
    }
    return undefined
  }
  const ends = listNeighbours(placed, from, step)
  const isBack = step === 'previous' || step === 'last'
  return ends.reduce<Target | undefined>((best, one) => {
    if (best === undefined) return one
    // Ties are ordered by kind.
    return one.cluster.start >= best.cluster.start === isBack ? one : best
  }, undefined)
}

/** The start of a step: the last position if it is still selected, else the selected bar. */
export function findWalked(
  placedTracks: readonly PlacedTrack[],
  walked: Target | undefined,
  selected: string | undefined,
): Target | undefined {
  if (selected === undefined) return undefined
  if (walked !== undefined && walked.type !== 'model') {
    const placed = placedTracks.find((one) => one.track.id === walked.placed.track.id)
    if (placed?.track[walked.type].spans[walked.index]?.id === selected) {
      return toTarget(placed, walked.type, walked.index)
    }
  }
  return findById(placedTracks, selected)
}

const TYPES = ['tools', 'waits', 'marks'] as const

/** Of each kind of span, the next one, or the first or last of all. */
function listNeighbours(placed: PlacedTrack, from: Target, step: Step): Target[] {
  const found: Target[] = []
  for (const type of TYPES) {
    const {length} = placed.track[type].spans
    let index = step === 'first' ? 0 : length - 1
    if (step === 'next' || step === 'previous') {
      if (type === from.type) index = from.index + (step === 'next' ? 1 : -1)
      else {
        const after = countBefore(placed, type, from)
        index = step === 'next' ? after : after - 1
      }
    }
    const target = toTarget(placed, type, index)
    if (target !== undefined) found.push(target)
  }
  return found
}

/** How many spans of a kind precede a target, in walking order. */
function countBefore(placed: PlacedTrack, type: (typeof TYPES)[number], from: Target): number {
  const isFirst =
    TYPES.findIndex((one) => one === type) < TYPES.findIndex((one) => one === from.type)
  let count = 0
  for (const {starts} of placed.track[type].rows) {
    const {start} = from.cluster
    count += findFirst(starts, 0, isFirst ? start + INSTANT_MS : start)
  }
  return count
}

/** Less than the time between two records. */
const INSTANT_MS = 1e-3

function pickFirst(placedTracks: readonly PlacedTrack[], isLast: boolean): Target | undefined {
  for (const placed of placedTracks) {
    const target = pickNearest(placed, isLast ? Infinity : -Infinity)
    if (target !== undefined) return target
  }
  return undefined
}

function pickNearest(placed: PlacedTrack, start: number): Target | undefined {
  let best: Target | undefined
  let bestDistance = Infinity
  for (const type of TYPES) {
    for (const {starts, indices} of placed.track[type].rows) {
      const after = findFirst(starts, 0, start)
      for (const at of [after - 1, after]) {
        const distance = Math.abs((starts[at] ?? Infinity) - start)
        const index = indices[at]
        if (index === undefined || (best !== undefined && !(distance < bestDistance))) continue
        best = toTarget(placed, type, index)
        bestDistance = distance
      }
    }
  }
  return best
}
