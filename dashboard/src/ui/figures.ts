/** A duration with room between number and unit: `41 ms`, `3.0 s`, `24 s`, `1 m 52 s`, `2 h 05 m`, `3 d 4 h`. */
export function formatTime(ms: number): string {
  if (ms < 0) return formatTime(0)
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${pad(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} m`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** A duration that changes once a second, in whole seconds: `0 s`, `24 s`, `1 m 52 s`. */
export function formatElapsed(ms: number): string {
  return ms < 9950
    ? `${Math.max(0, Math.floor(ms / 1000))} s`
    : formatTime(Math.floor(ms / 1000) * 1000)
}

/** Where on an axis something is, from the start: `0:36`, `12:40`, `1:02:09`. */
export function formatOffset(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const rest = pad(seconds % 60)
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${rest}`
}

/** Money: `$1.52`, `$0.0042`, over a hundred without cents, `≈ $1.48` where it is an estimate, `—` where nobody knows. */
export function formatCost(usd: number | null | undefined, isEstimate = false): string {
  if (usd === null || usd === undefined) return '—'
  const digits = usd >= 100 ? 0 : usd > 0 && usd < 0.01 ? 4 : 2
  const text = `$${usd.toLocaleString('en', {minimumFractionDigits: digits, maximumFractionDigits: digits})}`
  return isEstimate ? `≈ ${text}` : text
}

/** Tokens and other large counts, short: `842`, `9.8k`, `96k`, `1.64M`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count))
  if (count < 9950) return `${(count / 1000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(2)}M`
}

/** Bytes: `655 B`, `1.1 kB`, `9.6 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${short(bytes / 1000)} kB`
  if (bytes < 999_500_000) return `${short(bytes / 1_000_000)} MB`
  return `${short(bytes / 1_000_000_000)} GB`
}

/** A count in words of its own: `14`, `9999`, `12,345`. */
export function formatNumber(count: number): string {
  return count > 9999 ? count.toLocaleString('en') : String(count)
}

/** A share: `94 %`. */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** The time of day; with the date when that is not today. */
export function formatWhen(at: number, now: number = Date.now()): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return '—'
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
  return date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${time}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function short(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value))
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
