import type {RunMessage} from '../../core/protocol/server-message.ts'
import {toText} from '../../core/wire/json.ts'

/** How many characters of a message are searchable. */
const MAX_LENGTH = 2000

/** The searchable text of a message; empty if there is none. */
export function toSearchText(message: RunMessage): string {
  return listTexts(message).join(' ').slice(0, MAX_LENGTH)
}

function listTexts(message: RunMessage): string[] {
  switch (message.type) {
    case 'agent_tool_call':
      return [message.name ?? message.tool, ...valuesOf(message.input)]
    case 'agent_tool_result':
      return [message.contentPreview]
    case 'agent_output':
      return [message.content]
    case 'file_changed':
      return [message.path]
    case 'permission_request':
      return [message.name, ...valuesOf(message.input)]
    case 'run_started':
      return [message.title]
    case 'run_ended':
      return [message.verdict, message.reason]
    case 'agent_thinking':
    case 'progress_update':
    case 'run_updated':
      return []
    default:
      message satisfies never
      return []
  }
}

/** The values of an input, without field names. */
function valuesOf(input: Record<string, unknown> | undefined): string[] {
  const values: string[] = []
  let length = 0
  for (const value of Object.values(input ?? {})) {
    if (length >= MAX_LENGTH) break
    const text = toText(value).slice(0, MAX_LENGTH)
    values.push(text)
    length += text.length
  }
  return values
}
