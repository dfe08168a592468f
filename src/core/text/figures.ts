/** The text between a number and its unit: none in a terminal, a space on a page. */
export type UnitGap = '' | ' '

/** Formats a duration: `41ms 3.0s 24s 1m 52s 2h 05m 3d 4h`. */
export function formatDuration(ms: number, gap: UnitGap = ''): string {
  const time = toPositive(ms)
  if (time < 999.5) return `${Math.round(time)}${gap}ms`
  if (time < 9950) return `${(time / 1000).toFixed(1)}${gap}s`
  return formatSeconds(Math.round(time / 1000), gap)
}

/** Formats a duration that still grows, in whole seconds: `0s 9s 1m 52s`. */
export function formatElapsed(ms: number, gap: UnitGap = ''): string {
  return formatSeconds(Math.floor(toPositive(ms) / 1000), gap)
}

/** Formats the time until something happens, rounded up: `4s 38m 2h 05m`. */
export function formatRemaining(ms: number, gap: UnitGap = ''): string {
  const seconds = Math.ceil(toPositive(ms) / 1000)
  const minutes = Math.ceil(seconds / 60)
  return seconds >= 60 && minutes < 60 ? `${minutes}${gap}m` : formatSeconds(seconds, gap)
}

/** Formats a duration that usually is a fraction of a second: `12ms 0.4s 24s`. */
export function formatMoment(ms: number, gap: UnitGap = ''): string {
  return ms >= 50 && ms < 9950 ? `${(ms / 1000).toFixed(1)}${gap}s` : formatDuration(ms, gap)
}

/** Formats a position on a time axis: `0:36 12:40 1:02:09`. */
export function formatOffset(ms: number): string {
  const seconds = Math.floor(toPositive(ms) / 1000)
  const minutes = Math.floor(seconds / 60)
  const rest = pad(seconds % 60)
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${rest}`
}

/** Formats dollars: `$1.52`, `$0.0042` under a cent, `$139` from a hundred on. */
export function formatMoney(usd: number): string {
  const digits = usd >= 100 ? 0 : usd > 0 && usd < 0.01 ? 4 : 2
  return `$${usd.toLocaleString('en', {minimumFractionDigits: digits, maximumFractionDigits: digits})}`
}

/** Formats a number with separators: `14 1,204 12,304`. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en')
}

/** Formats a count with its noun: `1 line`, `1,204 lines`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats a number of tokens with at most three digits: `842 9.8k 96k 418k 1.64M 44.9M`. */
export function formatTokens(count: number): string {
  if (count < 999.5) return String(Math.round(count))
  if (count < 99_950) return `${(count / 1000).toFixed(1).replace(/\.0$/, '')}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  const millions = count / 1_000_000
  return `${millions.toFixed(millions < 9.995 ? 2 : millions < 99.95 ? 1 : 0)}M`
}

/** Formats a number of bytes: `655 B`, `1.1 kB`, `9.6 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${toShort(bytes / 1000)} kB`
  if (bytes < 999_500_000) return `${toShort(bytes / 1_000_000)} MB`
  return `${toShort(bytes / 1_000_000_000)} GB`
}

/** Formats a share from 0 to 1 as a percentage: `94%`. */
export function formatShare(share: number, gap: UnitGap = ''): string {
  return `${Math.round(share * 100)}${gap}%`
}

/** Formats the time of day: `15:06`. */
export function formatClock(at: number): string {
  const date = new Date(at)
  // Agents report times outside the range of a date.
  if (Number.isNaN(date.getTime())) return '?'
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** Formats the time of day, with the date when it is not today: `15:06`, `3 Nov 15:06`. */
export function formatWhen(at: number, now: number = Date.now()): string {
  const date = new Date(at)
  const time = formatClock(at)
  return time === '?' || date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${time}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function formatSeconds(seconds: number, gap: UnitGap): string {
  if (seconds < 60) return `${seconds}${gap}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}${gap}m ${pad(seconds % 60)}${gap}s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours}${gap}h ${pad(minutes % 60)}${gap}m`
  return `${Math.floor(hours / 24)}${gap}d ${hours % 24}${gap}h`
}

/** Clocks differ: the reported start of a tool may be later than our time. */
function toPositive(ms: number): number {
  return ms > 0 && Number.isFinite(ms) ? ms : 0
}

function toShort(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value))
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
