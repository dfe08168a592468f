import type {FileChangedEvent, RunMessage} from '../../core/protocol/server-message.ts'
import {isRecord, toText} from '../../core/wire/json.ts'

/** Searchable facts of a message. */
export interface Facts {
  type: string
  /** In milliseconds since 1970; `undefined` if the message has no time. */
  at?: number | undefined
  /** The searchable text; empty if there is none. */
  text: string
  use?:
    | {
        id: string
        tool?: string | undefined
        success?: boolean | undefined
        durationMs?: number | undefined
      }
    | undefined
  file?: Pick<FileChangedEvent, 'path' | 'action' | 'sizeBytes' | 'isUncertain'> | undefined
}

/** How many characters of a text are searchable. */
const MAX_SEARCHABLE_LENGTH = 2000

/** Extracts the searchable facts from the JSON of a message; none if it is not a message. */
export function describe(json: string): Facts {
  const message = parse(json)
  if (message === undefined) return {type: '', text: ''}
  const {type, timestamp} = message
  const at = Date.parse(timestamp)
  const {text = '', ...facts} = describeMessage(message)
  return {
    type,
    at: Number.isNaN(at) ? undefined : at,
    text: String(text).slice(0, MAX_SEARCHABLE_LENGTH),
    ...facts,
  }
}

/** The index contains only messages that the hub encoded. */
function parse(json: string): RunMessage | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? (value as unknown as RunMessage) : undefined
  } catch {
    return undefined
  }
}

function describeMessage(message: RunMessage): Partial<Facts> {
  switch (message.type) {
    case 'agent_tool_call': {
      const {toolUseId: id, tool, name = tool, input} = message
      return {use: {id, tool: name}, text: `${name} ${wordsOf(input)}`}
    }
    case 'agent_tool_result': {
      const {toolUseId: id, success, durationMs, contentPreview: text} = message
      return {use: {id, success, durationMs}, text}
    }
    case 'agent_output':
      return {text: message.content}
    case 'file_changed': {
      const {path, action, sizeBytes, isUncertain} = message
      return {file: {path, action, sizeBytes, isUncertain}, text: path}
    }
    case 'permission_request':
      return {text: `${message.name} ${wordsOf(message.input)}`}
    case 'run_started':
      return {text: message.title}
    case 'run_ended':
      return {text: `${message.verdict} ${message.reason}`}
    case 'agent_thinking':
    case 'progress_update':
    case 'run_updated':
      return {}
    default:
      message satisfies never
      return {}
  }
}

/** The values of an input, without field names. */
function wordsOf(input: Record<string, unknown> | undefined): string {
  const words: string[] = []
  let length = 0
  for (const value of Object.values(input ?? {})) {
    const text = toText(value).slice(0, MAX_SEARCHABLE_LENGTH - length)
    words.push(text)
    length += text.length
    if (length >= MAX_SEARCHABLE_LENGTH) break
  }
  return words.join(' ')
}
