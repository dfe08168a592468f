import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {cutText} from '../../core/text/text.ts'
import {blocksOf, outputText} from '../messages-api/content.ts'
import {readTokens} from '../messages-api/translate.ts'
import {readHourWrites} from './prices.ts'
import {isMetadata, readAnswerLine, type Answer} from './transcript-lines.ts'
import {isInterruption, isPrompt} from './transcript-rows.ts'

/** Collects the facts of a file of Claude Code. */
export function createScanner(facts: TranscriptFacts, {file}: TranscriptSource): Scanner {
  const requests = createRequestTable(facts)
  const isSubAgent = file.subAgentId !== undefined
  /** Rows near the end are read after later ones. */
  let answeredAt = 0
  facts.sessionId = file.sessionId ?? facts.sessionId
  return {read, readLine}

  function read(row: JsonObject): void {
    const at = timeAt(row, 'timestamp')
    const origin = textAt(objectAt(row, 'forkedFrom'), 'sessionId')
    facts.forkedFrom ??= origin
    if (origin === undefined) readTime(at)
    facts.cwd ??= textAt(row, 'cwd')
    facts.agentVersion = textAt(row, 'version') ?? facts.agentVersion
    switch (row['type']) {
      case 'assistant':
        return readAnswer(row, at)
      case 'user':
        return readPrompt(row, at)
      case 'summary':
      case 'ai-title':
      case 'custom-title':
        facts.title = textAt(row, 'customTitle') ?? titleOf(row) ?? facts.title
    }
  }

  function readTime(at: number | undefined): void {
    // A copy of another session begins with a row of its own.
    facts.startedAt ??= at
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
  }

  function readLine(line: string): boolean {
    if (facts.startedAt !== undefined && isMetadata(line)) return true
    // The first row with a folder is parsed, and those of old files that do not name the session.
    if (facts.cwd === undefined || file.sessionId === undefined) return false
    const answer = readAnswerLine(line)
    if (answer === undefined) return false
    const at = timeAt(answer, 'timestamp')
    readTime(at)
    facts.agentVersion = answer.version
    facts.isTurnOver = answer.stopReason !== '"tool_use"'
    answeredAt = at ?? answeredAt
    addRequest(answer, at)
    return true
  }

  function readAnswer(row: JsonObject, at: number | undefined): void {
    // The first row of a sub-agent may name a session that was never used.
    if (file.sessionId === undefined) facts.sessionId = textAt(row, 'sessionId')
    const message = objectAt(row, 'message')
    const model = textAt(message, 'model')
    facts.isTurnOver = message['stop_reason'] !== 'tool_use'
    answeredAt = at ?? answeredAt
    const usage = objectAt(message, 'usage')
    const tokens = readTokens(message['usage'])
    if (tokens === undefined || model === undefined) return
    const toolIds = blocksOf(row).flatMap((block) =>
      block['type'] === 'tool_use' ? (textAt(block, 'id') ?? []) : [],
    )
    const key = `${textAt(message, 'id') ?? textAt(row, 'uuid')} ${textAt(row, 'requestId') ?? ''}`
    const isSidechain = row['isSidechain'] === true
    const [hourCacheWrite, speed] = [readHourWrites(usage), textAt(usage, 'speed')]
    addRequest({key, model, tokens, hourCacheWrite, speed, isSidechain, toolIds}, at, costOf(row))
  }

  function addRequest(
    answer: Omit<Answer, 'timestamp' | 'version' | 'stopReason'>,
    at = facts.endedAt ?? 0,
    costUsd?: number,
  ): void {
    const {key, model, tokens, hourCacheWrite, speed, isSidechain, toolIds} = answer
    // Messages of the program itself have no usage.
    if (model === SYNTHETIC) return
    if (!isSubAgent && !isSidechain) facts.model = model
    requests.add(
      {
        key,
        at,
        model,
        tokens,
        hourCacheWrite: hourCacheWrite || undefined,
        isFast: speed === 'fast' || undefined,
        isSubAgent: isSubAgent || isSidechain || undefined,
        costUsd,
      },
      toolIds,
    )
  }

  function readPrompt(row: JsonObject, at = 0): void {
    if (at >= answeredAt) facts.isTurnOver = isInterruption(row)
    if (facts.prompt !== undefined || isSubAgent || !isPrompt(row)) return
    const text = outputText(objectAt(row, 'message')['content']).trim()
    // Output of local commands and texts of the program are in tags.
    if (text !== '' && !text.startsWith('<')) facts.prompt = cutText(text, MAX_PROMPT_LENGTH)
  }
}

const SYNTHETIC = '<synthetic>'

/** Versions before 1.0.9 recorded the cost of each answer. */
function costOf(row: JsonObject): number | undefined {
  const {costUSD} = row
  return typeof costUSD === 'number' && costUSD > 0 ? costUSD : undefined
}

function titleOf(row: JsonObject): string | undefined {
  return textAt(row, 'aiTitle') ?? textAt(row, 'summary')
}
