import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator, type TextKind} from '../../core/events/deduplicate-text.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import type {StatusKind} from '../../core/events/events.ts'
import {numberAt, objectAt, textAt, timeAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readToolEnd, toolKind} from './tools.ts'
import {readCost, readTokens} from './usage.ts'

/** Translates the output of Cline. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const texts = createTextDeduplicator()
  /** The running sub-agents: while there is one, events are from it. */
  const subagents = new Set<string>()
  /** The current request of each agent, which identifies the calls of one response. */
  const iterations = new Map<string, number | undefined>()
  let session: string | undefined
  let model: string | undefined
  /** Errors of this turn that were not reported yet. */
  let errors: string[] = []
  /** The errors of the last result. */
  let reportedErrors: string[] | undefined

  return {translate, end: endTurn}

  function translate(record: JsonObject): Draft[] {
    const at = timeAt(record, 'ts')
    switch (record['type']) {
      case 'run_start':
        model = textAt(record, 'modelId')
        return startSession(textAt(record, 'sessionId'), at)
      case 'hook_event':
        return startSession(textAt(record, 'taskId'), at)
      case 'agent_event':
        return readEvent(objectAt(record, 'event'), '', at)
      case 'team_event':
        return readTeamEvent(objectAt(record, 'event'), at)
      case 'run_result':
        return [...readModel(record, at), readResult(record, at)]
      case 'run_aborted':
        return reportStatus('interrupted', record['message'] ?? record['reason'], at)
      case 'error':
      case 'zen_error':
        return readError(toText(record['message']), at)
      case 'zen_dispatched':
        return reportStatus(
          'notice',
          `continues in the background: ${toText(record['sessionId'])}`,
          at,
        )
      default:
        return []
    }
  }

  /** Later ids are those of sub-agents. */
  function startSession(sessionId: string | undefined, at: number | undefined): Draft[] {
    if (session !== undefined || sessionId === undefined) return []
    session = sessionId
    return [{type: 'session-start', sessionId, model, at}]
  }

  /** Without `run_start` only the result names the model. */
  function readModel(result: JsonObject, at: number | undefined): Draft[] {
    const used = textAt(result['model'], 'id')
    if (session === undefined || model !== undefined || used === undefined) return []
    model = used
    return [{type: 'session-start', sessionId: session, model, at}]
  }

  function readEvent(event: JsonObject, source: string, at: number | undefined): Draft[] {
    switch (event['type']) {
      case 'iteration_start':
        texts.clear(source)
        iterations.set(source, numberAt(event, 'iteration'))
        return []
      case 'content_start':
        return event['contentType'] === 'tool'
          ? startTool(event, source, at)
          : readDelta(event, source, at)
      case 'content_update':
        return updateTool(event, at)
      case 'content_end':
        return event['contentType'] === 'tool'
          ? endTool(event, at)
          : readFullText(event, source, at)
      case 'usage':
        return [readUsage(event, at)]
      case 'notice':
        return reportStatus(noticeStatus(event), event['message'], at)
      case 'error': {
        const message = textAt(event['error'], 'message') ?? toText(event['error'])
        // An error that ends a sub-agent does not end the run.
        if (event['recoverable'] !== false || source !== '')
          return reportStatus('warning', message, at)
        errors.push(message)
        return []
      }
      default:
        return []
    }
  }

  function readDelta(event: JsonObject, source: string, at: number | undefined): Draft[] {
    const kind = textKindOf(event)
    if (kind === undefined) return []
    const text = textAt(event, FIELDS[kind]) ?? ''
    // A retried request starts from scratch.
    if (textAt(event, 'accumulated') === text) texts.startBlock(source, kind)
    return texts.addDelta(source, kind, text, {parentToolId: parentCall(), at})
  }

  function readFullText(event: JsonObject, source: string, at: number | undefined): Draft[] {
    const kind = textKindOf(event)
    if (kind === undefined) return []
    const text = textAt(event, FIELDS[kind]) ?? ''
    return texts.addFull(source, kind, text, {parentToolId: parentCall(), at})
  }

  function startTool(event: JsonObject, source: string, at: number | undefined): Draft[] {
    const toolId = textAt(event, 'toolCallId')
    if (toolId === undefined) return [reportIncomplete('tool call without toolCallId')]
    const name = textAt(event, 'toolName') ?? ''
    const tool = toolKind(name)
    const parentToolId = parentCall()
    if (tool === 'Task') subagents.add(toolId)
    const messageId = `${source} ${iterations.get(source)}`
    const {input} = event
    return [{type: 'tool-start', toolId, name, tool, input, parentToolId, messageId, at}]
  }

  function updateTool(event: JsonObject, at: number | undefined): Draft[] {
    const toolId = textAt(event, 'toolCallId')
    if (toolId === undefined || openTool(toolId) === undefined) return []
    const {update} = event
    const text = typeof update === 'string' ? update : (textAt(update, 'chunk') ?? '')
    return text === '' ? [] : [{type: 'tool-update', toolId, text, at}]
  }

  function endTool(event: JsonObject, at: number | undefined): Draft[] {
    const toolId = textAt(event, 'toolCallId')
    if (toolId === undefined) return [reportIncomplete('tool result without toolCallId')]
    subagents.delete(toolId)
    return readToolEnd(toolId, event, openTool(toolId), at)
  }

  function parentCall(): string | undefined {
    // Events do not name their sub-agent, so two at the same time are ambiguous.
    return subagents.size === 1 ? [...subagents][0] : undefined
  }

  function readTeamEvent(event: JsonObject, at: number | undefined): Draft[] {
    const run = objectAt(event, 'run')
    const taskId = textAt(run, 'id') ?? ''
    const description = textAt(run, 'message') ?? ''
    switch (event['type']) {
      case 'agent_event':
        return readEvent(objectAt(event, 'event'), textAt(event, 'agentId') ?? '', at)
      case 'run_started':
        return [{type: 'task-start', taskId, description, at}]
      case 'run_completed':
      case 'run_failed':
      case 'run_cancelled':
      case 'run_interrupted':
        return [{type: 'task-end', taskId, description, ok: event['type'] === 'run_completed', at}]
      default:
        return []
    }
  }

  function readResult(result: JsonObject, at: number | undefined): Draft {
    const subtype = textAt(result, 'finishReason')
    const ok = subtype === 'completed'
    const text = textAt(result, 'text') ?? ''
    const reasons = [...new Set(errors)]
    reportedErrors = reasons.length > 0 ? reasons : [text || subtype || 'no reason given']
    errors = []
    return {
      type: 'turn-end',
      ok,
      subtype,
      text,
      errors: ok ? undefined : reportedErrors,
      costUsd: readCost(result['aggregateUsage'] ?? result['usage'], 'totalCost'),
      durationMs: numberAt(result, 'durationMs'),
      turns: numberAt(result, 'iterations'),
      at,
    }
  }

  /** Cline repeats errors after its result; when it could not start, there is no result. */
  function readError(message: string, at: number | undefined): Draft[] {
    if (reportedErrors !== undefined)
      return reportedErrors.includes(message) ? [] : reportStatus('warning', message, at)
    errors.push(message)
    return []
  }

  function endTurn(): Draft[] {
    if (errors.length === 0) return []
    return [{type: 'turn-end', ok: false, text: '', errors: [...new Set(errors)]}]
  }
}

/** The field of each kind of text. */
const FIELDS = {text: 'text', thinking: 'reasoning'} as const

function textKindOf({contentType}: JsonObject): TextKind | undefined {
  if (contentType === 'reasoning') return 'thinking'
  return contentType === 'text' ? 'text' : undefined
}

function readUsage(event: JsonObject, at: number | undefined): Draft {
  return {type: 'usage', tokens: readTokens(event), costUsd: readCost(event, 'cost'), at}
}

function noticeStatus({reason, noticeType}: JsonObject): StatusKind {
  if (reason === 'api_error') return 'api-retry'
  if (typeof reason === 'string' && reason.includes('compaction')) return 'compacting'
  return noticeType === 'status' ? 'notice' : 'warning'
}
