import {
  formatDuration,
  formatElapsed as formatTightElapsed,
  formatMoney,
  formatRemaining as formatTightRemaining,
  formatShare as formatTightShare,
} from '../../../src/core/text/figures.ts'

// The figures of the terminal, with a space before each unit as pages have it.
export {
  formatBytes,
  formatCount,
  formatNumber,
  formatOffset,
  formatTokens,
  formatWhen,
} from '../../../src/core/text/figures.ts'

/** Formats a duration: `41 ms`, `3.0 s`, `24 s`, `1 m 52 s`, `2 h 05 m`, `3 d 4 h`. */
export function formatTime(ms: number): string {
  return formatDuration(ms, ' ')
}

/** Formats a duration that still grows, in whole seconds: `0 s`, `24 s`, `1 m 52 s`. */
export function formatElapsed(ms: number): string {
  return formatTightElapsed(ms, ' ')
}

/** Formats a duration in minutes where seconds would only distract: `24 s`, `18 m`, `2 h 05 m`. */
export function formatMinutes(ms: number): string {
  return ms >= 60_000 && ms < 3_600_000 ? `${Math.floor(ms / 60_000)} m` : formatElapsed(ms)
}

/** Formats the time until something happens, rounded up: `4 s`, `38 m`, `2 h 05 m`. */
export function formatRemaining(ms: number): string {
  return formatTightRemaining(ms, ' ')
}

/** Formats a cost: `$1.52`, `≈ $1.48` when it is an estimate, `—` when it is unknown. */
export function formatCost(usd: number | null | undefined, isEstimate = false): string {
  if (usd === null || usd === undefined) return '—'
  return isEstimate ? `≈ ${formatMoney(usd)}` : formatMoney(usd)
}

/** Formats a share from 0 to 1 as a percentage: `94 %`. */
export function formatShare(share: number): string {
  return formatTightShare(share, ' ')
}

/** Formats a duration without spaces before its units, where there is little room: `35s`, `1m 01s`. */
export function formatTight(ms: number, isGrowing: boolean): string {
  return isGrowing ? formatTightElapsed(ms) : formatDuration(ms)
}

/** Formats the time of day in the time zone of the viewer: `15:06:09`. */
export function formatClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}
