import {reportIncomplete, type Draft, type OpenTool} from '../../core/events/adapter.ts'
import {failTool, findToolKind} from '../../core/events/drafts.ts'
import {numberAt, objectAt, parseText, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readFailure} from './failure.ts'
import {outputText} from './tool-output.ts'
import {readEffects, TOOLS} from './translate.ts'

/** The calls of a session. Their ids are unique within an agent, but not within a session. */
export interface CallTable {
  /** The id of the tool of a new or known call. */
  add(agent: string, call: JsonObject): string | undefined
  /** The id of the tool of a result, or of any record that names a call in the same way. */
  find(agent: string, uuid: string | undefined, callId: string | undefined): string | undefined
}

/** Creates the table of the calls of a session. */
export function createCallTable(): CallTable {
  const toolIds = new Map<string, string>()
  const taken = new Set<string>()
  return {
    add(agent, call) {
      const callId = textAt(call, 'toolCallId') ?? textAt(call, 'id')
      const uuid = textAt(call, 'uuid') ?? callId
      if (uuid === undefined || callId === undefined) return undefined
      const key = `${agent} ${uuid}`
      const toolId = toolIds.get(key) ?? (taken.has(callId) ? key : callId)
      taken.add(toolId)
      toolIds.set(key, toolId)
      toolIds.set(`${agent} ${callId}`, toolId)
      return toolId
    },
    find: (agent, uuid, callId) =>
      toolIds.get(`${agent} ${uuid}`) ?? toolIds.get(`${agent} ${callId}`) ?? callId,
  }
}

/** Where a call is from. */
export interface CallContext {
  parentToolId: string | undefined
  messageId: string | undefined
}

/** Reads the start of a tool. */
export function startTool(
  toolId: string | undefined,
  call: JsonObject,
  {parentToolId, messageId}: CallContext,
): Draft[] {
  if (toolId === undefined) return [reportIncomplete('tool call without id')]
  const name = textAt(call, 'name') ?? textAt(call['function'], 'name') ?? ''
  const tool = findToolKind(TOOLS, name)
  const args = call['args'] ?? call['arguments'] ?? objectAt(call, 'function')['arguments']
  const input = typeof args === 'string' ? parseText(args) : args
  return [{type: 'tool-start', toolId, name, tool, input, parentToolId, messageId}]
}

/** Reads the result of a tool. A call that was interrupted stays open, so that it is unfinished. */
export function endTool(
  toolId: string | undefined,
  result: JsonObject,
  tool: OpenTool | undefined,
  isCancelled: boolean,
): Draft[] {
  if (toolId === undefined) return [reportIncomplete('tool result without toolCallId')]
  const output = outputText(result['output'] ?? result['content'], tool?.tool)
  const durationMs = numberAt(result, 'durationMs')
  if (result['isError'] !== true) {
    return [...readEffects(toolId, tool), {type: 'tool-end', toolId, ok: true, output, durationMs}]
  }
  if (isCancelled || INTERRUPTED.test(output)) return []
  const failure = readFailure(output, tool) ?? {error: output}
  const drafts = failTool({toolId, output}, failure, tool)
  for (const draft of drafts) if (draft.type === 'tool-end') draft.durationMs = durationMs
  return drafts
}

const INTERRUPTED = new RegExp(
  [
    '^The user manually interrupted ',
    '^Tool "[^"]*" was aborted$',
    '^Tool execution was interrupted ',
    '^Aborted before ',
    '^(?:Glob|Grep) aborted$',
    String.raw`(?:^|\n)(?:Session closed|Interrupted by user)\s*$`,
  ].join('|'),
)
