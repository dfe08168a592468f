/** The last item of a list, ordered by time, that is not after a moment. */
export function lastBy<T extends {at: number}>(list: readonly T[], at: number): T | undefined {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return list[low - 1]
}
