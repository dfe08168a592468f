import {formatDuration} from '../core/text/figures.ts'

/** How long something has lasted, in whole seconds, for a count that goes on: `0s 9s 1m 52s`. */
export function formatElapsed(ms: number): string {
  return formatWhole(Math.floor(positive(ms) / 1000))
}

/** How long something will last yet, as exact as one waits for it: `4s 38m 2h 05m`. */
export function formatRemaining(ms: number): string {
  const seconds = Math.ceil(positive(ms) / 1000)
  const minutes = Math.ceil(seconds / 60)
  return seconds >= 60 && minutes < 60 ? `${minutes}m` : formatWhole(seconds)
}

/** How long something took that mostly takes less than seconds: `0.4s`. */
export function formatMoment(ms: number): string {
  return ms >= 50 && ms < 9950 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(positive(ms))
}

function formatWhole(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1000)
}

/** Clocks differ: what an agent began may be said to begin a little from now. */
function positive(ms: number): number {
  return ms > 0 && Number.isFinite(ms) ? ms : 0
}
