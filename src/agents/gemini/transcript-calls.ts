import type {Draft} from '../../core/events/adapter.ts'
import {objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {toolKindOf} from './tools.ts'
import {callsOf, hasUnrecordedCall, partsOf, type Call} from './transcript-rows.ts'
import {endCall} from './transcript-tools.ts'

/** Where a message is. */
export interface Place {
  path: string
  /** Whether the message was added to the conversation, and not part of a patch, which repeats messages. */
  isRow: boolean
  /** The call that started the sub-agent. */
  parentToolId: string | undefined
}

/** Reads the tool calls of a session and of its sub-agents. */
export interface CallReader {
  /** Starts the call of a sub-agent whose messages come before it, and returns its events. */
  startAgent(agentId: string, message: JsonObject): Draft[]
  /** The call that started a sub-agent. */
  callOf(agentId: string): string | undefined
  /** The calls of an answer, which it has once they ended. */
  readAnswer(message: JsonObject, place: Place): Draft[]
  /** The results in a message, for calls that are not recorded otherwise. */
  readResults(message: JsonObject, place: Place): Draft[]
  /** Starts the calls of which only the answer is known: they ran when the program ended. */
  startUnrecorded(path: string): Draft[]
  /** Ends the calls of sub-agents, whose messages come after the calls. */
  endAgents(path: string): Draft[]
  end(): Draft[]
}

/** Creates a reader of the tool calls of a session. */
export function createCallReader(): CallReader {
  const started = new Set<string>()
  const ended = new Set<string>()
  /** The call of each sub-agent: the id of the sub-agent itself as long as its call is not recorded. */
  const agentCalls = new Map<string, string>()
  /** By the file of the call. */
  const heldEnds = new Map<string, Draft[]>()
  /** The last answer with calls that are not recorded yet, by file. */
  const unrecorded = new Map<string, {messageId: string; start: Draft}>()
  /** The answers with recorded calls. */
  const recorded = new Set<string>()

  return {
    startAgent,
    callOf: (agentId) => agentCalls.get(agentId),
    readAnswer,
    readResults,
    startUnrecorded,
    endAgents,
    end: () => [
      ...[...heldEnds.keys()].flatMap(endAgents),
      ...[...unrecorded.keys()].flatMap(startUnrecorded),
    ],
  }

  function startAgent(agentId: string, message: JsonObject): Draft[] {
    if (agentCalls.has(agentId)) return []
    agentCalls.set(agentId, agentId)
    // The answer before it consists of this call.
    unrecorded.clear()
    const prompt = partsOf(message['content']).map((part) => textAt(part, 'text') ?? '')
    const call = {id: agentId, name: 'invoke_agent', input: {prompt: prompt.join('')}}
    return start(call, timeAt(message, 'timestamp') ?? timeAt(message, 'startTime'))
  }

  function readAnswer(message: JsonObject, place: Place): Draft[] {
    const {path, isRow, parentToolId} = place
    const messageId = textAt(message, 'id') ?? ''
    const at = timeAt(message, 'timestamp')
    const calls = callsOf(message)
    const drafts = isRow ? readUnrecorded(message, messageId, calls.length > 0, place) : []
    for (const call of calls) drafts.push(...start(call, at, parentToolId, messageId))
    for (const call of calls) drafts.push(...finish(call, path))
    return drafts
  }

  /** Keeps an answer until its calls are recorded; returns the call of the answer before it, if that never was. */
  function readUnrecorded(
    message: JsonObject,
    messageId: string,
    hasCalls: boolean,
    {path, parentToolId}: Place,
  ): Draft[] {
    const isRepeated = unrecorded.get(path)?.messageId === messageId
    const drafts = isRepeated ? [] : startUnrecorded(path)
    if (hasCalls) {
      recorded.add(messageId)
      unrecorded.delete(path)
    } else if (!recorded.has(messageId) && hasUnrecordedCall(message)) {
      const call = {id: `${messageId} call`, name: '(not recorded)', input: undefined}
      const draft = toStart(call, timeAt(message, 'timestamp'), parentToolId, messageId)
      unrecorded.set(path, {messageId, start: draft})
    }
    return drafts
  }

  function readResults(message: JsonObject, {path, isRow, parentToolId}: Place): Draft[] {
    const drafts: Draft[] = []
    for (const part of partsOf(message['content'])) {
      const response = objectAt(part, 'functionResponse')
      const id = textAt(response, 'id')
      if (id === undefined || ended.has(id)) continue
      if (isRow) unrecorded.delete(path)
      const record = {timestamp: message['timestamp'], result: [part]}
      const name = textAt(response, 'name') ?? ''
      const call: Call = {id, name, input: undefined, ended: record}
      drafts.push(...start(call, timeAt(message, 'timestamp'), parentToolId))
      drafts.push(...finish(call, path))
    }
    return drafts
  }

  function start(
    call: Call,
    at: number | undefined,
    parentToolId?: string,
    messageId?: string,
  ): Draft[] {
    const agentId = textAt(call.ended, 'agentId')
    // The messages of the sub-agent have started the call.
    if (agentId !== undefined && agentCalls.get(agentId) === agentId) started.add(call.id)
    else if (agentId !== undefined) agentCalls.set(agentId, call.id)
    if (started.has(call.id)) return []
    started.add(call.id)
    return [toStart(call, at, parentToolId, messageId)]
  }

  function finish(call: Call, path: string): Draft[] {
    const {id, ended: record} = call
    if (record === undefined || ended.has(id)) return []
    ended.add(id)
    const agentId = textAt(record, 'agentId')
    const toolId = (agentId === undefined ? undefined : agentCalls.get(agentId)) ?? id
    const at = timeAt(record, 'timestamp')
    const drafts = endCall(toolId, call, record, at)
    if (drafts === undefined) {
      return [{type: 'status', status: 'interrupted', detail: 'interrupted by the user', at}]
    }
    if (agentId === undefined) return drafts
    heldEnds.set(path, [...(heldEnds.get(path) ?? []), ...drafts])
    return []
  }

  function startUnrecorded(path: string): Draft[] {
    const answer = unrecorded.get(path)
    unrecorded.delete(path)
    return answer === undefined ? [] : [answer.start]
  }

  function endAgents(path: string): Draft[] {
    const held = heldEnds.get(path)
    heldEnds.delete(path)
    return held ?? []
  }
}

function toStart(
  {id, name, input}: Call,
  at: number | undefined,
  parentToolId: string | undefined,
  messageId: string | undefined,
): Draft {
  const tool = toolKindOf(name)
  return {type: 'tool-start', toolId: id, name, tool, input, parentToolId, messageId, at}
}
