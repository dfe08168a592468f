import type {Sample} from '../model/run-model.ts'

/**
 * Drops samples that cannot be distinguished: of each small interval the last one stays, and the one with the
 * largest context. Intervals are counted from the start, so that the result is stable while a run continues.
 */
export function thinSamples(
  samples: readonly Sample[],
  range: {start: number; end: number},
  limit: number,
): readonly Sample[] {
  // A new list, since this one grows in place.
  if (samples.length <= limit) return samples.slice()
  // Samples before the start and after the end count as intervals too.
  const parts = Math.max(1, Math.floor(limit / 2) - 2)
  const width = Math.max(1, range.end - range.start) / parts
  const thin: Sample[] = []
  let part = Number.NaN
  let last: Sample | undefined
  let fullest: Sample | undefined
  for (const sample of samples) {
    const next = Math.max(-1, Math.min(parts, Math.floor((sample.at - range.start) / width)))
    if (next !== part) {
      keep()
      part = next
      fullest = sample
    } else if ((sample.context ?? 0) >= (fullest?.context ?? 0)) fullest = sample
    last = sample
  }
  keep()
  return thin

  function keep(): void {
    if (fullest !== undefined && fullest !== last) thin.push(fullest)
    if (last !== undefined) thin.push(last)
  }
}
