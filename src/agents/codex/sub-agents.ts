import type {Draft} from '../../core/events/adapter.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** Tracks the agents that the agent started: they run in the background until their end is reported. */
export interface AgentTracker {
  /** A finished call, which may start or end agents. */
  read(item: JsonObject, toolId: string): Draft[]
  /** Another session begins. */
  reset(): void
}

/** Creates a tracker. It keeps only running agents. */
export function createAgentTracker(): AgentTracker {
  const agents = new Map<string, {toolId: string; description: string}>()
  return {
    read(item, toolId) {
      switch (item['tool']) {
        case 'spawn_agent':
        case 'send_input':
          return item['status'] === 'completed' ? start(item, toolId) : []
        case 'wait':
          return statesOf(item).flatMap(([taskId, state]) => end(taskId, textAt(state, 'status')))
        case 'close_agent':
          return receiversOf(item).flatMap((taskId) => {
            const status = textAt(objectAt(item, 'agents_states')[taskId], 'status')
            return end(taskId, status !== undefined && ENDED.has(status) ? status : 'shutdown')
          })
        default:
          return []
      }
    },
    reset: () => agents.clear(),
  }

  /** Input makes an ended agent continue; the state in its item is the one before. */
  function start(item: JsonObject, toolId: string): Draft[] {
    const description = textAt(item, 'prompt') ?? ''
    return receiversOf(item).flatMap((taskId): Draft[] => {
      if (agents.has(taskId)) return []
      agents.set(taskId, {toolId, description})
      return [{type: 'task-start', taskId, toolId, description}]
    })
  }

  function end(taskId: string, status: string | undefined): Draft[] {
    const agent = agents.get(taskId)
    if (agent === undefined || status === undefined || !ENDED.has(status)) return []
    agents.delete(taskId)
    // An agent that was shut down may have done its work or not.
    const ok = status === 'shutdown' ? undefined : status === 'completed'
    return [{type: 'task-end', taskId, ...agent, ok}]
  }
}

/** The final messages of agents, or else their states. */
export function agentsText(item: JsonObject): string {
  return statesOf(item)
    .map(([, state]) => textAt(state, 'message') || (textAt(state, 'status') ?? ''))
    .filter(Boolean)
    .join('\n')
}

const ENDED = new Set(['completed', 'errored', 'interrupted', 'shutdown', 'not_found'])

function receiversOf(item: JsonObject): string[] {
  const ids = item['receiver_thread_ids']
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

function statesOf(item: JsonObject): [string, JsonObject][] {
  return Object.entries(objectAt(item, 'agents_states')).filter(
    (entry): entry is [string, JsonObject] => isRecord(entry[1]),
  )
}
