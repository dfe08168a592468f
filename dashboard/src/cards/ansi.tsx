import type {ReactNode} from 'react'
import type {AnsiRun} from './ansi-line.ts'
import styles from './ansi.module.css'
import {cutAt, describeRest, MAX_COLUMNS} from './lines.ts'
import {Scroll} from './scroll.tsx'

/** Of longer output only the end is parsed: that is what a terminal would show. */
export const MAX_OUTPUT = 64_000

/** Parsed terminal lines. */
export function AnsiLines({lines, label = 'Output'}: {lines: AnsiRun[][]; label?: string}) {
  return (
    <Scroll className={styles.output} label={label}>
      <pre>
        {lines.map((runs, at) => (
          // Lines have no other identity than their index.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={at}>{showRuns(runs)}</div>
        ))}
      </pre>
    </Scroll>
  )
}

function showRuns(runs: AnsiRun[]): ReactNode {
  if (runs.length === 0) return '\n'
  const shown: ReactNode[] = []
  let room = MAX_COLUMNS
  for (const [at, {text, className}] of runs.slice(0, MAX_RUNS).entries()) {
    const part = cutAt(text, room)
    room -= part.length
    shown.push(className === '' ? part : showRun(part, className, at))
    if (room <= 0) break
  }
  const rest = runs.reduce((sum, {text}) => sum + text.length, room - MAX_COLUMNS)
  if (rest > 0) shown.push(describeRest(rest))
  return shown
}

function showRun(text: string, className: string, at: number) {
  return (
    <span key={at} className={className}>
      {text}
    </span>
  )
}

const MAX_RUNS = 500
