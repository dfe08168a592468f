// Claude Code 2.1.325: what its hooks get on stdin, as seen and, where not seen, by its typings. 2026-11-15.
import {defineShapes, type JsonObject, type Shapes} from '../../core/index.ts'

/** The kind of a payload: the event that its hook was called for. */
export function kindOf({hook_event_name: name}: JsonObject): string {
  return typeof name === 'string' ? name : '(no hook_event_name)'
}

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
  // Others at work.
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
})
