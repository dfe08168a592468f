import {hasContent, OtherBody} from './other-body.tsx'
import {previewJson} from './preview-json.ts'
import {escapeControlsMultiline} from './readable.ts'
import {ResultBox} from './result-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const ONE_LINE = 120

/** A call of an MCP tool: its arguments on one line, or as a tree when they do not fit; and its result. */
export function McpBody(call: ToolCall) {
  const line = previewJson(call.input, ONE_LINE)
  const isShort = line.length < ONE_LINE && !line.includes('…')
  if (!hasContent(call.input) || !isShort) return <OtherBody {...call} />
  return (
    <>
      <p className={styles.arguments}>
        <code>{escapeControlsMultiline(line)}</code>
      </p>
      <ResultBox {...call} />
    </>
  )
}
