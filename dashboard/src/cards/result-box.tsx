import {useMemo} from 'react'
import {parseText} from '../../../src/core/wire/json.ts'
import {ContentBlocks} from './content-blocks.tsx'
import {Failure} from './failure.tsx'
import {JsonTree} from './json-tree.tsx'
import {Box} from '../ui/more.tsx'
import {readContent} from './read-content.ts'
import {TextBox} from './text-box.tsx'
import type {ToolCall} from './tool-call.ts'

const MOST_JSON = 1_000_000

/** The result of a tool: its content blocks, a tree for JSON, else text. */
export function ResultBox(call: ToolCall) {
  const {output, outputLength, ok, content, onShowAll} = call
  const value = useMemo(
    () => content ?? readJson(output, outputLength),
    [content, output, outputLength],
  )
  const blocks = useMemo(() => readContent(value), [value])
  return (
    <>
      <Failure {...call} />
      {blocks !== undefined ? (
        <ContentBlocks blocks={blocks} />
      ) : value !== undefined ? (
        <Box isFailed={ok === false}>
          <JsonTree value={value} />
        </Box>
      ) : (
        output !== '' && (
          <TextBox
            text={output}
            length={outputLength}
            label="Result"
            isFailed={ok === false}
            onShowAll={onShowAll}
          />
        )
      )}
    </>
  )
}

function readJson(output: string, length: number): unknown {
  const isWhole = output.length === length && length <= MOST_JSON
  if (!isWhole || !/^\s*[[{]/.test(output)) return undefined
  const value = parseText(output)
  return typeof value === 'object' ? value : undefined
}
