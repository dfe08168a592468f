import {diffArrays} from 'diff'
import {splitLines} from './lines.ts'

/** A line of a diff, with its line number in each file as far as known. */
export interface DiffLine {
  kind: 'same' | 'add' | 'remove'
  text: string
  before?: number | undefined
  after?: number | undefined
}

/** A hunk; lines between two hunks did not change, or are unknown. */
export interface Hunk {
  lines: DiffLine[]
}

/** The first line number in each file. */
interface DiffStart {
  before: number
  after: number
}

/** The minimal diff takes changes times lines: beyond this a block is shown as replaced. */
const MAX_CHANGES = 600
const MAX_LINES = 20_000
const MAX_TIME_MS = 50

/** Diffs two texts into one list of kept, removed and added lines. */
export function diffLines(before: string, after: string, start?: DiffStart): DiffLine[] {
  const old = splitLines(before)
  const now = splitLines(after)
  const head = countSame(old, now, (list, at) => list[at])
  const limit = Math.min(old.length, now.length) - head
  const tail = Math.min(
    limit,
    countSame(old, now, (list, at) => list[list.length - 1 - at]),
  )
  const middle = diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  const lines = [
    ...toLines('same', old.slice(0, head)),
    ...middle,
    ...toLines('same', old.slice(old.length - tail)),
  ]
  if (start !== undefined) numberLines(lines, start)
  return lines
}

function countSame(
  old: string[],
  now: string[],
  pick: (list: string[], at: number) => string | undefined,
): number {
  const limit = Math.min(old.length, now.length)
  let count = 0
  while (count < limit && pick(old, count) === pick(now, count)) count++
  return count
}

function diffMiddle(old: string[], now: string[]): DiffLine[] {
  const isSmall = old.length + now.length <= MAX_LINES
  const parts =
    isSmall && old.length > 0 && now.length > 0
      ? diffArrays(old, now, {maxEditLength: MAX_CHANGES, timeout: MAX_TIME_MS})
      : undefined
  if (parts === undefined) return [...toLines('remove', old), ...toLines('add', now)]
  return parts.flatMap(({value, added, removed}) =>
    toLines(added ? 'add' : removed ? 'remove' : 'same', value),
  )
}

function toLines(kind: DiffLine['kind'], texts: string[]): DiffLine[] {
  return texts.map((text) => ({kind, text}))
}

function numberLines(lines: DiffLine[], start: DiffStart): void {
  let {before, after} = start
  for (const line of lines) {
    if (line.kind !== 'add') line.before = before++
    if (line.kind !== 'remove') line.after = after++
  }
}

/** Drops unchanged lines, except for some context. */
export function toHunks(lines: DiffLine[], context = 3): Hunk[] {
  const hunks: Hunk[] = []
  let end = 0
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'same') continue
    const last = hunks.at(-1)
    const part = lines.slice(Math.max(at - context, end), at + context + 1)
    if (last === undefined || at - context > end) hunks.push({lines: part})
    else last.lines.push(...part)
    end = at + context + 1
  }
  return hunks
}

/** Counts added and removed lines. */
export function countHunks(hunks: readonly Hunk[]): {added: number; removed: number} {
  let added = 0
  let removed = 0
  for (const {lines} of hunks) {
    for (const {kind} of lines) {
      if (kind === 'add') added++
      else if (kind === 'remove') removed++
    }
  }
  return {added, removed}
}
