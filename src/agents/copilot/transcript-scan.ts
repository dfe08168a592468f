import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {isRecord, objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {createMetricsReader} from './transcript-metrics.ts'
import {
  callsOf,
  isMain,
  originOf,
  promptOf,
  readUsage,
  startOf,
  type RequestUsage,
} from './transcript-rows.ts'
import {findTitle} from './transcript-title.ts'

/** Collects the facts of a session of Copilot, sub-agents included. */
export function createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner {
  const requests = createRequestTable(facts)
  const memory = restoreMemory(facts.memory)
  const metrics = createMetricsReader(memory.metrics)
  memory.metrics = metrics.state
  facts.memory = memory
  facts.sessionId = source.file.sessionId ?? facts.sessionId
  facts.title = findTitle(source) ?? facts.title
  return {read}

  function read(row: JsonObject): void {
    const data = objectAt(row, 'data')
    const at = timeAt(row, 'timestamp')
    memory.startedAt ??= startOf(row)
    facts.startedAt = memory.startedAt ?? facts.startedAt ?? at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    const isCopy = at !== undefined && at < (memory.startedAt ?? 0)
    const usage = readUsage(row)
    if (usage !== undefined) addRequest(row, usage)
    for (const request of metrics.read(row)) addRequest(row, request)
    if (row['type'] === 'assistant.message') addCalls(data)
    readPrompt(row, isCopy)
    if (!isCopy) readOwnRow(row, data)
  }

  function readOwnRow(row: JsonObject, data: JsonObject): void {
    facts.forkedFrom ??= originOf(row)
    switch (row['type']) {
      case 'session.start':
        facts.agentVersion = textAt(data, 'copilotVersion')
        facts.cwd ??= textAt(objectAt(data, 'context'), 'cwd')
        facts.model ??= textAt(data, 'selectedModel')
        return
      case 'session.title_changed':
        facts.title ??= textAt(data, 'title')
        return
      case 'session.model_change':
        if (isMain(row)) facts.model = textAt(data, 'newModel') ?? facts.model
        return
      case 'assistant.turn_start':
        if (isMain(row)) facts.isTurnOver = false
        if (isMain(row)) memory.step = 'started'
        return
      case 'assistant.message':
        if (!isMain(row) || memory.step === 'called') return
        memory.step = callsOf(data).length > 0 ? 'called' : 'answered'
        return
      case 'assistant.turn_end':
        if (isMain(row)) facts.isTurnOver = memory.step === 'answered'
        return
      case 'session.error':
      case 'abort':
        if (isMain(row)) facts.isTurnOver = true
        return
      case 'session.shutdown':
        facts.isTurnOver = true
    }
  }

  /** A fork is listed by its own first prompt, if it has one. */
  function readPrompt(row: JsonObject, isCopy: boolean): void {
    const prompt = promptOf(row)
    if (prompt === undefined) return
    facts.isTurnOver = false
    if (facts.prompt !== undefined && (isCopy || memory.isPromptCopied !== true)) return
    facts.prompt = cutText(prompt, MAX_PROMPT_LENGTH)
    memory.isPromptCopied = isCopy
  }

  function addRequest(row: JsonObject, {key, model, tokens}: RequestUsage): void {
    const isSubAgent = isMain(row) ? undefined : true
    const at = timeAt(row, 'timestamp') ?? facts.endedAt ?? 0
    requests.add({key, at, model: model ?? facts.model, tokens, isSubAgent}, memory.openCalls)
    memory.openCalls = []
    if (isSubAgent === undefined) facts.model = model ?? facts.model
  }

  function addCalls(data: JsonObject): void {
    const calls = callsOf(data)
    const key = textAt(data, 'apiCallId')
    const request = facts.requests.findLast((known) => known.key === key) ?? facts.requests.at(-1)
    if (request === undefined) memory.openCalls.push(...calls)
    else requests.addTools(request.key, calls)
  }
}

/** The state of the scanner between two reads of a file. */
interface Memory {
  startedAt?: number | undefined
  /** Calls before the first request. */
  openCalls: string[]
  /** The state of the last step: one without calls ends the turn. */
  step?: 'started' | 'answered' | 'called' | undefined
  /** Whether the prompt is one of the session that was copied. */
  isPromptCopied?: boolean | undefined
  /** The state of the reader of metrics. */
  metrics?: unknown
}

function restoreMemory(memory: unknown): Memory {
  const {startedAt, openCalls, step, isPromptCopied, metrics} = isRecord(memory) ? memory : {}
  return {
    startedAt: typeof startedAt === 'number' ? startedAt : undefined,
    openCalls: Array.isArray(openCalls) ? openCalls.filter((id) => typeof id === 'string') : [],
    step: step === 'started' || step === 'answered' || step === 'called' ? step : undefined,
    isPromptCopied: isPromptCopied === true,
    metrics,
  }
}
