import type {Draft} from '../../core/events/adapter.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'
import {toolKindOf} from '../messages-api/tools.ts'

/** The running sub-agents of a session. */
export interface SubAgents {
  /** The call that started the sub-agent of a payload. */
  callOf(payload: JsonObject): string | undefined
  start(payload: JsonObject, calls: readonly OpenCall[]): Draft[]
  end(payload: JsonObject, ok: boolean): Draft[]
}

/** A call that has not ended, by its id. */
type OpenCall = readonly [toolId: string, call: {name: string; input: unknown}]

/** Creates the state of one session. */
export function createSubAgents(): SubAgents {
  const agents = new Map<string, {toolId: string | undefined; description: string}>()

  return {
    callOf: (payload) => agents.get(textAt(payload, 'agent_id') ?? '')?.toolId,
    start(payload, calls) {
      const taskId = textAt(payload, 'agent_id')
      if (taskId === undefined || agents.has(taskId)) return []
      const type = textAt(payload, 'agent_type') ?? ''
      const call = findCall(type, calls)
      const toolId = call?.[0]
      const description = textAt(call?.[1].input, 'description') || type
      agents.set(taskId, {toolId, description})
      return [{type: 'task-start', taskId, toolId, description}]
    },
    end(payload, ok) {
      const taskId = textAt(payload, 'agent_id') ?? ''
      const agent = agents.get(taskId)
      // Claude Code has agents for work of its own, such as summaries, whose start is not reported.
      if (agent === undefined) return []
      agents.delete(taskId)
      return [{type: 'task-end', taskId, ...agent, ok}]
    },
  }

  /** A start does not name its call: it is the first call for this type without an agent. */
  function findCall(type: string, calls: readonly OpenCall[]): OpenCall | undefined {
    const taken = new Set([...agents.values()].map(({toolId}) => toolId))
    const free = calls.filter(
      ([toolId, {name}]) => toolKindOf(name) === 'Task' && !taken.has(toolId),
    )
    return free.find(([, {input}]) => textAt(input, 'subagent_type') === type) ?? free[0]
  }
}
