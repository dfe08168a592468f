import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import type {McpServerState, StatusKind} from '../../core/events/events.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {createSpeechLog} from './deduplicate-text.ts'
import {createSqlPlan} from './sql-plan.ts'
import {createTaskLog} from './tasks.ts'
import {readToolEnd, readToolStart} from './tools.ts'

/** Reads what Copilot prints. Its session has no name before the last line. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const speech = createSpeechLog()
  const plan = createSqlPlan()
  const tasks = createTaskLog()
  /** The calls of the sub-agents that are at work. */
  const calls = new Map<string, string>()
  /** The last failure of each speaker's requests. */
  const failures = new Map<string, JsonObject>()
  let model: string | undefined
  let mcpServers: McpServerState[] | undefined
  let sessionId: string | undefined
  let lastText = ''
  let errors: string[] = []
  let isInterrupted = false

  return {
    translate,
    end: () => errors.map((detail): Draft => ({type: 'status', status: 'warning', detail})),
  }

  function translate(record: JsonObject): Draft[] {
    const data = objectAt(record, 'data')
    const at = timeAt(record, 'timestamp')
    const agentId = textAt(record, 'agentId')
    const speaker = agentId ?? ''
    switch (record['type']) {
      case 'session.start':
        return startSession(textAt(data, 'sessionId'), data, at)
      case 'session.tools_updated':
        model = textAt(data, 'model') ?? model
        return []
      case 'session.mcp_servers_loaded':
        mcpServers = objectsAt(data, 'servers').map((server) => ({
          name: textAt(server, 'name') ?? '',
          status: textAt(server, 'status'),
        }))
        return []
      case 'assistant.turn_start': {
        const call = textAt(data, 'parentToolCallId')
        if (agentId !== undefined && call !== undefined) calls.set(agentId, call)
        else isInterrupted = false
        return []
      }
      case 'model.call_start':
        speech.restart(speaker)
        return []
      case 'assistant.message_delta':
      case 'assistant.message':
      case 'assistant.reasoning_delta':
      case 'assistant.reasoning':
        return readSpeech(record, data, at)
      case 'tool.execution_start':
        return readToolStart(data, {parentToolId: parentOf(data, agentId), at})
      case 'tool.shell_output':
        return updateTool(data, data['text'], at)
      case 'tool.execution_progress':
        return updateTool(data, data['progressMessage'], at)
      case 'tool.execution_complete':
        return endTool(data, agentId, at)
      case 'subagent.started': {
        if (agentId === undefined) return []
        const call = textAt(data, 'toolCallId')
        if (call !== undefined) calls.set(agentId, call)
        return tasks.startAgent(agentId, data, at)
      }
      case 'subagent.completed':
      case 'subagent.failed': {
        const ok = record['type'] === 'subagent.completed' && data['cancelled'] !== true
        calls.delete(speaker)
        speech.restart(speaker)
        failures.delete(speaker)
        return tasks.endAgent(speaker, ok, at)
      }
      case 'system.notification':
        return tasks.readNotification(data, agentId, at)
      case 'model.call_failure':
        failures.set(speaker, data)
        return []
      case 'assistant.turn_retry': {
        const failure = failures.get(speaker)
        failures.delete(speaker)
        return [{...readRetry(data, failure), at}]
      }
      case 'session.error': {
        const message = textAt(data, 'message') ?? textAt(data, 'errorType') ?? 'error'
        if (agentId !== undefined) return tell('warning', message, at)
        errors.push(message)
        return []
      }
      case 'session.warning':
        return tell('warning', data['message'], at)
      case 'session.info':
        return TOLD_ELSEWHERE.has(data['infoType']) ? [] : tell('notice', data['message'], at)
      case 'session.compaction_start':
        return [{type: 'status', status: 'compacting', phase: 'start', detail: 'compacting', at}]
      case 'abort':
        return interrupt(toText(data['reason']), at)
      case 'assistant.idle':
      case 'session.idle':
        return data['aborted'] === true && agentId === undefined ? interrupt('', at) : []
      case 'agent.interrupted':
        return agentId === undefined ? interrupt(toText(data['activity']), at) : []
      case 'result':
        return [...startSession(textAt(record, 'sessionId'), {}, at), endTurn(record, at)]
      case 'workflow.result':
        return [readWorkflow(data)]
      default:
        return []
    }
  }

  function startSession(id: string | undefined, data: JsonObject, at?: number): Draft[] {
    if (id === undefined || id === sessionId) return []
    sessionId = id
    return [
      {
        type: 'session-start',
        sessionId: id,
        model: textAt(data, 'selectedModel') ?? model,
        cwd: textAt(data['context'], 'cwd'),
        mcpServers,
        agentVersion: textAt(data, 'copilotVersion'),
        at,
      },
    ]
  }

  function readSpeech(record: JsonObject, data: JsonObject, at: number | undefined): Draft[] {
    const agentId = textAt(record, 'agentId')
    const speaker = agentId ?? ''
    const parentToolId = parentOf(data, agentId)
    const about = {messageId: textAt(data, 'messageId'), parentToolId, at}
    const piece = textAt(data, 'deltaContent') ?? ''
    const content = textAt(data, 'content') ?? ''
    switch (record['type']) {
      case 'assistant.message_delta':
        return speech.piece(speaker, 'text', piece, about)
      case 'assistant.reasoning_delta':
        return speech.piece(speaker, 'thinking', piece, {parentToolId, at})
      case 'assistant.reasoning':
        return speech.whole(speaker, 'thinking', content, {parentToolId, at})
      default: {
        if (parentToolId === undefined && agentId === undefined && content !== '')
          lastText = content
        const thought = textAt(data, 'reasoningText') ?? ''
        return [
          ...speech.whole(speaker, 'thinking', thought, about),
          ...speech.whole(speaker, 'text', content, about),
        ]
      }
    }
  }

  /** Shells print on after their tool has ended. */
  function updateTool(data: JsonObject, text: unknown, at: number | undefined): Draft[] {
    const toolId = textAt(data, 'toolCallId')
    if (toolId === undefined || openTool(toolId) === undefined) return []
    return typeof text === 'string' ? [{type: 'tool-update', toolId, text, at}] : []
  }

  function endTool(data: JsonObject, agentId: string | undefined, at: number | undefined): Draft[] {
    const toolId = textAt(data, 'toolCallId')
    if (toolId === undefined) return [reportIncomplete('tool result without toolCallId')]
    const tool = openTool(toolId)
    const drafts = readToolEnd(toolId, data, tool, at)
    const end = drafts.find((draft) => draft.type === 'tool-end')
    if (end?.ok !== true) return drafts
    const {output} = end
    if (tool?.name === 'sql') {
      const items = plan.read(textAt(tool.input, 'query') ?? '', output)
      if (items !== undefined) drafts.push({type: 'plan', items, at})
    }
    return [...drafts, ...tasks.readToolEnd(tool, {toolId, output, agentId, at})]
  }

  function interrupt(detail: string, at: number | undefined): Draft[] {
    if (isInterrupted) return []
    isInterrupted = true
    return tell('interrupted', detail || 'interrupted', at)
  }

  function endTurn(result: JsonObject, at: number | undefined): Draft {
    const exitCode = numberAt(result, 'exitCode')
    // After an abort the exit code is 0 all the same.
    const ok = !isInterrupted && (exitCode === undefined ? errors.length === 0 : exitCode === 0)
    const blocker = textAt(result['blocker'], 'reason')
    const reasons = [
      ...errors,
      ...(blocker === undefined ? [] : [blocker]),
      ...(isInterrupted ? ['interrupted'] : []),
    ]
    const text = lastText
    lastText = ''
    errors = []
    return {
      type: 'turn-end',
      ok,
      text,
      errors: ok ? undefined : reasons.length > 0 ? reasons : [`exit code ${toText(exitCode)}`],
      durationMs: numberAt(result['usage'], 'sessionDurationMs'),
      reason: textAt(result, 'outcome'),
      at,
    }
  }

  function parentOf(data: JsonObject, agentId: string | undefined): string | undefined {
    const call = textAt(data, 'parentToolCallId')
    return call ?? (agentId === undefined ? undefined : calls.get(agentId))
  }
}

