import type {TranscriptSource} from '../../core/events/transcript.ts'
import {
  isRecord,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** Reads a session of a version before 0.5, which is a document with all messages, as the rows of newer versions. */
export function* readRecords({path, readText}: TranscriptSource): Generator<JsonObject> {
  const session = parseText(readText(path) ?? '')
  for (const message of objectsAt(session, 'messages')) {
    const {id: uuid, timestamp, content} = message
    const row = {uuid, sessionId: objectAt({session}, 'session')['sessionId'], timestamp}
    if (message['type'] === 'user') {
      yield {...row, type: 'user', message: {role: 'user', parts: toParts(content)}}
    } else if (message['type'] !== 'qwen') yield {...row, type: message['type']}
    else {
      const calls = objectsAt(message, 'toolCalls')
      const thoughts = objectsAt(message, 'thoughts').map(toThought)
      const parts = [...thoughts, ...toParts(content), ...calls.map(toCall)]
      const usageMetadata = toUsage(message['tokens'])
      const {model} = message
      yield {...row, type: 'assistant', model, message: {role: 'model', parts}, usageMetadata}
      for (const call of calls) yield toResult(row, call)
    }
  }
}

function toParts(content: unknown): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{text: content}]
  return Array.isArray(content) ? content.filter((part) => isRecord(part)) : []
}

function toThought(thought: JsonObject): JsonObject {
  const lines = [textAt(thought, 'subject'), textAt(thought, 'description')]
  return {text: lines.filter(Boolean).join('\n'), thought: true}
}

function toCall({id, name, args}: JsonObject): JsonObject {
  return {functionCall: {id, name, args}}
}

function toResult(row: JsonObject, call: JsonObject): JsonObject {
  const {id, name, status, result, resultDisplay, timestamp} = call
  const recorded = objectsAt(call, 'result').find((part) => isRecord(part['functionResponse']))
  const {response = {output: result}} = objectAt(recorded, 'functionResponse')
  return {
    ...row,
    // The message has the same id.
    uuid: `${String(row['uuid'])} ${String(id)}`,
    timestamp: timestamp ?? row['timestamp'],
    type: 'tool_result',
    message: {role: 'user', parts: [{functionResponse: {id, name, response}}]},
    toolCallResult: {callId: id, status, resultDisplay},
  }
}

function toUsage(tokens: unknown): JsonObject | undefined {
  if (!isRecord(tokens)) return undefined
  return {
    promptTokenCount: tokens['input'],
    candidatesTokenCount: tokens['output'],
    cachedContentTokenCount: tokens['cached'],
    thoughtsTokenCount: tokens['thoughts'],
    toolUsePromptTokenCount: tokens['tool'],
    totalTokenCount: tokens['total'],
  }
}
