import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {callsOf, isError, promptOf, timeOf, tokensOf} from './transcript-rows.ts'
import {kindOf} from './transcript-shapes.ts'
import {readCost} from './usage.ts'

/** Collects the facts of a document of Cline. */
export function createScanner(facts: TranscriptFacts, {file}: TranscriptSource): Scanner {
  const requests = createRequestTable(facts)
  const isSubAgent: true | undefined = file.subAgentId === undefined ? undefined : true
  facts.sessionId = file.sessionId
  if (isSubAgent) facts.parentId = file.sessionId
  return {read}

  function read(record: JsonObject): void {
    const at = timeOf(record)
    facts.startedAt ??= at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    switch (kindOf(record)) {
      case 'session':
        return readSession(record)
      case 'head':
        facts.agentVersion ??= textAt(objectAt(record, 'origin'), 'version')
        return
      case 'message/user':
        return readPrompt(record)
      case 'message/assistant':
        return readAnswer(record, at)
    }
  }

  function readSession(session: JsonObject): void {
    const metadata = objectAt(session, 'metadata')
    facts.cwd = textAt(session, 'cwd')
    facts.model = textAt(session, 'model')
    facts.title = textAt(metadata, 'title')
    facts.agentVersion = textAt(objectAt(metadata, 'sessionHistoryOrigin'), 'version')
    facts.forkedFrom = textAt(objectAt(metadata, 'fork'), 'forkedFromSessionId')
  }

  function readPrompt(message: JsonObject): void {
    const prompt = promptOf(message)
    if (prompt === undefined) return
    facts.isTurnOver = false
    if (isSubAgent === undefined) facts.prompt ??= cutText(prompt, MAX_PROMPT_LENGTH)
  }

  function readAnswer(message: JsonObject, at: number = facts.endedAt ?? 0): void {
    const tokens = tokensOf(message)
    const ids = callsOf(message).map((call, index) => textAt(call, 'id') ?? `${at} ${index}`)
    facts.isTurnOver = ids.length === 0
    if (isError(message)) return
    const model = textAt(objectAt(message, 'modelInfo'), 'id')
    facts.model = model ?? facts.model
    // Older messages have no id.
    const key = textAt(message, 'id') ?? `${at} ${tokens?.input} ${tokens?.output}`
    const request = {key, at, model, isSubAgent}
    if (tokens !== undefined) {
      const costUsd = readCost(message['metrics'], 'cost')
      requests.add({...request, tokens, costUsd}, ids)
      return
    }
    // An answer without counts was interrupted.
    const last = facts.requests.at(-1)
    if (last !== undefined) requests.addTools(last.key, ids)
    else if (ids.length > 0) requests.add({...request, tokens: NO_TOKENS}, ids)
  }
}

const NO_TOKENS = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
