import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {isRecord, numberAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {
  isOwnThread,
  moveTo,
  promptOf,
  readRow,
  threadOf,
  type Position,
  type Row,
} from './transcript-rows.ts'
import {findMainThread, parentOf} from './transcript-parents.ts'
import {findTitle} from './transcript-title.ts'
import {callIdOf, isCall} from './transcript-tools.ts'
import {
  isCountedByTotal,
  readUsage,
  totalsOf,
  type RequestUsage,
  type UsageState,
} from './transcript-usage.ts'

/** The state of the scanner between two reads of a file. */
interface Memory extends Position, UsageState {
  /** Calls since the last request: they belong to the next one, unless requests are counted before their calls. */
  openCalls: number
  /** Whether the last row was a copy. */
  isCopy?: boolean | undefined
  /** Whether the prompt is one of the thread that was copied. */
  isPromptCopied?: boolean | undefined
  /** Whether there are rows for the start and end of turns, which versions of 2025 lack. */
  hasTurns?: boolean | undefined
}

/** Collects the facts of a file of Codex. */
export function createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner {
  const memory = restoreMemory(facts.memory)
  const requests = createRequestTable(facts)
  const totals = totalsOf(facts.requests.map(({key}) => key))
  /** Calls repeat close to each other, if at all. */
  const calls = new Set<string>()
  memory.threadId ??= threadOf(source.path)
  facts.memory = memory
  return {read}

  function read(record: JsonObject): void {
    const row = readRow(record)
    const isCopy = moveTo(memory, row, record)
    const usage = readUsage(memory, row, totals)
    if (row.at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? row.at, row.at)
    facts.startedAt = memory.startedAt ?? facts.startedAt ?? row.at
    facts.sessionId ??= memory.threadId
    // A call whose request was not copied belongs to no request of this thread.
    if (memory.isCopy === true && !isCopy) memory.openCalls = 0
    memory.isCopy = isCopy
    addCall(row)
    if (usage !== undefined) addRequest(usage, row, isCopy)
    readPrompt(row, isCopy)
    if (!isCopy) readOwnRow(row)
  }

  function readOwnRow({kind, payload}: Row): void {
    switch (kind) {
      case 'session_meta':
        return readThread(payload)
      case 'turn_context':
        facts.model = textAt(payload, 'model') ?? facts.model
        facts.cwd ??= textAt(payload, 'cwd')
        if (textAt(payload, 'turn_id') === undefined) memory.hasTurns = undefined
        return
      case 'event_msg/thread_name_updated':
        facts.title = textAt(payload, 'thread_name')?.trim() || facts.title
        return
      case 'event_msg/task_started':
      case 'event_msg/turn_started':
        memory.hasTurns = true
        facts.isTurnOver = false
        return
      case 'event_msg/task_complete':
      case 'event_msg/turn_complete':
      case 'event_msg/turn_aborted':
        facts.isTurnOver = true
    }
  }

  function readThread(payload: JsonObject): void {
    if (!isOwnThread(memory, payload)) return
    const parentId = parentOf(payload)
    facts.parentId = parentId
    facts.sessionId =
      textAt(payload, 'session_id') ?? findMainThread(source, payload) ?? memory.threadId
    if (parentId === undefined) {
      facts.forkedFrom = textAt(payload, 'forked_from_id')
      facts.title ??= findTitle(source, memory.threadId)
    }
    facts.cwd = textAt(payload, 'cwd') ?? facts.cwd
    facts.agentVersion = textAt(payload, 'cli_version')
  }

  /** A fork is listed by its own first prompt, if it has one. */
  function readPrompt(row: Row, isCopy: boolean): void {
    const prompt = promptOf(row)
    if (prompt === undefined) return
    if (!isCopy) facts.isTurnOver = false
    if (facts.prompt !== undefined && (isCopy || memory.isPromptCopied !== true)) return
    facts.prompt = cutText(prompt, MAX_PROMPT_LENGTH)
    memory.isPromptCopied = isCopy
  }

  /** Until the next request is counted, a call is one of the latest, so that none is lost when the agent is killed. */
  function addCall({kind, payload}: Row): void {
    const id = isCall({kind}) ? callIdOf(payload) : undefined
    if (id === undefined || calls.has(id)) return
    calls.add(id)
    if (memory.isCountedFirst !== true) memory.openCalls++
    const latest = facts.requests.at(-1)
    if (latest !== undefined) latest.toolCount++
    if (memory.hasTurns !== true) facts.isTurnOver = false
  }

  function addRequest(
    {key, tokens}: RequestUsage,
    {at = 0, kind, payload}: Row,
    isCopy: boolean,
  ): void {
    const turnId = textAt(payload, 'turn_id')
    if (kind === 'token_usage_record' && turnId !== undefined) dropTotals(key, turnId)
    const latest = facts.requests.at(-1)
    requests.add({
      key,
      at: (isCopy ? memory.turnStartedAt : undefined) ?? at,
      model: memory.model,
      tokens,
    })
    const added = facts.requests.at(-1)
    if (added === undefined || added === latest) return
    if (latest === undefined || memory.isCountedFirst !== true) {
      if (latest !== undefined) latest.toolCount -= Math.min(latest.toolCount, memory.openCalls)
      added.toolCount = memory.openCalls
    }
    memory.openCalls = 0
    if (memory.hasTurns !== true) facts.isTurnOver = added.toolCount === 0
  }

  /** Drops the requests of a turn that were counted by running totals, when the turn has a record of each. */
  function dropTotals(key: string, turnId: string): void {
    for (;;) {
      const latest = facts.requests.at(-1)
      if (latest === undefined || latest.key === key || !isCountedByTotal(latest.key, turnId))
        return
      facts.requests.pop()
      memory.openCalls = latest.toolCount
      const before = facts.requests.at(-1)
      if (before !== undefined) before.toolCount += latest.toolCount
    }
  }
}

function restoreMemory(memory: unknown): Memory {
  const saved = isRecord(memory) ? memory : {}
  const flag = (name: string) => saved[name] === true || undefined
  const {isCountedFirst} = saved
  return {
    threadId: textAt(saved, 'threadId'),
    originId: textAt(saved, 'originId'),
    startedAt: numberAt(saved, 'startedAt'),
    firstOrdinal: numberAt(saved, 'firstOrdinal'),
    copiedAt: numberAt(saved, 'copiedAt'),
    turnId: textAt(saved, 'turnId'),
    turnStartedAt: numberAt(saved, 'turnStartedAt'),
    model: textAt(saved, 'model'),
    lastTotal: textAt(saved, 'lastTotal'),
    recordTurnId: textAt(saved, 'recordTurnId'),
    recordUsage: textAt(saved, 'recordUsage'),
    hasAnswer: flag('hasAnswer'),
    isCountedFirst: typeof isCountedFirst === 'boolean' ? isCountedFirst : undefined,
    openCalls: numberAt(saved, 'openCalls') ?? 0,
    isCopy: flag('isCopy'),
    isPromptCopied: flag('isPromptCopied'),
    hasTurns: flag('hasTurns'),
  }
}
