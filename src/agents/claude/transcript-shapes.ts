import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {isRecord, type JsonObject} from '../../core/wire/json.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'

/** The kind of a row: its type, with the subtype of `system` and the type of an `attachment`. */
export function kindOf({type, subtype, attachment}: JsonObject): string {
  if (typeof type !== 'string') return '(no type)'
  if (type === 'system') return typeof subtype === 'string' ? `system/${subtype}` : type
  if (type !== 'attachment') return type
  const name = isRecord(attachment) ? attachment['type'] : undefined
  return typeof name === 'string' ? `attachment/${name}` : type
}

/** Fields of every row of the conversation. */
const ROW = `
  type uuid parentUuid logicalParentUuid isSidechain isMeta timestamp userType entrypoint cwd sessionId session_id
  version gitBranch slug agentId teamName agentName forkedFrom
`

const SYSTEM = `${ROW} subtype level content`

const SYSTEM_FIELDS: Readonly<Record<string, string>> = {
  api_error: 'error cause retryInMs retryAttempt maxRetries source',
  away_summary: '',
  bridge_status: 'url',
  compact_boundary: 'compactMetadata',
  informational: 'preventContinuation promptSubmitEnding toolUseID',
  local_command: 'commandRun commandOutcome contextUsage',
  microcompact_boundary: 'microcompactMetadata',
  model_fallback: 'trigger originalModel fallbackModel',
  stop_hook_summary: `
    hookCount hookInfos hookErrors hookAdditionalContext preventedContinuation stopReason hasOutput toolUseID
  `,
  turn_duration:
    'durationMs messageCount budgetLimit budgetTokens budgetNudges pendingBackgroundAgentCount',
  file_snapshot: 'snapshotFiles',
  scheduled_task_fire: 'taskId',
}

const ATTACHMENTS = `
  agent_listing_delta agent_mention async_hook_response auto_mode auto_mode_exit budget_usd command_permissions
  compact_file_reference compaction_reminder critical_system_reminder date date_change deferred_tools_delta diagnostics
  directory dynamic_skill edited_image_file edited_text_file environment file goal_status hook_additional_context
  hook_blocking_error hook_cancelled hook_error_during_execution hook_non_blocking_error hook_permission_decision
  hook_stopped_continuation hook_success hook_system_message instructions invoked_skills max_turns_reached
  mcp_instructions_delta mcp_resource memory memory_update model nested_memory new_diagnostics opened_file_in_ide
  output_style output_token_usage pdf_reference plan_file_reference plan_mode plan_mode_exit plan_mode_reentry
  prompt_snapshot queued_command read_truncation_notice relevant_memories remote_session_change
  selected_lines_in_ide session_context skill_discovery skill_listing structured_output task_reminder task_status
  task_progress team_context teammate_mailbox todo todo_reminder token_usage tool_search_tools total_tokens_reminder
  ultramemory unknown_command_fallback verify_plan_reminder
`

/** Every known row of a transcript. */
export const shapes: Shapes = defineShapes({
  ...messageShapes,
  user: `
    ${ROW} promptId permissionMode promptSource turnOrigin turnPosition toolUseResult sandboxed sourceToolAssistantUUID
    permissionDecision origin interruptedMessageId isVisibleInTranscriptOnly isCompactSummary repeatsCompactSummary
    queueSkipAttachments toolDenialKind holdsPersonsWords mcpCallNotReadOnly turnCompanion toolEndsTurn mcpMeta
    turnAttributionKey imagePasteIds refusedMessageId sourceToolUseID thinkingMetadata todos planContent
    isReplay priority ${MESSAGE}
  `,
  assistant: `
    ${ROW} requestId requestRef requestedModel promptCacheRequested apiBlockIndex effort perTurnEffort madeBy
    toolInputStreamMs isAbortedMidStream isApiErrorMessage thinkingDurationMs thinkingDisplay error errorDetails
    apiError apiErrorStatus apiErrorType apiErrorParams failedResponseHadNoToolCall resendCannotCure attributionAgent
    attributionMcpServer attributionMcpTool attributionSkill serverClassifierRequest costUSD durationMs
    research advisorModel ${MESSAGE}
  `,
  ...Object.fromEntries(
    Object.entries(SYSTEM_FIELDS).map(([name, fields]) => [
      `system/${name}`,
      `${SYSTEM} ${fields}`,
    ]),
  ),
  ...Object.fromEntries(
    ATTACHMENTS.trim()
      .split(/\s+/)
      .map((name) => [
        `attachment/${name}`,
        `${ROW} attachment rendered renderedRole renderedBesideToolResult`,
      ]),
  ),
  summary: 'type summary leafUuid sessionId timestamp cwd',
  'ai-title': 'type aiTitle sessionId timestamp',
  'custom-title': 'type customTitle sessionId timestamp',
  'agent-name': 'type agentName sessionId timestamp',
  'agent-color': 'type agentColor sessionId timestamp',
  'agent-setting': 'type agentSetting sessionId timestamp',
  'api-request': `
    type sessionId id timestamp version querySource shapeHash params keep tail cacheControl requestDigest base agentId
  `,
  // Its message repeats a part of a request.
  'api-request-blob': 'type sessionId hash message agentId',
  'api-request-shape': 'type sessionId shapeHash timestamp version shape agentId',
  'atis-latch': 'type atis sessionId',
  'attribution-snapshot': `
    type messageId surface fileStates promptCount promptCountAtLastCommit permissionPromptCount
    permissionPromptCountAtLastCommit escapeCount escapeCountAtLastCommit sessionId timestamp
  `,
  'content-replacement': 'type sessionId agentId replacements',
  'cost-state': `
    type sessionId totalCostUSD totalAPIDuration totalAPIDurationWithoutRetries totalToolDuration totalLinesAdded
    totalLinesRemoved totalDuration startTime modelUsage hasUnknownModelCost
  `,
  'file-history-snapshot': 'type messageId snapshot isSnapshotUpdate',
  'last-prompt': 'type lastPrompt leafUuid sessionId timestamp',
  mode: 'type mode sessionId',
  'permission-mode': 'type permissionMode sessionId',
  'pr-link': 'type sessionId prNumber prUrl prRepository timestamp',
  progress: `${ROW} data toolUseID parentToolUseID`,
  'queue-operation': 'type operation timestamp sessionId content',
  'speculation-accept': 'type timestamp timeSavedMs',
  tag: 'type tag sessionId',
  'task-summary': 'type summary sessionId timestamp',
  'tools-used': 'type tools sessionId',
  'worktree-state': 'type worktreeSession sessionId timestamp',
})
