import type {Tokens} from '../../core/events/events.ts'
import type {TranscriptSource} from '../../core/events/transcript.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** The time of a record: a header, a patch or a message. */
export function timeOf(record: JsonObject): number | undefined {
  return (
    timeAt(record, 'timestamp') ??
    timeAt(record, 'startTime') ??
    timeAt(record['$set'], 'lastUpdated')
  )
}

/** The messages inside a record: a patch replaces all of them, such as when a session is resumed. */
export function innerMessagesOf(record: JsonObject): JsonObject[] {
  return [...objectsAt(record, 'messages'), ...objectsAt(record['$set'], 'messages')]
}

/** The parts of a content: a list, a text, or a single part. */
export function partsOf(content: unknown): JsonObject[] {
  const list: unknown[] = Array.isArray(content) ? content : [content]
  return list.flatMap((part) => {
    if (typeof part === 'string') return [{text: part}]
    return isRecord(part) ? [part] : []
  })
}

/** The text of a message, without thoughts. */
export function textOf({content}: JsonObject): string {
  return partsOf(content)
    .flatMap((part) => (part['thought'] === true ? [] : (textAt(part, 'text') ?? [])))
    .join('')
}

/** The thoughts of an answer, which are in its content after a resume. */
export function thinkingOf({thoughts, content}: JsonObject): string {
  const summaries = objectsAt({thoughts}, 'thoughts').map((thought) =>
    [textAt(thought, 'subject'), textAt(thought, 'description')].filter(Boolean).join('\n'),
  )
  const parts = partsOf(content).flatMap((part) =>
    part['thought'] === true ? (textAt(part, 'text') ?? []) : [],
  )
  return (summaries.length > 0 ? summaries : parts).filter(Boolean).join('\n\n')
}

/** The prompt that the user typed; `undefined` for context, tool results and commands of the program. */
export function promptOf(message: JsonObject): string | undefined {
  const {type, content, displayContent} = message
  if (type !== 'user' || partsOf(content).some((part) => isRecord(part['functionResponse']))) {
    return undefined
  }
  // The content can include files that the prompt mentions.
  const shown = displayContent === undefined ? '' : textOf({content: displayContent}).trim()
  const text = shown === '' ? textOf(message).trim() : shown
  return text === '' || NOT_TYPED.test(text) ? undefined : text
}

const NOT_TYPED =
  /^(?:\/[a-z][\w:-]*(?:\s|$)|\?$|<(?:session_context|hook_context|state_snapshot)>|This is the Gemini CLI\. |Here is (?:the user's editor context|a summary of changes in the user's editor context)|(?:System: )?Please continue\.$)/

/** A tool call in an answer; only a call that has ended has a `status`. */
export interface Call {
  id: string
  name: string
  input: unknown
  /** The record of the ended call. */
  ended?: JsonObject | undefined
}

/** The tool calls of an answer, which has them as records once they ended, and in its content after a resume. */
export function callsOf(message: JsonObject): Call[] {
  const calls = new Map<string, Call>()
  for (const ended of objectsAt(message, 'toolCalls')) {
    const id = textAt(ended, 'id')
    if (id === undefined) continue
    calls.set(id, {id, name: textAt(ended, 'name') ?? '', input: ended['args'], ended})
  }
  for (const part of partsOf(message['content'])) {
    const call = objectAt(part, 'functionCall')
    const id = textAt(call, 'id')
    if (id === undefined || calls.has(id)) continue
    calls.set(id, {id, name: textAt(call, 'name') ?? '', input: call['args']})
  }
  return [...calls.values()]
}

/** Whether an answer consists of calls that still run: they are recorded when all of them have ended. */
export function hasUnrecordedCall(message: JsonObject): boolean {
  return message['content'] === '' && isRecord(message['tokens']) && callsOf(message).length === 0
}

/** The tokens of an answer. */
export function tokensOf({tokens}: JsonObject): Tokens | undefined {
  if (!isRecord(tokens)) return undefined
  const count = (name: string) => Math.max(0, numberAt(tokens, name) ?? 0)
  const reasoning = count('thoughts')
  const {cached = 0} = tokens
  const isSplit = typeof cached === 'number' && cached >= 0
  const read: Tokens = {
    // Without the part that was cached, the rest is unknown. Results of tools that the provider ran are not in the prompt.
    input: isSplit ? Math.max(0, count('input') - cached) + count('tool') : 0,
    output: count('output') + reasoning,
    cacheRead: count('cached'),
    cacheWrite: 0,
  }
  if (reasoning > 0) read.reasoning = reasoning
  return read
}

/** The working folder of a session, which only files beside it name. */
export function readProjectRoot({path, readText}: TranscriptSource): string | undefined {
  const [tmp = '', slug = ''] = path.split('/')
  const root = readText(`${tmp}/${slug}/.project_root`)?.trim()
  if (root !== undefined && root !== '') return root
  const projects = objectAt(parseText(readText('projects.json') ?? ''), 'projects')
  return Object.entries(projects).find(([, name]) => name === slug)?.[0]
}

/** The working folder in the context that the program sends first. */
export function findWorkspace(message: JsonObject): string | undefined {
  return message['type'] === 'user' ? WORKSPACE.exec(textOf(message))?.[1]?.trim() : undefined
}

const WORKSPACE = /^<session_context>[\s\S]{0,4000}?Workspace Directories:\*\*\n {2}- (.+)/
