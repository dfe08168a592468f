import {Icon} from '../ui/icon.tsx'
import {cutAt} from './lines.ts'
import {makeReadable} from './readable.ts'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const MOST_TEXT = 4000

/** Why a tool failed, if its output does not contain it. */
export function Failure({ok, error = '', output}: Pick<ToolCall, 'ok' | 'error' | 'output'>) {
  const words = error.trim()
  if (ok !== false || words === '' || output.includes(words)) return null
  return (
    <p className={styles.failure}>
      <Icon name="fail" size={14} />
      <span>{makeReadable(cutAt(words, MOST_TEXT).text)}</span>
    </p>
  )
}
