import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {isRecord, objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {
  callsOf,
  endsTurn,
  modelOf,
  readPrompt,
  readRequest,
  sessionIdOf,
  timeOf,
} from './transcript-rows.ts'

/** Collects the facts of a session of Pi, in all branches of its tree. */
export function createScanner(facts: TranscriptFacts, {file}: TranscriptSource): Scanner {
  const requests = createRequestTable(facts)
  facts.sessionId ??= file.sessionId
  return {read}

  function read(row: JsonObject): void {
    const at = timeOf(row)
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    switch (row['type']) {
      case 'session':
        return readHeader(row)
      case 'message':
        return readMessage(row, objectAt(row, 'message'))
      case 'model_change':
        if (facts.requests.length === 0) facts.model = textAt(row, 'modelId') ?? facts.model
        return
      case 'session_info':
        facts.title = textAt(row, 'name')?.trim() || undefined
    }
  }

  /** Some versions wrote it twice. */
  function readHeader(row: JsonObject): void {
    if (isRecord(facts.memory)) return
    facts.memory = {hasHeader: true}
    facts.sessionId = textAt(row, 'id') ?? facts.sessionId
    facts.startedAt = timeAt(row, 'timestamp') ?? facts.startedAt
    facts.cwd = textAt(row, 'cwd') || undefined
    facts.model = textAt(row, 'modelId') ?? facts.model
    const origin = textAt(row, 'parentSession') ?? textAt(row, 'branchedFrom')
    if (origin !== undefined) facts.forkedFrom = sessionIdOf(origin)
  }

  function readMessage(row: JsonObject, message: JsonObject): void {
    switch (message['role']) {
      case 'user':
        facts.isTurnOver = false
        facts.prompt ??= cutText(readPrompt(message), MAX_PROMPT_LENGTH) || undefined
        return
      case 'toolResult':
        facts.isTurnOver = false
        return
      case 'assistant':
        facts.isTurnOver = endsTurn(message)
        facts.model = modelOf(message) ?? facts.model
        return readAnswer(row, message)
    }
  }

  function readAnswer(row: JsonObject, message: JsonObject): void {
    const request = readRequest(row)
    if (request === undefined) return
    const at = timeOf(row) ?? facts.endedAt ?? 0
    // Some servers use ids of calls again.
    const toolIds = callsOf(message).map((call) => `${request.key} ${textAt(call, 'id')}`)
    requests.add({...request, at}, toolIds)
  }
}
