import {useMemo, type ReactNode} from 'react'
import {formatBytes} from '../ui/figures.ts'
import styles from './ansi.module.css'
import {AnsiLines} from './ansi.tsx'
import {cutAt} from './lines.ts'
import {Box, MoreButton, useMore} from '../ui/more.tsx'
import {parseAnsi} from './parse-ansi.ts'

const FIRST_LINES = 12
const MAX_TEXT = 64_000

/** Text in a box: its first lines, and more on request. */
export function TextBox({
  text,
  length = text.length,
  label,
  isFailed,
  onShowAll,
}: {
  text: string
  /** Its complete length. */
  length?: number | undefined
  label: string
  isFailed?: boolean | undefined
  onShowAll?: (() => void) | undefined
}) {
  const lines = useMemo(() => parseAnsi(cutAt(text, MAX_TEXT)), [text])
  const {shown, button} = useMore(lines.length, FIRST_LINES)
  const isCut = length > Math.min(text.length, MAX_TEXT)
  return (
    <Box
      isFailed={isFailed}
      left={button}
      right={isCut && <ShowAll length={length} onShowAll={onShowAll} />}
    >
      <div className={styles.isWrapped}>
        <AnsiLines lines={lines.slice(0, shown)} label={label} />
      </div>
    </Box>
  )
}

/** A link to content that is too long for a card; only its length without a target. */
export function ShowAll({
  length,
  onShowAll,
}: {
  length: number
  onShowAll: (() => void) | undefined
}): ReactNode {
  if (onShowAll === undefined) return `cut, ${formatBytes(length)} in all`
  return <MoreButton onClick={onShowAll}>show all ({formatBytes(length)})</MoreButton>
}
