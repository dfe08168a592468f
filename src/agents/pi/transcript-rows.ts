import type {Tokens} from '../../core/events/events.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** A request to the model, as the row with its answer has it. */
export interface AnsweredRequest {
  key: string
  tokens: Tokens
  costUsd: number | undefined
  model: string | undefined
}

/** The time of a row. */
export function timeOf(row: JsonObject): number | undefined {
  return timeAt(row, 'timestamp') ?? timeAt(row['message'], 'timestamp')
}

/** The request of an answer; `undefined` if it failed or was interrupted before the model reported usage. */
export function readRequest(row: JsonObject): AnsweredRequest | undefined {
  const message = objectAt(row, 'message')
  const usage = objectAt(message, 'usage')
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = COUNTS.map((name) =>
    Math.max(0, numberAt(usage, name) ?? 0),
  )
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  const cost = numberAt(usage['cost'], 'total') ?? 0
  const model = modelOf(message)
  // Some servers use ids again, and ids of rows are new when an old session is opened. A copy has the same time.
  const id =
    textAt(message, 'responseId') ?? [model, input, output, cacheRead, cacheWrite].join(',')
  return {
    key: `${id} ${timeOf(row) ?? textAt(row, 'id') ?? ''}`,
    tokens: {input, output, cacheRead, cacheWrite},
    costUsd: cost > 0 ? cost : undefined,
    model,
  }
}

const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite']

/** The model that answered. */
export function modelOf(message: JsonObject): string | undefined {
  return textAt(message, 'responseModel') ?? textAt(message, 'model')
}

/** The calls in an answer. One that failed or was interrupted runs none. */
export function callsOf(message: JsonObject): JsonObject[] {
  if (message['stopReason'] === 'error' || message['stopReason'] === 'aborted') return []
  return objectsAt(message, 'content').filter(({type}) => type === 'toolCall')
}

/** Whether the agent waits for a prompt after an answer. */
export function endsTurn(message: JsonObject): boolean {
  const reason = textAt(message, 'stopReason')
  return reason !== undefined && reason !== 'toolUse' && callsOf(message).length === 0
}

/** The text of a message, without images. */
export function messageText({content}: JsonObject): string {
  if (typeof content === 'string') return content
  return objectsAt({content}, 'content')
    .flatMap((block) => (block['type'] === 'text' ? (textAt(block, 'text') ?? []) : []))
    .join('\n')
}

/** A prompt as the user typed it: without the files and the skill that Pi puts before it. */
export function readPrompt(message: JsonObject): string {
  const text = messageText(message).trim()
  const typed = text.replace(INSERTED, '').trim()
  if (typed !== '') return typed
  const skill = /^<skill name="([^"]*)"/.exec(text)?.[1]
  return skill === undefined ? text : `/skill:${skill}`
}

const INSERTED = /^(?:<(file|skill) name="[^"]*"[^>]*>[^]*?<\/\1>\s*)+/

/** The id in the path of a session: `…/<time>_<id>.jsonl`. */
export function sessionIdOf(path: string): string | undefined {
  return /([^/\\_]+)\.jsonl$/.exec(path)?.[1]
}
