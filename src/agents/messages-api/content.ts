import {isRecord, toText, type JsonObject} from '../../core/wire/json.ts'

/** The content blocks of a line: a list, a string, or a single block instead of the message. */
export function blocksOf(line: JsonObject): JsonObject[] {
  const {message} = line
  if (!isRecord(message)) return toBlocks(message)
  const {type, role} = message
  const isBlock = role === undefined && typeof type === 'string' && type !== 'message'
  return isBlock ? [message] : toBlocks(message['content'])
}

/** The result of a tool as text, with placeholders for images and documents. */
export function outputText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return partText(content)
  return content.length === 1 ? partText(content[0]) : content.map(partText).join('\n')
}

function toBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [textBlock(content)]
  if (!Array.isArray(content)) return isRecord(content) ? [content] : []
  // Fast path: nearly every list contains only blocks.
  if (content.every((part) => isRecord(part))) return content
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [textBlock(part)]
    return isRecord(part) ? [part] : []
  })
}

function textBlock(text: string): JsonObject {
  return {type: 'text', text}
}

function partText(part: unknown): string {
  if (!isRecord(part)) return toText(part)
  const {type, text} = part
  if (type === 'text') return toText(text)
  return type === 'image' || type === 'document' ? `[${type}]` : toText(part)
}
