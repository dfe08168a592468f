import {useMemo, type CSSProperties} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {diffLines, toHunks, type DiffLine, type Hunk} from './diff-lines.ts'
import styles from './diff.module.css'
import {cutLine} from './lines.ts'
import {markWords, MAX_MARKED, type WordMark} from './mark-words.ts'
import {Box, useMore} from '../ui/more.tsx'
import {escapeControlsMultiline, shortenName} from './readable.ts'
import {Scroll} from './scroll.tsx'

const FIRST_LINES = 12

/** The changes of a text whose place in the file is unknown. */
export function Diff({before, after, path}: {before: string; after: string; path: string}) {
  const hunks = useMemo(() => toHunks(diffLines(before, after)), [before, after])
  if (hunks.length > 0) return <DiffView hunks={hunks} label={`Changes of ${shortenName(path)}`} />
  return (
    <p className={common.muted}>{before === after ? 'Empty file' : 'Only line endings differ'}</p>
  )
}

/** A unified diff in a box with changed words marked; the first lines, and more on request. */
export function DiffView({hunks, label}: {hunks: readonly Hunk[]; label: string}) {
  const total = useMemo(() => countRows(hunks), [hunks])
  const {shown, button} = useMore(total, FIRST_LINES)
  const rows = useMemo(() => toRows(hunks, shown), [hunks, shown])
  const digits = rows.reduce((max, {before = 0, after = 0}) => Math.max(max, before, after), 0)
  const style: CSSProperties & {'--gutter': string} = {
    '--gutter': `calc(${Math.max(3, String(digits).length)}ch + 14px)`,
  }
  return (
    <Box left={button}>
      <Scroll
        className={classNames(styles.diff, digits === 0 && styles.isUnnumbered)}
        label={label}
      >
        <div className={styles.lines} style={style}>
          {rows.map((row, at) => (
            // Lines have no other identity than their index.
            // oxlint-disable-next-line react/no-array-index-key
            <DiffRow key={at} row={row} />
          ))}
        </div>
      </Scroll>
    </Box>
  )
}

interface Row extends Omit<DiffLine, 'kind'> {
  kind: DiffLine['kind'] | 'head'
  /** The number of the old or the new line. */
  pair?: string | undefined
}

function countRows(hunks: readonly Hunk[]): number {
  const [first] = hunks
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length + 1, 0)
  return first !== undefined && headOf(first.lines) === '' ? lines - 1 : lines
}

/** At most the shown rows: a diff can have a million. */
function toRows(hunks: readonly Hunk[], limit: number): Row[] {
  const rows: Row[] = []
  for (const {lines} of hunks) {
    const head = headOf(lines)
    // The first hunk needs no header without line numbers.
    if (head !== '' || rows.length > 0) rows.push({kind: 'head', text: head || '…'})
    rows.push(...pairLines(lines, limit - rows.length))
    if (rows.length >= limit) break
  }
  return rows.slice(0, limit)
}

function headOf(lines: DiffLine[]): string {
  const before = lines.find((line) => line.before !== undefined)?.before
  const after = lines.find((line) => line.after !== undefined)?.after
  // A new file has additions only, so they are not marked.
  if (before === undefined) return ''
  const count = (side: 'before' | 'after') =>
    lines.reduce((sum, line) => (line[side] === undefined ? sum : sum + 1), 0)
  return `@@ −${before},${count('before')} +${after ?? 0},${count('after')} @@`
}

/** Pairs removed lines with the added lines that replace them, in order. */
function pairLines(lines: DiffLine[], limit: number): Row[] {
  const rows: Row[] = []
  let start = 0
  while (start < lines.length && rows.length < limit) {
    const removed = countKind(lines, start, 'remove')
    const added = countKind(lines, start + removed, 'add')
    const pairs = Math.min(removed, added)
    const end = start + Math.max(1, removed + added)
    for (const [at, line] of lines.slice(start, Math.min(end, start + limit)).entries()) {
      const other = at < removed ? at + removed : at - removed
      const isPaired = at < removed ? at < pairs : other < pairs
      rows.push(isPaired ? {...line, pair: lines[start + other]?.text} : line)
    }
    start = end
  }
  return rows
}

function countKind(lines: DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}

const SIGNS = {add: '+', remove: '−', same: ' ', head: ''} as const
const CLASSES = {add: styles.isAdded, remove: styles.isRemoved, same: undefined}

function DiffRow({row}: {row: Row}) {
  const {kind, text, pair, before, after} = row
  const words = useMemo(() => {
    if (pair === undefined || Math.max(text.length, pair.length) > MAX_MARKED) return undefined
    const now = escapeControlsMultiline(text)
    const other = escapeControlsMultiline(pair)
    return kind === 'remove' ? markWords(now, other)?.[0] : markWords(other, now)?.[1]
  }, [kind, text, pair])
  if (kind === 'head') return <div className={styles.hunkHead}>{text}</div>
  return (
    <div className={classNames(styles.line, CLASSES[kind])}>
      <span className={styles.lineNumber}>{before}</span>
      <span className={styles.lineNumber}>{after}</span>
      <i className={styles.sign}>{SIGNS[kind]}</i>
      <code>
        {words === undefined ? escapeControlsMultiline(cutLine(text)) : words.map(showWord)}
      </code>
    </div>
  )
}

function showWord({text, isMarked}: WordMark, at: number) {
  return isMarked ? <mark key={at}>{text}</mark> : text
}
