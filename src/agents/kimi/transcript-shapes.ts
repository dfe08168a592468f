import {defineShapes, type Shapes} from '../../core/events/shapes.ts'

// Kimi Code 2.1.0 (version 1.5 of the format), captured on 2026-11-16, and the records of 0.10 to 0.43.

/** Fields of a message in the context. */
const MESSAGE = `{
  role content@part id name origin toolCalls{type id name arguments function extras} toolCallId isError partial note
}`

const ORIGIN = 'input@part origin'

/** Fields by kind of record, without those of every record. */
const RECORDS: Readonly<Record<string, string>> = {
  'agent.message.appended': `
    message{
      message${MESSAGE}
      meta{
        source promptId origin tracked createdAt userMessageId model usage finish messageId isError note durationMs
        traceId timing messageIds steered stopTurn display
      }
    }
  `,
  'agent.switched': 'branch base reason legacyUndoLine',
  'agent.turn.ended': 'outcome errorMessage turnId',
  'agent.turn.started': 'queueItemId turnId',
  'background.task.started': 'info',
  'background.task.terminated': 'info',
  'config.update': `
    cwd modelAlias profileName thinkingEffort thinkingLevel systemPrompt environmentDisclosure renderGeneration
    agentsMdPaths disallowedTools
  `,
  'context.append_loop_event': 'event@event',
  'context.append_message': `message${MESSAGE}`,
  'context.apply_compaction': `
    tokensBefore tokensAfter summaryOutputTokens keptUserMessageCount keptHeadUserMessageCount droppedCount legacyTail
    wireLines summary compactedCount contextSummary count
  `,
  'context.clear': '',
  'context.undo': 'count',
  'context.update_token_count': 'tokenCount',
  'cron.add': 'task',
  'cron.cursor': 'id lastFiredAt',
  'cron.delete': 'ids',
  'file_history.checkpoint': 'turnId phase entries',
  'file_history.tracked': 'turnId path entry{key version contentHash size oversize mtimeMs}',
  forked: '',
  'full_compaction.begin': 'instruction source',
  'full_compaction.cancel': '',
  'full_compaction.complete': '',
  'goal.account_usage': 'goalId tokensUsed wallClockMs',
  'goal.clear': 'goalId',
  'goal.continuation': 'goalId turnsUsed',
  'goal.create': `
    goalId objective completionCriterion wallClockResumedAt status actor budgetLimits
  `,
  'goal.update': `
    goalId status reason turnsUsed tokensUsed wallClockMs wallClockResumedAt budgetLimits actor
  `,
  'interaction.request': 'id kind toolCallId request',
  'interaction.resolved': 'id response',
  'interruptionReminder.recorded': 'turnId',
  'llm.request': `
    provider model modelAlias thinkingEffort thinkingKeep temperature topP maxTokens betaApi toolSelect
    systemPromptHash systemPrompt toolsHash messageCount turnStep attempt projection droppedCount
  `,
  'llm.tools_snapshot': 'hash tools',
  'mcp.tools_discovered': 'serverName hash tools enabledNames collisions',
  metadata: 'protocol_version created_at app_version',
  'micro_compaction.apply': 'cutoff',
  'permission.record_approval_result': `
    turnId toolCallId toolName action sessionApprovalRule result
  `,
  'permission.rules.add': 'rules',
  'permission.set_mode': 'mode',
  'plan.revision': 'id version key sha256 bytes',
  'plan_mode.cancel': 'id',
  'plan_mode.enter': 'id',
  'plan_mode.exit': 'id',
  'plugin.session_start': 'content',
  'profile.bind': `
    modelAlias profileName thinkingEffort systemPrompt environmentDisclosure renderGeneration agentsMdPaths
    activeToolNames disallowedTools subagents
  `,
  'prompt.aborted': 'promptId abortedAt',
  'prompt.accepted': 'promptId acceptedAt content origin',
  'prompt.completed': 'promptId finishedAt reason',
  'prompt.steered': 'activePromptId promptIds content steeredAt messageId',
  'runtime.set_binding': 'workspaceId runtimeId',
  'staleGuard.cleared': 'path paths key keys',
  'staleGuard.recorded': 'path paths mtimeMs size hash entry key value',
  'subagent.cancelled': 'subagentId',
  'subagent.completed': 'subagentId resultSummary usage contextTokens',
  'subagent.failed': 'subagentId error',
  'subagent.spawned': `
    subagentId subagentName parentToolCallId parentToolCallUuid parentAgentId callerAgentId description swarmIndex
    runInBackground model thinkingEffort taskId
  `,
  'subagent.started': 'subagentId',
  'swarm_mode.enter': 'trigger',
  'swarm_mode.exit': '',
  'task.started': 'info',
  'task.terminated': 'info outputTail',
  'task.waitDelivered': 'keys',
  'token_counting.measured': 'length tokens',
  'token_counting.rebased': 'length tokens measured',
  'token_counting.truncated': 'length tokens',
  'token_counting.turn_recorded': 'length tokens turnId',
  'tools.register_user_tool': 'name description parameters disclosure',
  'tools.reset_active_tools': '',
  'tools.set_active_tools': 'names',
  'tools.unregister_user_tool': 'name',
  'tools.update_store': 'key value',
  'tower_mode.enter': 'sessionId base',
  'tower_mode.exit': '',
  'turn.cancel': 'turnId target reason',
  'turn.ended': `
    turnId reason error{code message name details retryable} durationMs stopReason traceId
  `,
  'turn.prompt': `${ORIGIN} promptId turnId`,
  'turn.steer': `${ORIGIN} messageId promptIds turnId`,
  'turn.step.interrupted': 'turnId step stepId reason message',
  'turn.step.retrying': `
    turnId step stepId failedAttempt nextAttempt maxAttempts delayMs errorName errorMessage statusCode
  `,
  'usage.record': 'model usage{inputOther output inputCacheRead inputCacheCreation} usageScope',
}

const STEP = 'type uuid turnId step stepUuid'

/** Every known record of a session. */
export const shapes: Shapes = defineShapes({
  ...Object.fromEntries(
    Object.entries(RECORDS).map(([name, fields]) => [name, `type agentId kind time ${fields}`]),
  ),
  'event@step.begin': STEP,
  'event@content.part': `${STEP} part@part`,
  'event@tool.call': `${STEP} toolCallId name args display description extras traceId`,
  'event@tool.result': `
    ${STEP} parentUuid toolCallId result{output isError note message stopTurn truncated durationMs} traceId
  `,
  'event@step.end': `
    ${STEP} finishReason usage{inputOther output inputCacheRead inputCacheCreation} messageId providerFinishReason
    rawFinishReason llmFirstTokenLatencyMs llmStreamDurationMs llmRequestBuildMs llmServerFirstTokenMs
    llmServerDecodeMs llmClientConsumeMs llmClientBlockedMs traceId
  `,
  'part@text': 'type text',
  'part@think': 'type think encrypted detailsIndex hidden reasoningKey',
  'part@image_url': 'type image_url imageUrl name',
  'part@audio_url': 'type audio_url audioUrl name',
  'part@video_url': 'type video_url videoUrl name',
})
