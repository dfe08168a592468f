import {useMemo, type ReactNode} from 'react'
import type {CodeLine} from './code-lines.ts'
import styles from './code.module.css'
import {HIGHLIGHTERS} from './highlight.ts'
import {findLanguage} from './language.ts'
import {useLazy} from '../ui/lazy.ts'
import {cutLine, MAX_COLUMNS, splitLines} from './lines.ts'
import {Box, useMore} from '../ui/more.tsx'
import {escapeControlsMultiline, shortenName} from './readable.ts'
import {Scroll} from './scroll.tsx'

const FIRST_LINES = 12
const MAX_COLORED = 100_000

/** Highlighted code, with line numbers if they are known. */
export function Code({
  text,
  path,
  firstLine,
  foot,
}: {
  text: string
  path?: string | undefined
  firstLine?: number | undefined
  /** The text of the footer. */
  foot?: ReactNode
}) {
  const lines = useMemo(() => splitLines(text), [text])
  const {shown, button} = useMore(lines.length, FIRST_LINES)
  const code = useMemo(
    () => escapeControlsMultiline(lines.slice(0, shown).map(cutLine).join('\n')),
    [lines, shown],
  )
  const rows = useColored(code, path)
  const digits = firstLine === undefined ? 0 : String(firstLine + lines.length).length
  return (
    <Box left={button} right={foot}>
      <Scroll
        className={styles.code}
        label={path === undefined ? 'Code' : `Lines of ${shortenName(path)}`}
      >
        <pre>
          {rows.map((runs, at) => (
            // Lines have no other identity than their index.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at}>
              {firstLine !== undefined && (
                <span className={styles.lineNumber}>{String(firstLine + at).padStart(digits)}</span>
              )}
              {runs.length === 0 ? '\n' : runs.map(showRun)}
            </div>
          ))}
        </pre>
      </Scroll>
    </Box>
  )
}

function useColored(code: string, path = ''): CodeLine[] {
  const language = findLanguage(path)
  const isSmall = code.length <= MAX_COLORED && !LONG_LINE.test(code)
  const highlight = useLazy(language !== undefined && isSmall ? HIGHLIGHTERS[language] : undefined)
  return useMemo(
    () => highlight?.(code) ?? code.split('\n').map((text) => (text === '' ? [] : [{text}])),
    [code, highlight],
  )
}

/** Lines of the maximum length are not hand-written code. */
const LONG_LINE = new RegExp(`[^\\n]{${MAX_COLUMNS}}`)

function showRun({text, className}: CodeLine[number], at: number) {
  return className === undefined || className === '' ? (
    text
  ) : (
    <span key={at} className={className}>
      {text}
    </span>
  )
}
