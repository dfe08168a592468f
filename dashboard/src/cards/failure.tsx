import {Icon} from '../ui/icon.tsx'
import {cutAt} from './lines.ts'
import {escapeControlsMultiline} from './readable.ts'
import {TextBox} from './text-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const MAX_TEXT = 4000

/** Why a tool failed, if its output does not contain it. */
export function Failure({ok, error = '', output}: ToolCall) {
  const words = error.trim()
  if (ok !== false || words === '' || output.includes(words)) return null
  return (
    <p className={styles.failure}>
      <Icon name="fail" size={14} />
      <span>{escapeControlsMultiline(cutAt(words, MAX_TEXT))}</span>
    </p>
  )
}

/** Why a tool failed, and its output. */
export function FailureBox(call: ToolCall) {
  const {ok, output} = call
  return (
    <>
      <Failure {...call} />
      {ok === false && output !== '' && <TextBox text={output} label="Why it failed" isFailed />}
    </>
  )
}
