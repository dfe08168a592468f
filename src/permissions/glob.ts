/** The texts between the stars of a pattern, so that one without a star is a list of one. */
export type Glob = readonly string[]

/** A folder or file name of a path pattern; `**` stands for any number of them. */
export type PathSegment = Glob | '**'

const TOKENS = /\\[\\*]|\*|[^\\*]+|\\/g
const ESCAPED = /^\\[\\*]$/

/** Reads a pattern in which `*` is any text, `\*` a star and `\\` a backslash. */
export function parseGlob(pattern: string): Glob {
  const pieces = ['']
  for (const [token] of pattern.matchAll(TOKENS)) {
    if (token === '*') pieces.push('')
    else pieces.push((pieces.pop() ?? '') + (ESCAPED.test(token) ? token.slice(1) : token))
  }
  return pieces
}

/** Makes a pattern that is this text and nothing else. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/\\(?=[\\*])|\*/g, String.raw`\$&`)
}

/** Tells whether the text from there to its end fits. Each piece is looked for once: no pattern takes long. */
export function matchesGlob(glob: Glob, text: string, from = 0): boolean {
  const [head = '', ...rest] = glob
  const tail = rest.pop()
  if (!text.startsWith(head, from)) return false
  let at = from + head.length
  if (tail === undefined) return at === text.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** Tells whether a path fits: `*` stays within a name, `**` goes across any number of them, also none. */
export function matchesPath(pattern: readonly PathSegment[], path: readonly string[]): boolean {
  let inPattern = 0
  let inPath = 0
  let retry: {pattern: number; path: number} | undefined
  while (inPath < path.length) {
    const segment = pattern[inPattern]
    if (segment === '**') {
      inPattern++
      retry = {pattern: inPattern, path: inPath}
    } else if (segment !== undefined && matchesGlob(segment, path[inPath] ?? '')) {
      inPattern++
      inPath++
    } else if (retry !== undefined) {
      // Only the last `**` need take one more: what an earlier one could take, this one can too.
      retry = {pattern: retry.pattern, path: retry.path + 1}
      inPattern = retry.pattern
      inPath = retry.path
    } else return false
  }
  return pattern.slice(inPattern).every((segment) => segment === '**')
}
