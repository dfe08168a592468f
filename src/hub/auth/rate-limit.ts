export interface RateLimitOptions {
  perSecond: number
  /** The burst after an idle time. */
  burst: number
  /** How many keys are kept; the least recently used is dropped. @defaultValue 10,000 */
  maxKeys?: number | undefined
  /** Milliseconds of a monotonic clock. */
  now?: (() => number) | undefined
}

/** Creates a token bucket for each key; a full bucket takes no memory. */
export function createRateLimit(options: RateLimitOptions) {
  const {perSecond, burst, maxKeys = 10_000, now = () => performance.now()} = options
  const perMs = perSecond / 1000
  // In the order of their last use, so that the first is nearly the fullest.
  const buckets = new Map<string, {left: number; at: number}>()
  const refilled = ({left, at}: {left: number; at: number}, time: number): number =>
    Math.min(burst, left + Math.max(0, time - at) * perMs)
  const forget = (time: number): void => {
    for (const [key, bucket] of buckets) {
      if (buckets.size <= maxKeys && refilled(bucket, time) < burst) return
      buckets.delete(key)
    }
  }
  return {
    /** Takes one token: returns 0 within the limit, else the milliseconds to wait. */
    take(key: string): number {
      const time = now()
      const left = refilled(buckets.get(key) ?? {left: burst, at: time}, time)
      const isAllowed = left >= 1
      buckets.delete(key)
      buckets.set(key, {left: isAllowed ? left - 1 : left, at: time})
      forget(time)
      return isAllowed ? 0 : Math.ceil((1 - left) / perMs)
    },
  }
}

/** Formats the error for a request that has to wait. */
export function describeRateLimit(waitMs: number): string {
  return `Rate limit exceeded. Retry in ${Math.ceil(waitMs / 1000)} s.`
}

/** The key of a network address: an IPv6 network counts as one, not as 2⁶⁴. */
export function addressKey(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - start.length - end.length)
  return [...start, ...Array.from({length: gap}, () => '0'), ...end].slice(0, 4).join(':')
}
