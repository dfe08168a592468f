/** A duration as tight as it can be read: `41ms 3.0s 24s 1m 52s 2h 05m`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)}ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`
}

/** Money for a summary: `$1.52`, and of less than a cent more digits. */
export function formatMoney(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

/** A count with its noun: `1 line`, `180 lines`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** The time of day, for something that will be over soon: `15:06`. */
export function formatClock(at: number): string {
  const date = new Date(at)
  // An agent may tell a time that no calendar has.
  if (Number.isNaN(date.getTime())) return '?'
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
