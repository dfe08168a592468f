/** A line that was kept, added or removed. */
export interface DiffLine {
  sign: ' ' | '+' | '-'
  text: string
}

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 2

/** Larger inputs are not compared: all lines that differ count as removed and added. */
const MAX_CELLS = 4_000_000

/** Compares two texts by line; `null` stands for omitted unchanged lines. */
export function diffLines(before: string, after: string): (DiffLine | null)[] {
  const lines = compare(splitLines(before), splitLines(after))
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({sign}) => sign !== ' '),
  )
  return lines.flatMap((line, index) => {
    if (isNear[index] === true) return [line]
    return index === 0 || isNear[index - 1] === true ? [null] : []
  })
}

const MAX_LENGTH = 500
/** Characters shown before the first difference. */
const LEAD_LENGTH = 100

/** Shortens long lines around the first difference from the line that replaces them. */
export function cutLines(lines: readonly (DiffLine | null)[]): (DiffLine | null)[] {
  return lines.map((line, index) => {
    if (line === null || line.text.length <= MAX_LENGTH) return line
    const other = lines[line.sign === '-' ? index + 1 : index - 1]
    const isPair = line.sign !== ' ' && other?.sign === (line.sign === '-' ? '+' : '-')
    const start = Math.max(
      0,
      (isPair ? measureCommonStart(line.text, other.text) : 0) - LEAD_LENGTH,
    )
    const end = start + MAX_LENGTH
    const text = line.text.slice(start, end)
    const isCut = end < line.text.length
    return {...line, text: `${start > 0 ? '…' : ''}${text}${isCut ? '…' : ''}`}
  })
}

function measureCommonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function compare(before: string[], after: string[]): DiffLine[] {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let tail = 0
  const maxTail = Math.min(before.length, after.length) - start
  while (tail < maxTail && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return [
    ...mark(' ', before.slice(0, start)),
    ...compareMiddle(
      before.slice(start, before.length - tail),
      after.slice(start, after.length - tail),
    ),
    ...mark(' ', before.slice(before.length - tail)),
  ]
}

function compareMiddle(before: string[], after: string[]): DiffLine[] {
  if (before.length * after.length > MAX_CELLS) return [...mark('-', before), ...mark('+', after)]
  const common = measureCommon(before, after)
  const lines: DiffLine[] = []
  let left = 0
  let right = 0
  while (left < before.length || right < after.length) {
    const old = before[left]
    const next = after[right]
    const isSame = left < before.length && right < after.length && old === next
    const goesFirst = (common[left + 1]?.[right] ?? -1) >= (common[left]?.[right + 1] ?? -1)
    if (isSame) {
      lines.push({sign: ' ', text: old ?? ''})
      left++
      right++
    } else if (left < before.length && (right >= after.length || goesFirst)) {
      lines.push({sign: '-', text: old ?? ''})
      left++
    } else {
      lines.push({sign: '+', text: next ?? ''})
      right++
    }
  }
  return lines
}

/** Lengths of the longest common subsequence from each pair of positions. */
function measureCommon(before: string[], after: string[]): Uint32Array[] {
  const rows = Array.from({length: before.length + 1}, () => new Uint32Array(after.length + 1))
  for (let left = before.length - 1; left >= 0; left--) {
    const row = rows[left]
    const below = rows[left + 1]
    if (row === undefined || below === undefined) break
    for (let right = after.length - 1; right >= 0; right--) {
      row[right] =
        before[left] === after[right]
          ? (below[right + 1] ?? 0) + 1
          : Math.max(below[right] ?? 0, row[right + 1] ?? 0)
    }
  }
  return rows
}

function mark(sign: DiffLine['sign'], lines: string[]): DiffLine[] {
  return lines.map((text) => ({sign, text}))
}
