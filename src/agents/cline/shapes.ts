import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

// Cline CLI 3.0.65, captured on 2026-11-15.

/** The kind of a line: its type, with the type of its event. */
export function kindOf({type, event}: JsonObject): string {
  if (type === 'agent_event' || type === 'team_event') {
    return `${type}/${textAt(event, 'type') ?? '(no type)'}`
  }
  return typeof type === 'string' ? type : '(no type)'
}

const AGENT = 'agentId conversationId parentAgentId'
const USAGE = '{inputTokens outputTokens cacheReadTokens cacheWriteTokens totalCost}'

/** Events of the agent. */
const agentEvents: Readonly<Record<string, string>> = {
  iteration_start: 'iteration',
  iteration_end: 'iteration hadToolCalls toolCallCount',
  content_start:
    'contentType text accumulated reasoning redacted toolName toolCallId input execution',
  content_update: 'contentType toolName toolCallId update execution',
  content_end: `
    contentType text reasoning redacted media toolName toolCallId output error durationMs execution
  `,
  usage: `
    inputTokens outputTokens cacheReadTokens cacheWriteTokens cost totalInputTokens totalOutputTokens
    totalCacheReadTokens totalCacheWriteTokens totalCost
  `,
  notice: 'noticeType message displayRole reason metadata',
  done: `reason text iterations usage${USAGE}`,
  error: 'error errorClass recoverable iteration',
}

/** Events of its sub-agents. */
const teamEvents: Readonly<Record<string, string>> = {
  task_start: 'agentId message',
  task_end: 'agentId status result error messages',
  agent_event: 'agentId event',
  teammate_spawned: 'agentId role teammate',
  teammate_shutdown: 'agentId reason',
  team_task_updated: 'task',
  team_task_completed: 'task',
  team_message: 'message',
  team_mission_log: 'entry',
  run_queued: 'run',
  run_started: 'run',
  run_progress: 'run message',
  run_completed: 'run',
  run_failed: 'run',
  run_cancelled: 'run reason',
  run_interrupted: 'run reason',
  outcome_created: 'outcome',
  outcome_fragment_attached: 'fragment',
  outcome_fragment_reviewed: 'fragment',
  outcome_finalized: 'outcome',
}

/** Every known line of Cline. */
export const shapes: Shapes = defineShapes({
  ...nest('agent_event', agentEvents, AGENT),
  ...nest('team_event', teamEvents, ''),
  hook_event: 'ts type hookEventName agentId taskId parentAgentId',
  run_start: 'ts type providerId modelId catalog thinking mode sessionId',
  run_result: `
    ts type finishReason iterations usage${USAGE} aggregateUsage${USAGE} durationMs text
    model{id provider info}
  `,
  run_abort_requested: 'ts type reason',
  run_aborted: 'ts type reason message',
  team_restored: 'ts type teamName',
  error: 'ts type message',
  zen_dispatched: 'ts type sessionId hubUrl workspaceRoot',
  zen_error: 'ts type sessionId message',
})

function nest(
  type: string,
  events: Readonly<Record<string, string>>,
  more: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(events).map(([name, fields]) => [
      `${type}/${name}`,
      `ts type event{type ${fields} ${more}}`,
    ]),
  )
}
