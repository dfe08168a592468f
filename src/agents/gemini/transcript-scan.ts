import type {Tokens} from '../../core/events/events.ts'
import {
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {isRecord, objectsAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {
  callsOf,
  findWorkspace,
  hasUnrecordedCall,
  innerMessagesOf,
  promptOf,
  readProjectRoot,
  textOf,
  timeOf,
  tokensOf,
} from './transcript-rows.ts'
import {kindOf} from './transcript-shapes.ts'

/** Collects the facts of a file of Gemini CLI. */
export function createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner {
  const {path, file} = source
  const isSubAgent = file.subAgentId !== undefined
  const requests = new Map(facts.requests.map((request) => [request.key, request]))
  facts.sessionId ??= file.sessionId ?? SHORT_ID.exec(path)?.[1]
  if (isSubAgent) facts.parentId = file.sessionId
  facts.cwd ??= readProjectRoot(source)
  return {read}

  function read(record: JsonObject): void {
    const at = timeOf(record)
    facts.startedAt ??= at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    const kind = kindOf(record)
    if (kind === 'header') readHeader(record)
    else if (kind === '$set') readDetails(record['$set'])
    else {
      facts.isTurnOver = isTurnOverAfter(record) ?? facts.isTurnOver
      readMessage(record)
    }
    for (const message of innerMessagesOf(record)) readMessage(message)
  }

  function readHeader(header: JsonObject): void {
    if (!isSubAgent) facts.sessionId = textAt(header, 'sessionId') ?? facts.sessionId
    // Older versions keep sub-agents beside their session.
    if (header['kind'] === 'subagent') facts.parentId ??= facts.sessionId
    readDetails(header)
  }

  function readDetails(details: unknown): void {
    if (!isSubAgent) facts.title = textAt(details, 'summary') || facts.title
    const folders = isRecord(details) ? details['directories'] : undefined
    const folder: unknown = Array.isArray(folders) ? folders[0] : undefined
    if (typeof folder === 'string') facts.cwd ??= folder
  }

  function readMessage(message: JsonObject): void {
    switch (message['type']) {
      case 'gemini':
        return readAnswer(message)
      case 'user': {
        facts.cwd ??= findWorkspace(message)
        if (facts.prompt !== undefined || isSubAgent) return
        const prompt = promptOf(message)
        if (prompt !== undefined) facts.prompt = cutText(prompt, MAX_PROMPT_LENGTH)
        return
      }
      case 'info':
        if (textAt(message, 'id')?.startsWith('import-') === true) {
          facts.forkedFrom ??= findOrigin(textOf(message), source)
        }
    }
  }

  /** An answer is repeated with its calls, which is why these are counted and not added. */
  function readAnswer(message: JsonObject): void {
    const key = textAt(message, 'id') || undefined
    if (key === undefined) return
    const model = textAt(message, 'model')
    facts.model = model ?? facts.model
    const tokens = tokensOf(message)
    const before = requests.get(key)
    const toolCount = callsOf(message).length || Number(hasUnrecordedCall(message))
    if (before !== undefined) {
      before.toolCount = Math.max(before.toolCount, toolCount)
      if (tokens !== undefined && isMore(tokens, before.tokens)) before.tokens = tokens
    } else if (tokens !== undefined) {
      const at = timeAt(message, 'timestamp') ?? facts.endedAt ?? 0
      const isOfSubAgent = isSubAgent || facts.parentId !== undefined || undefined
      const request = {key, at, model, tokens, toolCount, isSubAgent: isOfSubAgent}
      requests.set(key, request)
      facts.requests.push(request)
    }
  }
}

/** Whether tokens are more complete than others of the same answer. */
function isMore(tokens: Tokens, before: Tokens): boolean {
  if (tokens.output !== before.output) return tokens.output > before.output
  const prompt = tokens.input + tokens.cacheRead
  const promptBefore = before.input + before.cacheRead
  if (prompt !== promptBefore) return prompt > promptBefore
  return tokens.cacheRead > before.cacheRead
}

const SHORT_ID = /-([^-/]+)\.jsonl?$/

/** Whether the turn is over after a message; `undefined` if that does not depend on the message. */
function isTurnOverAfter(message: JsonObject): boolean | undefined {
  switch (message['type']) {
    case 'gemini': {
      // The user interrupted the turn.
      if (objectsAt(message, 'toolCalls').some(({status}) => status === 'cancelled')) return true
      return textOf(message) !== '' && callsOf(message).length === 0
    }
    case 'user':
      return promptOf(message) === undefined ? undefined : false
    case 'error':
      return true
    default:
      return undefined
  }
}

/** The session from which another one was imported, if its file is among the sessions. */
function findOrigin(text: string, {path, readText}: TranscriptSource): string | undefined {
  const name = IMPORTED.exec(text)?.[1]?.replaceAll('\\', '/') ?? ''
  const folder = path.slice(0, path.lastIndexOf('/'))
  const origin = STORED.exec(name)?.[0] ?? `${folder}/${name.slice(name.lastIndexOf('/') + 1)}`
  return SESSION_ID.exec(readText(origin)?.slice(0, 1000) ?? '')?.[1]
}

const IMPORTED = /^Imported session from (.+)$/
const STORED = /tmp\/[^/]+\/chats\/[^/]+$/
const SESSION_ID = /"sessionId":\s*"([^"]+)"/
