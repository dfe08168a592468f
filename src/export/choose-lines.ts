/** What is known of a line before it is read in full. */
export interface LineSize {
  line: number
  /** In bytes. */
  size: number
  /** Whether something of it is cut where it is not in full. */
  isCut: boolean
}

/** Longer lines are cut in full records too. */
const MAX_RECORD_BYTES = 65_536

/**
 * Chooses lines to be given in full, in so many characters of JSON at most, roughly: first those that are cut where they are
 * not, then the others, each from the first on.
 */
export function chooseLines(lines: readonly LineSize[], maxLength: number): Set<number> {
  const chosen = new Set<number>()
  let left = maxLength
  for (const isCut of [true, false]) {
    for (const line of lines) {
      if (line.isCut !== isCut) continue
      left -= estimateLength(line)
      if (left < 0) return chosen
      chosen.add(line.line)
    }
  }
  return chosen
}

/** A full record has the line as it came, and what it means, which is about as long. */
function estimateLength({size}: LineSize): number {
  return 2 * Math.min(size, MAX_RECORD_BYTES) + 100
}
