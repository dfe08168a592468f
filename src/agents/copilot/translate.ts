import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import type {McpServerState} from '../../core/events/events.ts'
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
import {createTextDeduplicator} from './deduplicate-text.ts'
import {createSqlPlanReader} from './sql-plan.ts'
import {createTaskLog} from './tasks.ts'
import {readToolEnd, readToolStart} from './tools.ts'

/** Translates the output of Copilot. Only the last line has the id of the session. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const texts = createTextDeduplicator()
  const readSqlPlan = createSqlPlanReader()
  const tasks = createTaskLog()
  /** The calls of running sub-agents. */
  const calls = new Map<string, string>()
  /** The last failed request of each source. */
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
    const source = agentId ?? ''
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
        texts.clear(source)
        return []
      case 'assistant.message_delta':
      case 'assistant.message':
      case 'assistant.reasoning_delta':
      case 'assistant.reasoning':
        return readText(record, data, at)
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
        calls.delete(source)
        texts.clear(source)
        failures.delete(source)
        return tasks.endAgent(source, ok, at)
      }
      case 'system.notification':
        return tasks.readNotification(data, agentId, at)
      case 'model.call_failure':
        failures.set(source, data)
        return []
      case 'assistant.turn_retry': {
        const failure = failures.get(source)
        failures.delete(source)
        return [{...readRetry(data, failure), at}]
      }
      case 'session.error': {
        const message = textAt(data, 'message') ?? textAt(data, 'errorType') ?? 'error'
        if (agentId !== undefined) return reportStatus('warning', message, at)
        errors.push(message)
        return []
      }
      case 'session.warning':
        return reportStatus('warning', data['message'], at)
      case 'session.info':
        return REPEATED_NOTICES.has(data['infoType'])
          ? []
          : reportStatus('notice', data['message'], at)
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

  function readText(record: JsonObject, data: JsonObject, at: number | undefined): Draft[] {
    const agentId = textAt(record, 'agentId')
    const source = agentId ?? ''
    const parentToolId = parentOf(data, agentId)
    const context = {messageId: textAt(data, 'messageId'), parentToolId, at}
    const delta = textAt(data, 'deltaContent') ?? ''
    const content = textAt(data, 'content') ?? ''
    switch (record['type']) {
      case 'assistant.message_delta':
        return texts.addDelta(source, 'text', delta, context)
      case 'assistant.reasoning_delta':
        return texts.addDelta(source, 'thinking', delta, {parentToolId, at})
      case 'assistant.reasoning':
        return texts.addFull(source, 'thinking', content, {parentToolId, at})
      default: {
        if (parentToolId === undefined && agentId === undefined && content !== '')
          lastText = content
        const thinking = textAt(data, 'reasoningText') ?? ''
        return [
          ...texts.addFull(source, 'thinking', thinking, context),
          ...texts.addFull(source, 'text', content, context),
        ]
      }
    }
  }

  /** A shell may print after its tool has ended. */
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
      const items = readSqlPlan(textAt(tool.input, 'query') ?? '', output)
      if (items !== undefined) drafts.push({type: 'plan', items, at})
    }
    return [...drafts, ...tasks.readToolEnd(tool, {toolId, output, agentId, at})]
  }

  function interrupt(detail: string, at: number | undefined): Draft[] {
    if (isInterrupted) return []
    isInterrupted = true
    return reportStatus('interrupted', detail || 'interrupted', at)
  }

  function endTurn(result: JsonObject, at: number | undefined): Draft {
    const exitCode = numberAt(result, 'exitCode')
    // After an abort the exit code is 0 too.
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

/** Notices that repeat another event: created files, retries, signals. */
const REPEATED_NOTICES = new Set<unknown>(['file_created', 'model_retry', 'cancellation'])

function readRetry(data: JsonObject, failure: JsonObject | undefined): Draft {
  const status = numberAt(failure, 'statusCode')
  const error = parseText(textAt(failure, 'errorMessage') ?? '')
  const message =
    (isRecord(error) ? textAt(error, 'message') : toText(error)) || toText(data['reason'])
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
