import {encodeJson, isStateMessage, maskSecretsIn, toText, type RunMessage} from '../core/index.ts'
import type {LiveMessage} from './bus.ts'
import {createLazy} from './state-messages.ts'
import type {StoredMessage} from './store.ts'

/** A message as all others get it: without secrets, encoded once. */
export interface EncodedMessage extends LiveMessage {
  /** As the index keeps it; absent for what only holds now. */
  stored?: StoredMessage | undefined
}

/** Makes a message ready for those who watch and for the index. */
export function encodeMessage(message: RunMessage): EncodedMessage {
  const masked = maskSecretsIn(message)
  const {seq, type, timestamp} = masked
  const json = encodeJson(masked)
  const stored = isStateMessage(type)
    ? undefined
    : {seq, type, at: Date.parse(timestamp), json, ...describe(masked)}
  return Object.assign(
    createLazy(type, seq, () => json),
    {stored},
  )
}

/** What a message is found by. */
function describe(message: RunMessage): Partial<StoredMessage> {
  switch (message.type) {
    case 'agent_tool_call': {
      const {toolUseId, tool, name = tool, input} = message
      return {toolUseId, tool: name, text: `${name} ${wordsOf(input)}`}
    }
    case 'agent_tool_result': {
      const {toolUseId, success, durationMs, contentPreview: text} = message
      return {toolUseId, success, durationMs, text}
    }
    case 'agent_output':
      return {text: message.content}
    case 'file_changed': {
      const {path, action, sizeBytes} = message
      return {path, action, sizeBytes, text: path}
    }
    case 'permission_request':
      return {text: `${message.name} ${wordsOf(message.input)}`}
    case 'run_started':
      return {text: message.title}
    case 'run_ended':
      return {text: `${message.verdict} ${message.reason}`}
    case 'progress_update':
    case 'run_updated':
      return {}
    default:
      return message satisfies never
  }
}

/** So much of an input is searched. */
const MOST_SEARCHED = 2000

/** What is in an input, without the names of its fields. */
function wordsOf(input: Record<string, unknown>): string {
  const words: string[] = []
  let length = 0
  for (const value of Object.values(input)) {
    const text = toText(value).slice(0, MOST_SEARCHED - length)
    words.push(text)
    length += text.length
    if (length >= MOST_SEARCHED) break
  }
  return words.join(' ')
}
