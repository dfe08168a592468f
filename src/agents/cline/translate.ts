import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator, type TextKind} from '../../core/events/deduplicate-text.ts'
import type {StatusKind} from '../../core/events/events.ts'
import {numberAt, objectAt, textAt, timeAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readToolEnd, toolKind} from './tools.ts'

/** Reads what Cline prints. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const folder = createTextDeduplicator()
  /** The sub-agents that are waited for: while there is one, it is the one that speaks. */
  const subagents = new Set<string>()
  /** The request to the model that each agent is at: calls of one answer run one after the other. */
  const iterations = new Map<string, number | undefined>()
  let session: string | undefined
  let model: string | undefined
  /** What went wrong in this turn and is not told yet. */
  let errors: string[] = []
  /** What the last result told, once there is one. */
  let told: string[] | undefined

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
        return tell('interrupted', record['message'] ?? record['reason'], at)
      case 'error':
      case 'zen_error':
        return readError(toText(record['message']), at)
      case 'zen_dispatched':
        return tell('notice', `goes on in the background: ${toText(record['sessionId'])}`, at)
      default:
        return []
    }
  }

  /** Those who work for the agent have names of their own, later. */
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

  function readEvent(event: JsonObject, speaker: string, at: number | undefined): Draft[] {
    switch (event['type']) {
      case 'iteration_start':
        folder.clear(speaker)
        iterations.set(speaker, numberAt(event, 'iteration'))
        return []
      case 'content_start':
        return event['contentType'] === 'tool'
          ? startTool(event, speaker, at)
          : readPiece(event, speaker, at)
      case 'content_update':
        return updateTool(event, at)
      case 'content_end':
        return event['contentType'] === 'tool' ? endTool(event, at) : readWhole(event, speaker, at)
      case 'usage':
        return [readUsage(event, at)]
      case 'notice':
        return tell(noticeStatus(event), event['message'], at)
      case 'error': {
        const message = textAt(event['error'], 'message') ?? toText(event['error'])
        // What ends somebody who works for the agent does not end the agent.
        if (event['recoverable'] !== false || speaker !== '') return tell('warning', message, at)
        errors.push(message)
        return []
      }
      default:
        return []
    }
  }

  function readPiece(event: JsonObject, speaker: string, at: number | undefined): Draft[] {
    const speech = speechOf(event)
    if (speech === undefined) return []
    const text = textAt(event, FIELDS[speech]) ?? ''
    // A request that is tried again begins from nothing.
    if (textAt(event, 'accumulated') === text) folder.startBlock(speaker, speech)
    return folder.addDelta(speaker, speech, text, {parentToolId: parentCall(), at})
  }

  function readWhole(event: JsonObject, speaker: string, at: number | undefined): Draft[] {
    const speech = speechOf(event)
    if (speech === undefined) return []
    const text = textAt(event, FIELDS[speech]) ?? ''
    return folder.addFull(speaker, speech, text, {parentToolId: parentCall(), at})
  }

  function startTool(event: JsonObject, speaker: string, at: number | undefined): Draft[] {
    const toolId = textAt(event, 'toolCallId')
    if (toolId === undefined) return [reportIncomplete('tool call without toolCallId')]
    const name = textAt(event, 'toolName') ?? ''
    const tool = toolKind(name)
    const parentToolId = parentCall()
    if (tool === 'Task') subagents.add(toolId)
    const messageId = `${speaker} ${iterations.get(speaker)}`
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
    // Of two at the same time nothing tells which one speaks.
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
    told = reasons.length > 0 ? reasons : [text || subtype || 'no reason given']
    errors = []
    return {
      type: 'turn-end',
      ok,
      subtype,
      text,
      errors: ok ? undefined : told,
      costUsd: readCost(result['aggregateUsage'] ?? result['usage'], 'totalCost'),
      durationMs: numberAt(result, 'durationMs'),
      turns: numberAt(result, 'iterations'),
      at,
    }
  }

  /** Cline repeats after its result what went wrong; when it could not even start, that is all it says. */
  function readError(message: string, at: number | undefined): Draft[] {
    if (told !== undefined) return told.includes(message) ? [] : tell('warning', message, at)
    errors.push(message)
    return []
  }

  function endTurn(): Draft[] {
    if (errors.length === 0) return []
    return [{type: 'turn-end', ok: false, text: '', errors: [...new Set(errors)]}]
  }
}

/** Where each kind of speech has its text. */
const FIELDS = {text: 'text', thinking: 'reasoning'} as const

function speechOf({contentType}: JsonObject): TextKind | undefined {
  if (contentType === 'reasoning') return 'thinking'
  return contentType === 'text' ? 'text' : undefined
}

function readUsage(event: JsonObject, at: number | undefined): Draft {
  const cacheRead = numberAt(event, 'cacheReadTokens') ?? 0
  const cacheWrite = numberAt(event, 'cacheWriteTokens') ?? 0
  const tokens = {
    // Cline counts cached tokens as input, too.
    input: Math.max(0, (numberAt(event, 'inputTokens') ?? 0) - cacheRead - cacheWrite),
    output: numberAt(event, 'outputTokens') ?? 0,
    cacheRead,
    cacheWrite,
  }
  return {type: 'usage', tokens, costUsd: readCost(event, 'cost'), at}
}

/** Cline reports 0 for a model whose price it does not know. */
function readCost(usage: unknown, name: string): number | undefined {
  return numberAt(usage, name) || undefined
}

function noticeStatus({reason, noticeType}: JsonObject): StatusKind {
  if (reason === 'api_error') return 'api-retry'
  if (typeof reason === 'string' && reason.includes('compaction')) return 'compacting'
  return noticeType === 'status' ? 'notice' : 'warning'
}

function tell(status: StatusKind, text: unknown, at: number | undefined): Draft[] {
  const detail = toText(text)
  return detail === '' ? [] : [{type: 'status', status, detail, at}]
}
