const MIN_LENGTH = 4

/** How many characters of ids distinguish all of them. */
export function measureIds(rows: readonly {runId: string}[]): number {
  const ids = rows.map(({runId}) => runId).toSorted()
  let length = MIN_LENGTH
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1] ?? ''
    let shared = 0
    while (shared < id.length && id[shared] === before[shared]) shared++
    length = Math.max(length, shared + 1)
  }
  return length
}
