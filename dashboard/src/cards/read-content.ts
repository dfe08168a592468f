import {isRecord, objectAt, textAt} from '../../../src/core/wire/json.ts'

/** A block of the result of a tool. */
export type ContentBlock =
  | {kind: 'text'; text: string}
  | {kind: 'picture'; base64: string}
  | {kind: 'value'; value: unknown}

const MOST_BLOCKS = 50

/** The blocks of a result as MCP and the Messages API have them; undefined when it is nothing of that kind. */
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
