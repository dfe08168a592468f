/** A shorter overlap may be chance, such as closing brackets. */
const LEAST_SHARED = 12
const MOST_LENGTH = 100_000

/** The length of the overlap between the end of a text and the start of another; 0 when it may be chance. */
export function findOverlap(text: string, next: string): number {
  // Fast path: usually there is no overlap.
  if (next.length < LEAST_SHARED || !text.includes(next.slice(0, LEAST_SHARED))) return 0
  const pattern = next.slice(0, MOST_LENGTH)
  const end = text.slice(-pattern.length)
  // The Knuth-Morris-Pratt prefix table.
  const borders = [0]
  for (let at = 1, length = 0; at < pattern.length; at++) {
    length = extend(pattern, borders, length, pattern[at])
    borders.push(length)
  }
  let length = 0
  for (const character of end.split('')) {
    if (length === pattern.length) length = borders[length - 1] ?? 0
    length = extend(pattern, borders, length, character)
  }
  const shared = pattern.slice(0, length)
  return shared.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= LEAST_SHARED ? length : 0
}

function extend(
  pattern: string,
  borders: number[],
  length: number,
  character: string | undefined,
): number {
  let known = length
  while (known > 0 && pattern[known] !== character) known = borders[known - 1] ?? 0
  return pattern[known] === character ? known + 1 : 0
}
