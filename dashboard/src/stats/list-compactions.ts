import {isError, type Entry} from '../model/entry.ts'

/** The times when the context was compacted. */
export function listCompactions(
  entries: readonly Entry[],
  until: number = Number.POSITIVE_INFINITY,
): number[] {
  const times: number[] = []
  /** A compaction that started and has not ended. */
  let begun: number | undefined
  for (const entry of entries) {
    if (entry.type !== 'notice') continue
    if (entry.at > until) break
    if (entry.kind !== 'compacting' && entry.kind !== 'compacted') {
      // It may have failed.
      if (isError(entry)) begun = undefined
      continue
    }
    if (begun !== undefined && entry.isWait) times.push(begun)
    begun = entry.isWait && (entry.endAt ?? Infinity) <= until ? entry.endAt : undefined
    if (!entry.isWait) times.push(entry.at)
  }
  if (begun !== undefined) times.push(begun)
  return times
}
