import {diffArrays} from 'diff'

/** A line that was kept, added or removed. */
export interface DiffLine {
  sign: ' ' | '+' | '-'
  text: string
}

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 2

/** Compares two texts by line; `null` stands for omitted unchanged lines. */
export function diffLines(before: string, after: string): (DiffLine | null)[] {
  const parts = diffArrays(splitLines(before), splitLines(after))
  return parts.flatMap(({added, removed, value}, index) => {
    if (added || removed) return mark(added ? '+' : '-', value)
    const head = index === 0 ? 0 : CONTEXT_LINES
    const tail = index === parts.length - 1 ? 0 : CONTEXT_LINES
    const lines: (DiffLine | null)[] = mark(' ', value)
    if (lines.length <= head + tail) return lines
    return lines.slice(0, head).concat(null, lines.slice(lines.length - tail))
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

function mark(sign: DiffLine['sign'], lines: string[]): DiffLine[] {
  return lines.map((text) => ({sign, text}))
}
