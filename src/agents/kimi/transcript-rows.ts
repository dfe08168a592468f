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

/** The agent of a session whose conversation is that of the user. */
export const MAIN_AGENT = 'main'

/** The agent whose records a transcript has. */
export function agentOf({file}: TranscriptSource): string {
  return file.subAgentId ?? MAIN_AGENT
}

/** The time of a record. */
export function timeOf(record: JsonObject): number | undefined {
  return timeAt(record, 'time') ?? timeAt(record, 'created_at')
}

/** A request in a `usage.record`, which repeats in no other record of this type. */
export interface RecordedRequest {
  key: string
  tokens: Tokens
}

/** Reads a `usage.record`; `undefined` if the model reported no usage. A copy in another session has the same key. */
export function readRequest(record: JsonObject, agent: string): RecordedRequest | undefined {
  const usage = objectAt(record, 'usage')
  const counts = COUNTS.map((name) => Math.max(0, numberAt(usage, name) ?? 0))
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = counts
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  return {
    key: [agent, timeOf(record) ?? '', ...counts].join(' '),
    tokens: {input, output, cacheRead, cacheWrite},
  }
}

const COUNTS = ['inputOther', 'output', 'inputCacheRead', 'inputCacheCreation']

/** The text that the user typed for a `turn.prompt` or `turn.steer`; empty if the program wrote it. */
export function readPrompt(record: JsonObject): string {
  const origin = objectAt(record, 'origin')
  const command = textAt(origin, 'skillName') ?? textAt(origin, 'commandName')
  if (command !== undefined && origin['trigger'] === 'user-slash') {
    const args = textAt(origin, 'skillArgs') ?? textAt(origin, 'commandArgs') ?? ''
    return `/${command} ${args}`.trim()
  }
  const kind = origin['kind'] ?? 'user'
  return kind === 'user' ? partsText(record['input']).trim() : ''
}

/** The text in the parts of a message. */
export function partsText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsAt({content}, 'content')
    .flatMap((part) => (part['type'] === 'text' ? (textAt(part, 'text') ?? []) : []))
    .join('\n')
}

/** Whether a record stops the current turn, and not one that waits. */
export function cancelsTurn(record: JsonObject): boolean {
  return record['type'] === 'turn.cancel' && record['target'] !== 'queued'
}

/** Facts about a session in its `state.json`. */
export interface SessionState {
  title?: string | undefined
  forkedFrom?: string | undefined
  cwd?: string | undefined
  createdAt?: number | undefined
}

/** Reads the file beside the agents of a session. */
export function readState({path, file, readText}: TranscriptSource): SessionState {
  const folder = path.replace(/\/agents\/[^/]*\/[^/]*$/, '')
  const state = parseText(readText(`${folder}/state.json`) ?? '')
  return {
    title: readTitle(state),
    forkedFrom: textAt(state, 'forkedFrom'),
    cwd: textAt(state, 'cwd') ?? findFolder(readText, file.sessionId),
    createdAt: timeAt(state, 'createdAt'),
  }
}

/** A title that is neither the first prompt nor the id of another session. */
function readTitle(state: unknown): string | undefined {
  if (!isRecord(state)) return undefined
  const {titleKind: kind, isCustomTitle} = state
  const isTitle = kind === 'generated' || kind === 'custom' || isCustomTitle === true
  return isTitle ? textAt(state, 'title')?.trim() || undefined : undefined
}

/** The folder of a session in the index of all sessions; older versions keep it nowhere else. */
function findFolder(
  readText: TranscriptSource['readText'],
  sessionId: string | undefined,
): string | undefined {
  if (sessionId === undefined) return undefined
  const index = readText('session_index.jsonl')
  const line = index?.split('\n').findLast((entry) => entry.includes(sessionId))
  return line === undefined ? undefined : textAt(parseText(line), 'workDir')
}
