import {JsonTree} from './json-tree.tsx'
import {Box} from '../ui/more.tsx'
import {hasContent} from './other-body.tsx'
import {previewJson} from './preview-json.ts'
import {makeReadable} from './readable.ts'
import {ResultBox} from './result-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const ONE_LINE = 120

/** A call of an MCP tool: its arguments on one line, or as a tree when they do not fit; and its result. */
export function McpBody(call: ToolCall) {
  const {input} = call
  const line = previewJson(input, ONE_LINE)
  return (
    <>
      {hasContent(input) &&
        (line.length < ONE_LINE && !line.includes('…') ? (
          <p className={styles.arguments}>
            <code>{makeReadable(line)}</code>
          </p>
        ) : (
          <Box>
            <JsonTree value={input} />
          </Box>
        ))}
      <ResultBox {...call} />
    </>
  )
}
