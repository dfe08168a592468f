import type {ChunkKind, TimedChunk} from '../timing.ts'

/** When the bytes of one file of a recording arrived. */
export interface ArrivalTimes {
  /** The last chunk whose time is known. */
  readonly last: TimedChunk | undefined
  /** The chunk with the byte at an offset; `undefined` after the last one. */
  chunkAt(offset: number): TimedChunk | undefined
}

/** Looks up times in the chunks of a timing file. */
export function createArrivalTimes(chunks: readonly TimedChunk[], wanted: ChunkKind): ArrivalTimes {
  let end = 0
  // A chunk without new bytes has no byte to look up; without those the ends are sorted.
  const sorted = chunks.filter((chunk) => {
    if (chunk.kind !== wanted || chunk.end <= end) return false
    ;({end} = chunk)
    return true
  })
  return {
    last: sorted.at(-1),
    chunkAt(offset) {
      let low = 0
      let high = sorted.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sorted[middle]?.end ?? 0) <= offset) low = middle + 1
        else high = middle
      }
      return sorted[low]
    },
  }
}
