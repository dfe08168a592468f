import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {
  agentOf,
  cancelsTurn,
  MAIN_AGENT,
  readPrompt,
  readRequest,
  readState,
  timeOf,
} from './transcript-rows.ts'

/** The state that the scanner of a growing file needs to continue. */
interface Memory {
  /** The models by their names in the configuration. */
  models: Record<string, string>
  /** The request of the current step. */
  stepKey?: string | undefined
  /** The last request. */
  lastKey?: string | undefined
  /** Calls whose request was not recorded yet. */
  calls: string[]
}

/** Collects the facts of an agent of a session of Kimi Code. */
export function createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner {
  const agent = agentOf(source)
  const isMain = agent === MAIN_AGENT
  const requests = createRequestTable(facts)
  const memory: Memory = isMemory(facts.memory) ? facts.memory : {models: {}, calls: []}
  facts.memory = memory
  applyState()
  return {read}

  function applyState(): void {
    const state = readState(source)
    const {sessionId} = source.file
    facts.sessionId ??= sessionId
    facts.title = state.title
    facts.cwd ??= state.cwd
    if (!isMain) facts.parentId = sessionId
    if (state.forkedFrom === undefined) return
    facts.forkedFrom = state.forkedFrom
    // The records of a copy are older than the copy.
    facts.startedAt ??= state.createdAt
  }

  function read(record: JsonObject): void {
    const at = timeOf(record)
    facts.startedAt ??= at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    switch (record['type']) {
      case 'metadata':
        facts.agentVersion = textAt(record, 'app_version') ?? facts.agentVersion
        return
      case 'forked':
        facts.startedAt = at ?? facts.startedAt
        return
      case 'profile.bind':
      case 'config.update':
        facts.cwd ??= textAt(record['environmentDisclosure'], 'cwd') ?? textAt(record, 'cwd')
        return
      case 'turn.prompt':
      case 'turn.steer':
        return readTurn(record)
      case 'turn.cancel':
        if (cancelsTurn(record)) facts.isTurnOver = true
        return
      case 'turn.ended':
      case 'prompt.completed':
      case 'prompt.aborted':
        facts.isTurnOver = true
        return
      case 'llm.request':
        return readModel(record)
      case 'usage.record':
        return readUsage(record)
      case 'context.append_loop_event':
        return readStep(objectAt(record, 'event'))
    }
  }

  function readTurn(record: JsonObject): void {
    facts.isTurnOver = false
    if (isMain) facts.prompt ??= cutText(readPrompt(record), MAX_PROMPT_LENGTH) || undefined
  }

  function readModel(record: JsonObject): void {
    const model = textAt(record, 'model')
    if (model === undefined) return
    memory.models[textAt(record, 'modelAlias') ?? model] = model
    facts.model = model
  }

  function readUsage(record: JsonObject): void {
    const request = readRequest(record, agent)
    if (request === undefined) return
    const alias = textAt(record, 'model')
    const isNamed = alias !== undefined && Object.hasOwn(memory.models, alias)
    const model = isNamed ? memory.models[alias] : alias
    facts.model = model ?? facts.model
    requests.add({...request, at: timeOf(record) ?? facts.endedAt ?? 0, model}, memory.calls)
    memory.calls = []
    memory.stepKey = request.key
    memory.lastKey = request.key
  }

  function readStep(event: JsonObject): void {
    switch (event['type']) {
      case 'step.begin':
        facts.isTurnOver = false
        memory.stepKey = undefined
        return
      case 'tool.call': {
        const id = textAt(event, 'uuid') ?? textAt(event, 'toolCallId')
        if (id === undefined) return
        // Older versions record the request after its calls.
        if (memory.stepKey === undefined) memory.calls.push(id)
        else requests.addTools(memory.stepKey, [id])
        return
      }
      case 'step.end':
        facts.isTurnOver = event['finishReason'] === 'end_turn'
        if (memory.lastKey === undefined) return
        requests.addTools(memory.lastKey, memory.calls)
        memory.calls = []
    }
  }
}

function isMemory(value: unknown): value is Memory {
  return isRecord(value) && isRecord(value['models']) && Array.isArray(value['calls'])
}
