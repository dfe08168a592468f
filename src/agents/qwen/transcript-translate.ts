import type {Draft, Translator} from '../../core/events/adapter.ts'
import {reportPrompt, reportStatus} from '../../core/events/drafts.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {firstLine} from '../../core/text/text.ts'
import {
  numberAt,
  objectAt,
  parseText,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {toolKindOf} from './tools.ts'
import {
  callsOf,
  eventOf,
  isOfSubAgent,
  partsOf,
  promptOf,
  readAnswerTokens,
  readEventTokens,
  textOf,
  thinkingOf,
} from './transcript-rows.ts'
import {eventNameOf} from './transcript-shapes.ts'
import {endTool} from './transcript-tools.ts'

/** Translates the rows of a session of Qwen Code and of its sub-agents. */
export function createSessionTranslator({source, openTool}: TranscriptContext): Translator {
  const seen = new Set<string>()
  const responses = new Set<string>()
  /** The call that started each sub-agent. */
  const parents = new Map<string, string | undefined>()
  const agentCalls = new Set<string>()
  const durations = new Map<string, number>()
  /** Versions of the program that record their requests; answers repeat their usage. */
  const measured = new Set<string | undefined>()
  /** The usage of answers of other versions, until it is known that no request is recorded. */
  let estimates: {version: string | undefined; draft: Draft}[] = []
  /** The last failed request, which ends the turn unless another one follows. */
  let apiError: string | undefined
  let apiErrorAt: number | undefined
  let version: string | undefined

  return {translate, end: endTurn}

  function translate(row: JsonObject): Draft[] {
    const uuid = textAt(row, 'uuid')
    if (uuid !== undefined && seen.has(uuid)) return []
    if (uuid !== undefined) seen.add(uuid)
    const drafts = startSession(row)
    switch (row['type']) {
      case 'user':
        return [...drafts, ...readUser(row)]
      case 'assistant':
        return [...drafts, ...readAnswer(row)]
      case 'tool_result':
        return [...drafts, ...readResults(row)]
      case 'system':
        return [...drafts, ...readSystem(row)]
      default:
        return drafts
    }
  }

  /** A session can continue in another version of the program. */
  function startSession(row: JsonObject): Draft[] {
    const {file} = source()
    const agentVersion = textAt(row, 'version') || (version ?? '')
    if (file.subAgentId !== undefined || agentVersion === version) return []
    version = agentVersion
    const sessionId = file.sessionId ?? textAt(row, 'sessionId') ?? ''
    const cwd = textAt(row, 'cwd')
    const at = timeAt(row, 'timestamp')
    return [{type: 'session-start', sessionId, cwd, agentVersion: agentVersion || undefined, at}]
  }

  function readUser(row: JsonObject): Draft[] {
    const at = timeAt(row, 'timestamp')
    if (isSidechain(row)) return []
    const prompt = promptOf(row)
    if (prompt === undefined) return readNotice(row, at)
    return [...endTurn(), ...reportPrompt(prompt, at)]
  }

  /** Prompts of the program: of a schedule, of a background task, or of a goal. */
  function readNotice(row: JsonObject, at: number | undefined): Draft[] {
    const detail = firstLine(textAt(row['systemPayload'], 'displayText') ?? textOf(row))
    return reportStatus(row['subtype'] === 'cron' ? 'wake-up' : 'notice', detail, at)
  }

  function readAnswer(row: JsonObject): Draft[] {
    const at = timeAt(row, 'timestamp')
    const parentToolId = parentOf(row)
    const messageId = textAt(row, 'uuid')
    const context = {messageId, parentToolId, at}
    const drafts: Draft[] = []
    const thinking = thinkingOf(row)
    const text = textOf(row)
    const calls = callsOf(row)
    if (thinking !== '') drafts.push({type: 'thinking', text: thinking, ...context})
    if (text !== '') drafts.push({type: 'text', text, ...context})
    for (const {id, name, input} of calls) {
      const tool = toolKindOf(name)
      if (tool === 'Task') agentCalls.add(id)
      drafts.push({type: 'tool-start', toolId: id, name, tool, input, ...context})
    }
    if (isSidechain(row)) return drafts
    addEstimate(row, at)
    if (text !== '' && calls.length === 0) drafts.push({type: 'turn-end', ok: true, text, at})
    return drafts
  }

  function addEstimate(row: JsonObject, at: number | undefined): void {
    const tokens = readAnswerTokens(row)
    if (tokens === undefined || measured.has(version)) return
    const draft: Draft = {type: 'usage', tokens, model: textAt(row, 'model'), at}
    estimates.push({version, draft})
  }

  function readResults(row: JsonObject): Draft[] {
    const at = timeAt(row, 'timestamp')
    const result = objectAt(row, 'toolCallResult')
    const drafts: Draft[] = []
    for (const part of partsOf(row)) {
      const response = objectAt(part, 'functionResponse')
      const toolId = textAt(response, 'id')
      if (toolId === undefined) continue
      const ended = endTool({
        toolId,
        response: objectAt(response, 'response'),
        result,
        tool: openTool(toolId),
        durationMs: numberAt(result, 'durationMs') ?? durations.get(toolId),
        at,
      })
      if (ended !== undefined) drafts.push(...ended)
      else drafts.push(...reportStatus('interrupted', 'interrupted by the user', at))
    }
    return drafts
  }

  function readSystem(row: JsonObject): Draft[] {
    const at = timeAt(row, 'timestamp')
    const payload = objectAt(row, 'systemPayload')
    switch (row['subtype']) {
      case 'ui_telemetry':
        return readEvent(row, eventOf(row), at)
      case 'chat_compression': {
        const {originalTokenCount: before, newTokenCount: after} = objectAt(payload, 'info')
        const size = typeof before === 'number' ? `, ${before} to ${toText(after)} tokens` : ''
        return [
          {type: 'status', status: 'compacting', phase: 'end', detail: `compacted${size}`, at},
        ]
      }
      case 'slash_command':
        if (payload['phase'] !== 'invocation') return []
        return reportStatus('notice', textAt(payload, 'rawCommand') ?? '', at)
      case 'rewind':
        return reportStatus('notice', 'conversation rewound', at)
      default:
        return []
    }
  }

  function readEvent(row: JsonObject, event: JsonObject, at: number | undefined): Draft[] {
    switch (eventNameOf(row)) {
      case 'api_response':
        return readResponse(row, event, at)
      case 'api_error': {
        const detail =
          textAt(event, 'error_message') ?? textAt(event, 'error') ?? 'the request failed'
        if (isOfSubAgent(event)) return reportStatus('warning', detail, at)
        const drafts = reportRetry()
        apiError = detail
        apiErrorAt = at
        return drafts
      }
      case 'tool_call': {
        const toolId = textAt(event, 'call_id')
        const durationMs = numberAt(event, 'duration_ms')
        if (toolId !== undefined && durationMs !== undefined) durations.set(toolId, durationMs)
        return []
      }
      default:
        return []
    }
  }

  function readResponse(row: JsonObject, event: JsonObject, at: number | undefined): Draft[] {
    const drafts = isOfSubAgent(event) ? [] : reportRetry()
    measured.add(version)
    estimates = estimates.filter((estimate) => estimate.version !== version)
    const id = textAt(event, 'response_id') || textAt(row, 'uuid')
    if (id === undefined || responses.has(id)) return drafts
    responses.add(id)
    const tokens = readEventTokens(event)
    return [...drafts, {type: 'usage', tokens, model: textAt(event, 'model'), at}]
  }

  /** A failed request was repeated. */
  function reportRetry(): Draft[] {
    const drafts = apiError === undefined ? [] : reportStatus('api-retry', apiError, apiErrorAt)
    apiError = undefined
    return drafts
  }

  function endTurn(): Draft[] {
    const drafts = estimates.map(({draft}) => draft)
    estimates = []
    if (apiError === undefined) return drafts
    const errors = [apiError]
    apiError = undefined
    return [...drafts, {type: 'turn-end', ok: false, text: '', errors, at: apiErrorAt}]
  }

  function isSidechain(row: JsonObject): boolean {
    return source().file.subAgentId !== undefined || row['isSidechain'] === true
  }

  /** The call that started the sub-agent of a row, from the file about it, or from its id. */
  function parentOf(row: JsonObject): string | undefined {
    const {path, file, readText} = source()
    const agentId = file.subAgentId ?? textAt(row, 'agentId')
    if (agentId === undefined) return undefined
    if (!parents.has(agentId)) {
      const about = parseText(readText(path.replace(/\.jsonl$/, '.meta.json')) ?? '')
      const suffix = [...agentCalls].find((id) => agentId.endsWith(`-${id}`))
      parents.set(agentId, textAt(about, 'toolUseId') ?? suffix)
    }
    return parents.get(agentId)
  }
}
