import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {
  isRecord,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {
  callsOf,
  eventOf,
  isOfSubAgent,
  promptOf,
  readAnswerTokens,
  readEventTokens,
  textOf,
} from './transcript-rows.ts'
import {eventNameOf} from './transcript-shapes.ts'

/** The state that the scanner needs to continue. */
interface Memory {
  /** The last calls that were counted: an answer has its calls, and each is reported again when it has ended. */
  calls: string[]
  /** Versions of the program that record their requests. */
  measured: string[]
  /** Requests that are known from answers alone, by their key, and the version. */
  estimates: Estimate[]
}

/** How many calls can run at the same time, with a margin. */
const MAX_CALLS = 200

interface Estimate {
  key: string
  version: string
}

/** Collects the facts of a file of Qwen Code. The requests of a sub-agent are in the file of its session. */
export function createScanner(facts: TranscriptFacts, {file}: TranscriptSource): Scanner {
  const isSubAgent = file.subAgentId !== undefined
  const requests = createRequestTable(facts)
  const memory = readMemory(facts.memory)
  facts.memory = memory
  const counted = new Set(memory.calls)
  facts.sessionId = file.sessionId ?? facts.sessionId
  if (isSubAgent) facts.parentId = file.sessionId
  return {read}

  function read(row: JsonObject): void {
    const at = timeAt(row, 'timestamp')
    facts.sessionId ??= textAt(row, 'sessionId')
    const {sessionId: origin} = objectAt(row, 'forkedFrom')
    if (typeof origin === 'string') facts.forkedFrom ??= origin
    else facts.startedAt ??= at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    facts.cwd ??= textAt(row, 'cwd')
    facts.agentVersion = textAt(row, 'version') || facts.agentVersion
    switch (row['type']) {
      case 'user':
        return readPrompt(row)
      case 'assistant':
        return readAnswer(row)
      case 'tool_result':
        // The turn of an interrupted tool is over.
        facts.isTurnOver = textAt(row['toolCallResult'], 'status') === 'cancelled'
        return
      case 'system':
        return readSystem(row)
    }
  }

  function readPrompt(row: JsonObject): void {
    facts.isTurnOver = false
    const prompt = isSubAgent ? undefined : promptOf(row)
    if (prompt !== undefined) facts.prompt ??= cutText(prompt, MAX_PROMPT_LENGTH)
  }

  function readAnswer(row: JsonObject): void {
    const calls = callsOf(row).map(({id}) => id)
    facts.isTurnOver = calls.length === 0 && textOf(row) !== ''
    facts.model = textAt(row, 'model') ?? facts.model
    if (isSubAgent || row['isSidechain'] === true) return
    addEstimate(row)
    const latest = facts.requests.findLast((request) => request.isSubAgent !== true)
    if (latest === undefined) return
    for (const id of calls) countCall(latest.key, id)
  }

  function readSystem(row: JsonObject): void {
    if (row['subtype'] === 'custom_title') {
      facts.title = textAt(row['systemPayload'], 'customTitle') || facts.title
    }
    if (isSubAgent || row['subtype'] !== 'ui_telemetry') return
    const event = eventOf(row)
    switch (eventNameOf(row)) {
      case 'api_response':
        return addRequest(row, event)
      case 'api_error':
        facts.isTurnOver = !isOfSubAgent(event)
        return
      case 'tool_call':
        return addCall(event)
    }
  }

  function addRequest(row: JsonObject, event: JsonObject): void {
    const key = textAt(event, 'response_id') || textAt(row, 'uuid')
    if (key === undefined) return
    const at = timeAt(event, 'event.timestamp') ?? timeAt(row, 'timestamp') ?? facts.endedAt ?? 0
    const model = textAt(event, 'model')
    const isSubAgentRequest = isOfSubAgent(event) || undefined
    const tokens = readEventTokens(event)
    requests.add({key, at, model, tokens, isSubAgent: isSubAgentRequest})
    const toolCount = dropEstimates(facts.agentVersion ?? '')
    const added = facts.requests.find((request) => request.key === key)
    if (added !== undefined) added.toolCount += toolCount
  }

  /** Answers of sub-agents are in other files, so that their calls are known only when they ended. */
  function addCall(event: JsonObject): void {
    const id = textAt(event, 'call_id')
    if (id !== undefined) countCall(textAt(event, 'response_id') ?? '', id)
  }

  function countCall(key: string, id: string): void {
    if (counted.has(id)) return
    counted.add(id)
    memory.calls = [...memory.calls, id].slice(-MAX_CALLS)
    requests.addTools(key, [id])
  }

  /** Counts the request of an answer, unless the version records its requests. */
  function addEstimate(row: JsonObject): void {
    const version = facts.agentVersion ?? ''
    const key = textAt(row, 'uuid')
    const tokens = readAnswerTokens(row)
    if (key === undefined || tokens === undefined || memory.measured.includes(version)) return
    const at = timeAt(row, 'timestamp') ?? facts.endedAt ?? 0
    requests.add({key, at, model: textAt(row, 'model'), tokens})
    memory.estimates.push({key, version})
  }

  /** Returns the number of tool calls of the dropped requests. */
  function dropEstimates(version: string): number {
    if (memory.measured.includes(version)) return 0
    memory.measured.push(version)
    const dropped = new Set(
      memory.estimates.flatMap((estimate) => (estimate.version === version ? estimate.key : [])),
    )
    memory.estimates = memory.estimates.filter(({key}) => !dropped.has(key))
    let toolCount = 0
    for (const [index, request] of [...facts.requests.entries()].toReversed()) {
      if (!dropped.has(request.key)) continue
      toolCount += request.toolCount
      facts.requests.splice(index, 1)
    }
    return toolCount
  }
}

function readMemory(memory: unknown): Memory {
  return {
    calls: textsAt(memory, 'calls'),
    measured: textsAt(memory, 'measured'),
    estimates: objectsAt(memory, 'estimates').map((estimate) => ({
      key: textAt(estimate, 'key') ?? '',
      version: textAt(estimate, 'version') ?? '',
    })),
  }
}

function textsAt(memory: unknown, name: string): string[] {
  const list: unknown = isRecord(memory) ? memory[name] : undefined
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}