/** What has an event of its own: files that were made, requests that are tried again, signals. */
const TOLD_ELSEWHERE = new Set<unknown>(['file_created', 'model_retry', 'cancellation'])

function tell(status: StatusKind, text: unknown, at: number | undefined): Draft[] {
  const detail = toText(text)
  return detail === '' ? [] : [{type: 'status', status, detail, at}]
}

function readRetry(data: JsonObject, failure: JsonObject | undefined): Draft {
  const status = numberAt(failure, 'statusCode')
  const said = parseText(textAt(failure, 'errorMessage') ?? '')
  const message =
    (isRecord(said) ? textAt(said, 'message') : toText(said)) || toText(data['reason'])
  const attempt = numberAt(failure, 'retryAttempt')
  return {
    type: 'status',
    status: 'api-retry',
    detail: status === undefined ? message : `${message} (${status})`,
    attempt: attempt === undefined ? undefined : attempt + 1,
  }
}

function readWorkflow(data: JsonObject): Draft {
  const run = objectAt(data, 'run')
  const ok = run['status'] === 'completed'
  const failure = run['failure'] ?? run['error'] ?? run['status']
  return {
    type: 'turn-end',
    ok,
    subtype: textAt(run, 'status'),
    text: toText(run['result']),
    errors: ok ? undefined : [textAt(failure, 'message') || toText(failure) || 'failed'],
  }
}
