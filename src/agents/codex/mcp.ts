import {isRecord, objectAt, textAt, toText} from '../../core/wire/json.ts'

/** The result of an MCP tool as text: its parts, or else its structured content. */
export function mcpText(result: unknown, structure: string): string {
  if (!isRecord(result)) return toText(result)
  const {content} = result
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  const text = parts.map(partText).join('\n')
  return text === '' ? toText(result[structure]) : text
}

function partText(part: unknown): string {
  if (!isRecord(part)) return toText(part)
  switch (part['type']) {
    case 'text':
      return toText(part['text'])
    case 'image':
    case 'audio':
      return `[${part['type']}]`
    case 'resource': {
      const resource = objectAt(part, 'resource')
      return textAt(resource, 'text') ?? textAt(resource, 'uri') ?? '[resource]'
    }
    case 'resource_link':
      return textAt(part, 'uri') ?? '[resource]'
    default:
      return toText(part)
  }
}
