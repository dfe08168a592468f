import type {Tokens} from '../../core/events/events.ts'
import type {TranscriptSource} from '../../core/events/transcript.ts'
import {
  isRecord,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {blocksOf} from '../messages-api/content.ts'
import {readTokens} from './usage.ts'

/** Reads the record about a session, the head of its document, and its messages. */
export function* readRecords(source: TranscriptSource): Generator<JsonObject> {
  const about = readAbout(source)
  if (about !== undefined) yield {...about, type: 'session'}
  const document = parseDocument(source.readText(source.path) ?? '')
  if (document === undefined) return
  const {messages: _messages, ...head} = document
  yield {...head, type: 'head'}
  for (const message of objectsAt(document, 'messages')) yield {...message, type: 'message'}
}

/** The time of a record. */
export function timeOf(record: JsonObject): number | undefined {
  return timeAt(record, record['type'] === 'session' ? 'started_at' : 'ts')
}

/** The prompt in a message; `undefined` if Cline wrote the message. */
export function promptOf(message: JsonObject): string | undefined {
  if (textAt(objectAt(message, 'metadata'), 'displayRole') !== undefined) return undefined
  if (blocksOf({message}).some(({type}) => type === 'tool_result')) return undefined
  const text = textOf(message)
  const command = /<user_command slash="([^"]+)"/.exec(text)?.[1]
  if (command !== undefined) return `/${command.replace(/^\//, '')}`
  const typed = /<user_input\b[^>]*>([^]*?)(?:<\/user_input>|$)/.exec(text)?.[1] ?? text
  const prompt = typed.replaceAll(/<mode_notice>[^]*?<\/mode_notice>/g, '').trim()
  return prompt === '' || prompt.startsWith('[TASK RESUMPTION]') ? undefined : prompt
}

/** The texts of a message. */
export function textOf(message: JsonObject): string {
  return blocksOf({message})
    .flatMap((block) => (block['type'] === 'text' ? (textAt(block, 'text') ?? []) : []))
    .join('\n')
}

/** The calls of an answer. */
export function callsOf(message: JsonObject): JsonObject[] {
  return blocksOf({message}).filter(({type}) => type === 'tool_use')
}

/** The tokens of an answer; `undefined` for a message of the program. */
export function tokensOf(message: JsonObject): Tokens | undefined {
  return isRecord(message['metrics']) ? readTokens(message['metrics']) : undefined
}

/** Whether a message shows an error, which is not part of the conversation. */
export function isError(message: JsonObject): boolean {
  return textAt(objectAt(message, 'metadata'), 'displayRole') === 'error'
}

function readAbout({file, readText}: TranscriptSource): JsonObject | undefined {
  const {sessionId, subAgentId} = file
  if (subAgentId !== undefined) return undefined
  const about = parseText(readText(`${sessionId}/${sessionId}.json`) ?? '')
  return isRecord(about) ? about : undefined
}

/** Parses a document, or the complete messages of one that is being written. */
function parseDocument(text: string): JsonObject | undefined {
  const document = parseText(text)
  if (isRecord(document)) return document
  const end = text.lastIndexOf(MESSAGE_END)
  if (end === -1) return undefined
  const part = parseText(`${text.slice(0, end)}${MESSAGE_END}]}`)
  return isRecord(part) ? part : undefined
}

/** Only messages have this indentation. */
const MESSAGE_END = '\n    }'
