import type {ToolKind} from '../../core/events/events.ts'
import {parseText, textAt, toText} from '../../core/wire/json.ts'

/** The result of a tool as text, with placeholders for images. */
export function outputText(content: unknown, tool: ToolKind | undefined): string {
  // Output in parts is printed as JSON, but the output of a command or the content of a file may look the same.
  const isVerbatim = tool === 'Bash' || tool === 'Read' || tool === 'Grep'
  const parts =
    typeof content === 'string' && !isVerbatim && content.startsWith('[{')
      ? parseText(content)
      : content
  if (!Array.isArray(parts) || !parts.every((part) => textAt(part, 'type') !== undefined))
    return toText(content)
  return parts.map((part) => partText(part)).join('\n')
}

function partText(part: unknown): string {
  const kind = textAt(part, 'type') ?? ''
  return kind === 'text' ? (textAt(part, 'text') ?? '') : `[${kind.replace('_url', '')}]`
}
