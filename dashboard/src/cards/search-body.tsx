import {useMemo, useState} from 'react'
import common from '../ui/common.module.css'
import {formatCount, formatNumber} from '../ui/figures.ts'
import {Box, useMore} from '../ui/more.tsx'
import {cutAt} from './lines.ts'
import {readMatches, type FileMatches} from './read-matches.ts'
import {shortenName} from './readable.ts'
import {ResultBox} from './result-box.tsx'
import styles from './search-body.module.css'
import {ShowAll, TextBox} from './text-box.tsx'
import body from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const FIRST_FILES = 12
const MAX_TEXT = 1_000_000

/** The matches of a search: files, and how often in each. */
export function SearchBody(call: ToolCall) {
  const {output, outputLength, ok, onShowAll} = call
  const files = useMemo(() => readMatches(cutAt(output, MAX_TEXT)), [output])
  const {shown, button} = useMore(files?.length ?? 0, FIRST_FILES, 'files')
  if (ok === false || files === undefined) {
    if (ok === true && output.trim() === '') return <p className={body.note}>No matches reported</p>
    return <ResultBox {...call} />
  }
  return (
    <Box
      left={button}
      right={
        outputLength > output.length ? (
          <ShowAll length={outputLength} onShowAll={onShowAll} />
        ) : (
          describe(files)
        )
      }
    >
      <ul className={styles.files}>
        {files.slice(0, shown).map((file) => (
          <li key={file.path}>
            <Matches file={file} />
          </li>
        ))}
      </ul>
    </Box>
  )
}

function describe(files: FileMatches[]): string {
  const count = files.reduce((sum, file) => sum + (file.count ?? 0), 0)
  const where = formatCount(files.length, 'file')
  if (count === 0) return where
  return `${formatNumber(count)} ${count === 1 ? 'match' : 'matches'} in ${where}`
}

function Matches({file: {path, count, lines}}: {file: FileMatches}) {
  const [isOpen, setOpen] = useState(false)
  const head = (
    <>
      <code className={common.ellipsis}>{shortenName(path)}</code>
      {count !== undefined && <span className={styles.count}>{formatNumber(count)}</span>}
    </>
  )
  if (lines.length === 0) return <div className={styles.file}>{head}</div>
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.file}>{head}</summary>
      {isOpen && <TextBox text={lines.join('\n')} label={`Matches in ${shortenName(path)}`} />}
    </details>
  )
}
