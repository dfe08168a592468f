import {isRecord, objectAt, textAt} from '../../../src/core/wire/json.ts'

/** A content block of a tool result. */
export type ContentBlock =
  | {kind: 'text'; text: string}
  | {kind: 'picture'; base64: string}
  | {kind: 'value'; value: unknown}

const MOST_BLOCKS = 50

/** The content blocks of a result in the format of MCP and the Messages API; undefined for other values. */
export function readContent(result: unknown): ContentBlock[] | undefined {
  const list = isRecord(result) ? result['content'] : result
  if (!Array.isArray(list) || !list.every((item) => textAt(item, 'type') !== undefined)) {
    return undefined
  }
  return list.slice(0, MOST_BLOCKS).map((item) => readBlock(item))
}

function readBlock(block: unknown): ContentBlock {
  const text = textAt(block, 'text')
  if (textAt(block, 'type') === 'text' && text !== undefined) return {kind: 'text', text}
  if (textAt(block, 'type') === 'image') {
    const source = objectAt(block, 'source')
    const base64 = textAt(block, 'data') ?? textAt(source, 'data')
    if (base64 !== undefined) return {kind: 'picture', base64}
  }
  return {kind: 'value', value: block}
}
