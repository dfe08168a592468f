import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {
  isRecord,
  objectAt,
  parseText,
  textAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {createAgentTracker} from './sub-agents.ts'

/** The sub-agents of a session, by their threads. */
export interface AgentTable {
  /** A finished call for sub-agents, as the output of the program describes it. */
  readItem(item: JsonObject): Draft[]
  /** The output of such a call, for versions that write no item. */
  readOutput(toolId: string, tool: OpenTool, output: string): Draft[]
  /** A sub-agent was started by a call. */
  link(threadId: string | undefined, toolId: string | undefined): void
  /** The call that started the sub-agent with a thread. */
  callOf(threadId: string | undefined): string | undefined
}

/** Creates an empty table. */
export function createAgentTable(): AgentTable {
  const calls = new Map<string, string>()
  const tracker = createAgentTracker()
  return {readItem, readOutput, link, callOf: (threadId = '') => calls.get(threadId)}

  function link(threadId: string | undefined, toolId: string | undefined): void {
    if (threadId === undefined || toolId === undefined || calls.has(threadId)) return
    calls.set(threadId, toolId)
  }

  function readItem(item: JsonObject): Draft[] {
    const toolId = textAt(item, 'id')
    const receivers = item['receiver_thread_ids']
    if (toolId === undefined) return []
    if (item['tool'] === 'spawn_agent' && Array.isArray(receivers))
      link(toText(receivers[0]), toolId)
    return tracker.read(item, toolId)
  }

  function readOutput(toolId: string, {name, input}: OpenTool, output: string): Draft[] {
    const result = parseText(output)
    if (!isRecord(result)) return []
    const target = textAt(result, 'agent_id') ?? textAt(input, 'target') ?? textAt(input, 'id')
    return readItem({
      id: toolId,
      tool: name === 'wait_agent' ? 'wait' : name,
      status: 'completed',
      receiver_thread_ids: target === undefined ? [] : [target],
      prompt: textAt(input, 'message'),
      agents_states: describeStates(objectAt(result, 'status')),
    })
  }
}

/** States are written as `"running"` or `{"completed": "…"}`. */
export function describeStates(states: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(states).map(([threadId, state]) => {
      if (!isRecord(state)) return [threadId, {status: state}]
      const [status, message] = Object.entries(state)[0] ?? []
      return [threadId, {status, message}]
    }),
  )
}
