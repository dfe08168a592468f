import type {Draft, Translator} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {firstLine} from '../../core/text/text.ts'
import {objectAt, objectsAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {createFileTable} from './transcript-files.ts'
import {agentOf, MAIN_AGENT, partsText, readRequest, readState, timeOf} from './transcript-rows.ts'
import {readStatus} from './transcript-status.ts'
import {createCallTable, endTool, startTool} from './transcript-tools.ts'
import {createTurnReader} from './transcript-turns.ts'

/** Translates the records of a session: those of the main agent and of its sub-agents. */
export function createTranslator({openTool, source}: TranscriptContext): Translator {
  const calls = createCallTable()
  const files = createFileTable()
  const turns = createTurnReader()
  const counted = new Set<string>()
  /** The models by their names in the configuration. */
  const models = new Map<string, string>()
  /** The call that started each sub-agent. */
  const parents = new Map<string, string>()
  /** The calls that wait for the user, by the id of the request. */
  const waiting = new Map<string, string>()
  let hasSession = false

  return {translate, end: turns.end}

  function translate(record: JsonObject): Draft[] {
    const drafts = [...startSession(), ...readRecord(record, agentOf(source()))]
    const at = timeOf(record)
    for (const draft of drafts) draft.at ??= at
    return drafts
  }

  function startSession(): Draft[] {
    if (hasSession) return []
    hasSession = true
    const sessionId = source().file.sessionId ?? ''
    return [{type: 'session-start', sessionId, cwd: readState(source()).cwd}]
  }

  function readRecord(record: JsonObject, agent: string): Draft[] {
    switch (record['type']) {
      case 'context.append_loop_event':
        return readEvent(objectAt(record, 'event'), agent, timeOf(record))
      case 'context.append_message':
        return readMessage(record, agent)
      case 'usage.record':
        return readUsage(record, agent)
      case 'llm.request':
        nameModel(record)
        return []
      case 'subagent.spawned':
        linkSubAgent(record, agent)
        return []
      case 'file_history.tracked':
        files.track(record)
        return []
      case 'interaction.request':
        return requestPermission(record, agent)
      case 'interaction.resolved':
        return resolvePermission(record)
      default:
        return agent === MAIN_AGENT ? turns.read(record) : readStatus(record)
    }
  }

  function readEvent(event: JsonObject, agent: string, at: number | undefined): Draft[] {
    const messageId = textAt(event, 'stepUuid')
    switch (event['type']) {
      case 'content.part':
        return readPart(objectAt(event, 'part'), agent, messageId)
      case 'tool.call':
        return startCall(event, agent, messageId)
      case 'tool.result': {
        const uuid = textAt(event, 'parentUuid')
        return endCall(uuid, textAt(event, 'toolCallId'), objectAt(event, 'result'), agent)
      }
      case 'step.end':
        if (agent === MAIN_AGENT) turns.endStep(event, at)
        return []
      default:
        return []
    }
  }

  function readPart(part: JsonObject, agent: string, messageId?: string): Draft[] {
    const parentToolId = parents.get(agent)
    const isThinking = part['type'] === 'think'
    const text = textAt(part, isThinking ? 'think' : 'text') ?? ''
    if (text === '') return []
    if (isThinking) return [{type: 'thinking', text, messageId, parentToolId}]
    if (agent === MAIN_AGENT) turns.addText(text)
    return [{type: 'text', text, messageId, parentToolId}]
  }

  function startCall(call: JsonObject, agent: string, messageId?: string): Draft[] {
    return startTool(calls.add(agent, call), call, {parentToolId: parents.get(agent), messageId})
  }

  function endCall(
    uuid: string | undefined,
    callId: string | undefined,
    result: JsonObject,
    agent: string,
  ): Draft[] {
    const toolId = calls.find(agent, uuid, callId)
    const isCancelled = agent === MAIN_AGENT && turns.isCancelled()
    const tool = toolId === undefined ? undefined : openTool(toolId)
    return files.correct(endTool(toolId, result, tool, isCancelled))
  }

  /** Messages repeat the events; only sessions of the older program were imported without events and times. */
  function readMessage(record: JsonObject, agent: string): Draft[] {
    const message = objectAt(record, 'message')
    const origin = objectAt(message, 'origin')
    if (origin['kind'] === 'shell_command' && origin['phase'] === 'input') {
      const command = firstLine(partsText(message['content']).replaceAll(/<\/?bash-input>/g, ''))
      return reportStatus('notice', `command: ${command}`)
    }
    if (timeOf(record) !== undefined) return []
    if (message['role'] === 'tool') {
      return endCall(undefined, textAt(message, 'toolCallId'), message, agent)
    }
    if (message['role'] !== 'assistant') return []
    return [
      ...objectsAt(message, 'content').flatMap((part) => readPart(part, agent)),
      ...objectsAt(message, 'toolCalls').flatMap((call) => startCall(call, agent)),
    ]
  }

  function readUsage(record: JsonObject, agent: string): Draft[] {
    const request = readRequest(record, agent)
    if (request === undefined || counted.has(request.key)) return []
    counted.add(request.key)
    const alias = textAt(record, 'model')
    const model = alias === undefined ? undefined : (models.get(alias) ?? alias)
    return [{type: 'usage', tokens: request.tokens, model}]
  }

  function nameModel(record: JsonObject): void {
    const model = textAt(record, 'model')
    if (model !== undefined) models.set(textAt(record, 'modelAlias') ?? model, model)
  }

  function linkSubAgent(record: JsonObject, agent: string): void {
    const subAgent = textAt(record, 'subagentId')
    const uuid = textAt(record, 'parentToolCallUuid')
    const toolId = calls.find(agent, uuid, textAt(record, 'parentToolCallId'))
    if (subAgent !== undefined && toolId !== undefined) parents.set(subAgent, toolId)
  }

  function requestPermission(record: JsonObject, agent: string): Draft[] {
    if (record['kind'] === 'user_tool') return []
    const requestId = textAt(record, 'id')
    const toolId = calls.find(agent, undefined, textAt(record, 'toolCallId'))
    if (requestId !== undefined && toolId !== undefined) waiting.set(requestId, toolId)
    const tool = toolId === undefined ? undefined : openTool(toolId)
    const request = objectAt(record, 'request')
    const name = tool?.name ?? textAt(request, 'toolName') ?? 'AskUserQuestion'
    const input = tool?.input ?? request['display'] ?? request
    return [{type: 'permission-request', requestId, toolId, name, input}]
  }

  /** An answered call continues. */
  function resolvePermission(record: JsonObject): Draft[] {
    const toolId = waiting.get(textAt(record, 'id') ?? '')
    return toolId === undefined ? [] : [{type: 'tool-update', toolId}]
  }
}
