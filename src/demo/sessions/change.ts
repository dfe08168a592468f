/** The lines of an edit, as a diff has them. */
export function readChange({before, after}: {before: string; after: string}): {
  lines: string[]
  removed: number
  added: number
} {
  const removed = before.split('\n').map((line) => `-${line}`)
  const added = after.split('\n').map((line) => `+${line}`)
  return {lines: [...removed, ...added], removed: removed.length, added: added.length}
}
