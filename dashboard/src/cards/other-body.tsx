import {isRecord} from '../../../src/core/wire/json.ts'
import {JsonTree} from './json-tree.tsx'
import {Box} from '../ui/more.tsx'
import {ResultBox} from './result-box.tsx'
import type {ToolCall} from './tool-call.ts'

/** An unknown tool: its input and its output. */
export function OtherBody(call: ToolCall) {
  return (
    <>
      {hasContent(call.input) && (
        <Box>
          <JsonTree value={call.input} />
        </Box>
      )}
      <ResultBox {...call} />
    </>
  )
}

/** Whether an input has anything to show. */
export function hasContent(input: unknown): boolean {
  if (isRecord(input)) return Object.keys(input).length > 0
  return input !== undefined && input !== null && input !== ''
}
