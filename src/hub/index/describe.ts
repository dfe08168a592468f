import type {FileChangedEvent, RunMessage} from '../../core/protocol/server-message.ts'
import {isRecord, toText} from '../../core/wire/json.ts'

/** What is known of a message besides its JSON. */
export interface Facts {
  type: string
  /** When it was, in milliseconds since 1970; `undefined` when it does not say. */
  at?: number | undefined
  /** By which it is found; empty when it is not. */
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

/** So much of a text can be found. */
const MOST_SEARCHED = 2000

/** Tells what is known of a message by its JSON, of which nothing is known when it is no message. */
export function describe(json: string): Facts {
  const message = parse(json)
  if (message === undefined) return {type: '', text: ''}
  const {type, timestamp} = message
  const at = Date.parse(timestamp)
  const {text = '', ...facts} = describeMessage(message)
  return {
    type,
    at: Number.isNaN(at) ? undefined : at,
    text: String(text).slice(0, MOST_SEARCHED),
    ...facts,
  }
}

/** The index has what was encoded from messages, and nothing else comes to it. */
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

/** What is in an input, without the names of its fields. */
function wordsOf(input: Record<string, unknown> | undefined): string {
  const words: string[] = []
  let length = 0
  for (const value of Object.values(input ?? {})) {
    const text = toText(value).slice(0, MOST_SEARCHED - length)
    words.push(text)
    length += text.length
    if (length >= MOST_SEARCHED) break
  }
  return words.join(' ')
}
