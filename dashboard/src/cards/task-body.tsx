import {textAt} from '../../../src/core/wire/json.ts'
import {FailureBox} from './failure.tsx'
import {Markdown} from './markdown.tsx'
import {OtherBody} from './other-body.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

/** A sub-agent: its prompt and its report. */
export function TaskBody(call: ToolCall) {
  const {input, output, ok} = call
  const prompt = textAt(input, 'prompt') ?? textAt(input, 'task') ?? textAt(input, 'message')
  if (prompt === undefined) return <OtherBody {...call} />
  return (
    <>
      <div className={styles.handover}>
        <h4>Task</h4>
        <Markdown text={prompt} />
      </div>
      <FailureBox {...call} />
      {output !== '' && ok !== false && (
        <div className={styles.handover}>
          <h4>Report</h4>
          <Markdown text={output} />
        </div>
      )}
    </>
  )
}
