import {isRecord, toText, type JsonObject} from '../../core/index.ts'

/**
 * The content blocks of a line, whichever way its message has them: as a list, as a string, or as a
 * single block in place of the message.
 */
export function blocksOf(line: JsonObject): JsonObject[] {
  const {message} = line
  if (!isRecord(message)) return toBlocks(message)
  const {type} = message
  const isBlock = typeof type === 'string' && type !== 'message' && !('role' in message)
  return isBlock ? [message] : toBlocks(message['content'])
}

/** What a tool gave back, as text; pictures and documents by name only. */
export function outputText(content: unknown): string {
  if (typeof content === 'string') return content
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts.map(partText).join('\n')
}

function toBlocks(content: unknown): JsonObject[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part) => (typeof part === 'string' ? {type: 'text', text: part} : part))
    .filter((part) => isRecord(part))
}

function partText(part: unknown): string {
  if (!isRecord(part)) return toText(part)
  const {type, text} = part
  if (type === 'text') return toText(text)
  return type === 'image' || type === 'document' ? `[${type}]` : toText(part)
}
