import {createMonotonicClock} from '../recording/monotonic-clock.ts'
import type {TimedChunk, ChunkKind} from '../recording/timing.ts'

/** A clock that tells old times while old pieces are read, and then the time. */
export interface Clock {
  now(): number
  /** The time, whatever is read. It never goes back, nor behind what was told of the run. */
  time(): number
  /** Whether all that was there already has been read. */
  isLive(): boolean
  /** Says how far stdout has been read. */
  moveTo(position: number): void
}

/** Makes a clock for pieces that are there already. */
export function createClock(pieces: readonly TimedChunk[], startedAt: number): Clock {
  const outs = pieces.filter(({kind}) => kind === 'out')
  const time = createMonotonicClock(
    pieces.reduce((latest, {at}) => Math.max(latest, at), startedAt),
  )
  let next = 0
  return {
    now: () => outs[next]?.at ?? time(),
    time,
    isLive: () => next >= outs.length,
    moveTo(position) {
      while (next < outs.length && (outs[next]?.end ?? 0) < position) next++
    },
  }
}

/** Up to which byte pieces of a kind go. */
export function endOf(pieces: readonly TimedChunk[], wanted: ChunkKind): number {
  return pieces.reduce((most, {kind, end}) => (kind === wanted ? Math.max(most, end) : most), 0)
}
