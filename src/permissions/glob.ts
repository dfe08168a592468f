/** The literal texts between the `*` of a pattern; a pattern without `*` is a list of one. */
export type Glob = readonly string[]

/** A segment of a path pattern; `**` matches any number of segments. */
export type PathSegment = Glob | '**'

const TOKENS = /\\[\\*]|\*|[^\\*]+|\\/g
const ESCAPED = /^\\[\\*]$/

/** Parses a pattern: `*` is any text, `\*` a literal `*`, `\\` a backslash. */
export function parseGlob(pattern: string): Glob {
  const parts = ['']
  for (const [token] of pattern.matchAll(TOKENS)) {
    if (token === '*') parts.push('')
    else parts.push((parts.pop() ?? '') + (ESCAPED.test(token) ? token.slice(1) : token))
  }
  return parts
}

/** Escapes text so that the pattern matches exactly that text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/\\(?=[\\*])|\*/g, String.raw`\$&`)
}

/** Whether the text from `start` to its end matches. Each literal is searched once, so matching is linear. */
export function matchesGlob(glob: Glob, text: string, from = 0): boolean {
  const [head = '', ...rest] = glob
  const tail = rest.pop()
  if (!text.startsWith(head, from)) return false
  let at = from + head.length
  if (tail === undefined) return at === text.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** Whether a path matches: `*` stays within a segment, `**` spans any number of segments, including none. */
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
      // Only the last `**` needs to grow: it can match everything that an earlier one could.
      retry = {pattern: retry.pattern, path: retry.path + 1}
      inPattern = retry.pattern
      inPath = retry.path
    } else return false
  }
  return pattern.slice(inPattern).every((segment) => segment === '**')
}
