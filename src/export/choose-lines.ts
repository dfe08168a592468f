/** The size of a line, known before it is read in full. */
export interface LineSize {
  line: number
  /** In bytes. */
  size: number
  /** Whether its item is cut, so that the full record adds something. */
  isCut: boolean
}

/** Full records are cut at this size, too. */
const MAX_RECORD_BYTES = 65_536

/**
 * Chooses the lines to include in full within about this many characters of JSON: lines with cut items first, then the
 * others, each in order.
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

/** A full record has the line and its events, which are about as long. */
function estimateLength({size}: LineSize): number {
  return 2 * Math.min(size, MAX_RECORD_BYTES) + 100
}
