// Claude Code 2.0.77 and 2.1.325: the transcript of a session, one JSON object per row. 2026-11-18.
import type {Draft, Translator, TranslatorContext} from '../../core/events/adapter.ts'
import {reportPrompt} from '../../core/events/drafts.ts'
import {numberAt, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {blocksOf, outputText} from '../messages-api/content.ts'
import {createTaskPlanReader} from '../messages-api/task-plan.ts'
import {toolKindOf} from '../messages-api/tools.ts'
import {createMessagesTranslator} from '../messages-api/translate.ts'
import {createRequestUsage} from './request-usage.ts'
import {isPrompt, isRefusal} from './transcript-rows.ts'
import {describeResult} from './translate.ts'

/** Options of {@link createTranscriptTranslator}. */
export interface TranscriptOptions {
  /** The call that started a sub-agent: its own rows do not name it. */
  parentOf?: ((agentId: string) => string | undefined) | undefined
}

/** Translates the rows of a transcript, in the order of the file. */
export function createTranscriptTranslator(
  context: TranslatorContext,
  {parentOf = () => undefined}: TranscriptOptions = {},
): Translator {
  const readTaskPlan = createTaskPlanReader()
  const usage = createRequestUsage()
  const messages = createMessagesTranslator(context, {
    toolKind: toolKindOf,
    translateOther: () => [],
    describeResult(output, result) {
      const details = describeResult(output, result)
      details.changes?.push(...readTaskPlan(result))
      return details
    },
  })
  /** The end of a turn, which is final only when another row follows: a response has several rows. */
  let turnEnd: Draft | undefined
  let hasSession = false

  return {translate, end: endTurn, pendingUsage: usage.estimate}

  function translate(row: JsonObject): Draft[] {
    switch (row['type']) {
      case 'assistant':
        return [...startSession(row), ...readAnswer(row)]
      case 'user':
        return isPrompt(row) ? startTurn(row) : messages.translate(toLine(row))
      case 'system':
        return readSystem(row)
      default:
        return []
    }
  }

  function startSession(row: JsonObject): Draft[] {
    if (hasSession) return []
    hasSession = true
    return [describeSession(row)]
  }

  function startTurn(row: JsonObject): Draft[] {
    hasSession = true
    const prompt = outputText(objectAt(row, 'message')['content'])
    return [...endTurn(), describeSession(row), ...reportPrompt(prompt)]
  }

  function readAnswer(row: JsonObject): Draft[] {
    const drafts = [...usage.read(row), ...messages.translate(toLine(row))]
    const {stop_reason: reason} = objectAt(row, 'message')
    if (row['isSidechain'] === true) return drafts
    if (row['isApiErrorMessage'] === true) {
      const text = textOf(row)
      turnEnd = {type: 'turn-end', ok: false, subtype: textAt(row, 'error'), text, errors: [text]}
    } else if (typeof reason === 'string' && reason !== 'tool_use') {
      turnEnd = {type: 'turn-end', ok: true, text: textOf(row), reason}
    } else turnEnd = undefined
    return drafts
  }

  function endTurn(): Draft[] {
    const ended = turnEnd
    turnEnd = undefined
    return ended === undefined ? [] : [ended]
  }

  function readSystem(row: JsonObject): Draft[] {
    switch (row['subtype']) {
      case 'turn_duration':
        if (turnEnd?.type === 'turn-end') turnEnd.durationMs = numberAt(row, 'durationMs')
        return endTurn()
      case 'api_error':
        return [readRetry(row)]
      case 'compact_boundary': {
        const {trigger, preTokens} = objectAt(row, 'compactMetadata')
        const size = typeof preTokens === 'number' ? `${preTokens} tokens` : ''
        const detail = ['compacted', toText(trigger), size].filter(Boolean).join(', ')
        return [{type: 'status', status: 'compacting', phase: 'end', detail}]
      }
      case 'model_fallback': {
        const detail = toText(row['content'])
        const model = textAt(row, 'fallbackModel')
        return [{type: 'status', status: 'model-fallback', detail, model}]
      }
      case 'informational': {
        const detail = toText(row['content'])
        return detail === '' ? [] : [{type: 'status', status: 'notice', detail}]
      }
      default:
        return []
    }
  }

  /** Converts a row to a line of stdout, which contains the same message. */
  function toLine(row: JsonObject): JsonObject {
    const agentId = textAt(row, 'agentId')
    return {
      type: row['type'],
      message: row['message'],
      timestamp: row['timestamp'],
      parent_tool_use_id: agentId === undefined ? undefined : parentOf(agentId),
      tool_use_result: row['toolUseResult'],
      tool_result_meta: readDecisions(row),
    }
  }
}

function describeSession(row: JsonObject): Draft {
  return {
    type: 'session-start',
    sessionId: textAt(row, 'sessionId') ?? '',
    cwd: textAt(row, 'cwd'),
    agentVersion: textAt(row, 'version'),
    permissionMode: textAt(row, 'permissionMode'),
  }
}

/** The permission decisions about the calls with results in a row. */
function readDecisions(row: JsonObject): JsonObject[] {
  return blocksOf(row).flatMap((block) => {
    if (block['type'] !== 'tool_result') return []
    const decision = isRefusal(row, block) ? {decision: 'reject'} : row['permissionDecision']
    return [{id: block['tool_use_id'], permission_decision: decision}]
  })
}

function readRetry(row: JsonObject): Draft {
  const error = objectAt(row, 'error')
  return {
    type: 'status',
    status: 'api-retry',
    detail: textAt(error, 'formatted') ?? textAt(error, 'message') ?? 'no answer',
    attempt: numberAt(row, 'retryAttempt'),
    of: numberAt(row, 'maxRetries'),
    delayMs: numberAt(row, 'retryInMs'),
  }
}

function textOf(row: JsonObject): string {
  return blocksOf(row)
    .flatMap((block) => (block['type'] === 'text' ? [toText(block['text'])] : []))
    .join('\n')
}
