// Claude Code 2.1.325: payloads of its hooks, captured or from its typings, and rows of its transcript. 2026-11-18.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'

/** The kind of a record: the event of a hook, the type of a row of the transcript, or an observation of Vitrine. */
export function kindOf({hook_event_name: name, type, vitrine}: JsonObject): string {
  if (typeof name === 'string') return name
  if (typeof vitrine === 'string') return `vitrine/${vitrine}`
  return typeof type === 'string' ? `transcript/${type}` : '(no hook_event_name)'
}

const ROW = `
  type uuid parentUuid logicalParentUuid isSidechain agentId slug sessionId session_id timestamp version cwd gitBranch
  userType entrypoint isMeta
`

const PAYLOAD = `
  hook_event_name session_id transcript_path cwd prompt_id permission_mode agent_id agent_type
  effort{level}
`
const TOOL = `${PAYLOAD} tool_name tool_input tool_use_id`
const STOP = `${PAYLOAD} stop_hook_active last_assistant_message background_tasks session_crons`
const TASK = `${PAYLOAD} task_id task_subject task_description teammate_name team_name`
const MODEL_SWITCH = `
  ${PAYLOAD} from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl
  estimated_cache_write_usd pricing
`

/** Every event that Claude Code calls hooks for. */
export const shapes: Shapes = defineShapes({
  // The session.
  SessionStart: `
    ${PAYLOAD} source model session_title seconds_since_last_response context_tokens
    prompt_cache_likely_expired estimated_cache_write_usd
  `,
  SessionEnd: `${PAYLOAD} reason`,
  Setup: `${PAYLOAD} trigger`,
  Notification: `${PAYLOAD} message title notification_type`,
  PreCompact: `${PAYLOAD} trigger custom_instructions`,
  PostCompact: `${PAYLOAD} trigger compact_summary`,
  PreModelSwitch: MODEL_SWITCH,
  PostModelSwitch: MODEL_SWITCH,
  InstructionsLoaded: `
    ${PAYLOAD} file_path memory_type load_reason globs trigger_file_path parent_file_path
  `,
  ConfigChange: `${PAYLOAD} source file_path`,
  // A turn.
  UserPromptSubmit: `${PAYLOAD} prompt session_title`,
  UserPromptExpansion: `
    ${PAYLOAD} prompt expansion_type command_name command_args command_source
  `,
  MessageDisplay: `${PAYLOAD} turn_id message_id index final delta`,
  Stop: STOP,
  StopFailure: `${PAYLOAD} error error_details last_assistant_message`,
  // Tools.
  PreToolUse: TOOL,
  PostToolUse: `${TOOL} tool_response duration_ms`,
  PostToolUseFailure: `${TOOL} error is_interrupt duration_ms`,
  PostToolBatch: `${PAYLOAD} tool_calls{tool_name tool_input tool_use_id tool_response}`,
  PermissionRequest: `${TOOL} permission_suggestions`,
  PermissionDenied: `${TOOL} reason`,
  Elicitation: `
    ${PAYLOAD} mcp_server_name message mode url elicitation_id requested_schema
  `,
  ElicitationResult: `${PAYLOAD} mcp_server_name elicitation_id mode action content`,
  // Sub-agents, tasks and teammates.
  SubagentStart: PAYLOAD,
  SubagentStop: `${STOP} agent_transcript_path`,
  TaskCreated: TASK,
  TaskCompleted: TASK,
  TeammateIdle: `${PAYLOAD} teammate_name team_name`,
  // Files and folders.
  CwdChanged: `${PAYLOAD} old_cwd new_cwd`,
  FileChanged: `${PAYLOAD} file_path event`,
  DirectoryAdded: `${PAYLOAD} directory source`,
  WorktreeCreate: `${PAYLOAD} name worktree_name base_path source_ref`,
  WorktreeRemove: `${PAYLOAD} worktree_path`,
  // Rows of the transcript.
  ...messageShapes,
  'transcript/user': `
    ${ROW} ${MESSAGE} promptId permissionMode promptSource turnOrigin turnPosition toolUseResult sandboxed
    sourceToolAssistantUUID permissionDecision origin queueSkipAttachments toolDenialKind holdsPersonsWords
    mcpCallNotReadOnly turnCompanion isVisibleInTranscriptOnly isCompactSummary repeatsCompactSummary toolEndsTurn
    mcpMeta turnAttributionKey imagePasteIds refusedMessageId interruptedMessageId
  `,
  'transcript/assistant': `
    ${ROW} ${MESSAGE} requestId error isApiErrorMessage apiErrorStatus apiErrorType perTurnEffort
    failedResponseHadNoToolCall madeBy resendCannotCure errorDetails apiBlockIndex requestRef requestedModel
    promptCacheRequested effort toolInputStreamMs apiError isAbortedMidStream attributionMcpServer attributionMcpTool
    attributionAgent thinkingDurationMs thinkingDisplay serverClassifierRequest attributionSkill apiErrorParams
  `,
  'transcript/system': `
    ${ROW} subtype level content error retryInMs retryAttempt maxRetries source compactMetadata trigger originalModel
    fallbackModel preventContinuation promptSubmitEnding commandRun commandOutcome contextUsage hookCount hookInfos
    hookErrors hookAdditionalContext preventedContinuation stopReason hasOutput toolUseID durationMs messageCount
  `,
  // Seen by Vitrine while a dialog was open.
  'vitrine/process-started': 'vitrine command',
})
