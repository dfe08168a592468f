import type {KnownEvent} from './events.ts'
import type {SystemEvent} from './wire/system.ts'

/**
 * The typed fields of an event of the type and subtype of this line; `undefined` for an unknown type.
 */
export function fieldsOf(line: Record<string, unknown>): ReadonlySet<string> | undefined {
  const {type} = line
  return type === 'system' ? systemFields.get(line['subtype'] ?? 'init') : fields.get(type)
}

/** The fields of every kind of line. The compiler checks them against the interfaces. */
export const fieldTable: Readonly<Record<Key, string>> = checkTable({
  // The conversation.
  stream_event: `
    session_id uuid event parent_tool_use_id ttft_ms api_message_id abandoned_blocks
    thinking_display user_message_uuid user_message_uuids resume_reason owed_rows
  `,
  assistant: `
    session_id uuid message parent_tool_use_id error request_id timestamp user_message_uuid
    user_message_uuids resume_reason resumed_from_incomplete_thinking supersedes aborted
    agent_id subagent_type task_description context_usage usage_report is_api_error_message
    api_error api_error_status api_error_type api_error_params tool_use_meta
    thinking_duration_ms thinking_display local_command_source local_command_run
    local_command_outcome refused_message_id
  `,
  user: `
    session_id uuid message parent_tool_use_id tool_use_result tool_result_meta isSynthetic
    isReplay priority origin shouldQuery timestamp client_composed pasted_content
    inline_pastes file_attachments agent_id subagent_type task_description refused_message_id
  `,
  result: `
    session_id uuid is_error result errors num_turns stop_reason terminal_reason
    total_cost_usd total_cost cost_usd usage modelUsage model_usage_since_last_result
    permission_denials structured_output deferred_tool_use queued_turn_count result_index
    subagent_stats safety_stops origin local_command api_error api_error_status api_error_type
    startup_failure_reason invalid_config_file credential_expires_at fast_mode_state
    fast_mode_disabled_reason user_message_uuid user_message_uuids resume_reason
    turn_start_resume_kind process_turn_index duration_ms duration_api_ms ttft_ms
    ttft_stream_ms time_to_request_ms time_to_request_from_spawn_ms time_to_request_phases_ms
    time_to_request_loop_lag_ms time_to_request_cpu_ms time_to_request_major_faults
    request_sent_wall_ms first_content_frame_ms first_stream_post_ms first_stream_post_ack_ms
    first_stream_post_queue_wait_ms first_stream_post_queued_behind first_stream_post_wall_ms
    first_text_post_ms first_text_post_queue_wait_ms first_text_post_queued_behind
    first_text_post_wall_ms first_request_input_tokens first_request_cache_read_input_tokens
    time_origin_ms warm_spare_claimed input_attachments_detail tool_schema_build_detail
    message_normalization_detail request_build_detail subtype
  `,
  // Stream events on lines of their own.
  message_start: 'session_id uuid message',
  message_delta: 'session_id uuid delta usage context_management',
  message_stop: 'session_id uuid',
  content_block_start: 'session_id uuid index content_block',
  content_block_delta: 'session_id uuid index delta',
  content_block_stop: 'session_id uuid index',
  ping: '',
  error: 'session_id uuid error',
  tool_use: 'session_id uuid id name input caller',
  tool_result: 'session_id uuid tool_use_id content is_error error',
  // Notices.
  tool_progress: `
    session_id uuid tool_use_id tool_name parent_tool_use_id elapsed_time_seconds task_id
    heartbeat subagent_type subagent_retry
  `,
  tool_use_summary: 'session_id uuid summary preceding_tool_use_ids',
  rate_limit_event: 'session_id uuid rate_limit_info',
  auth_status: 'session_id uuid isAuthenticating output error',
  prompt_suggestion: 'session_id uuid suggestion',
  conversation_reset: 'session_id uuid new_conversation_id trigger user_message_uuid timestamp',
  active_goal: 'session_id uuid value',
  command_lifecycle: 'session_id uuid command_uuid state wakeup_source scheduled_for',
  // The session and its tasks, hooks and notes.
  'system/init': `
    session_id uuid cwd original_cwd additional_directories model permissionMode tools
    mcp_servers slash_commands terminal_slash_commands agents skills plugins plugin_errors
    capabilities betas apiKeySource claude_code_version output_style view_mode effort
    per_turn_effort_active fast_mode_state fast_mode_disabled_reason ultrathink_available
    ultrathink_typed_raises analytics_disabled product_feedback_disabled memory_paths
    messaging_socket_path startup_timing user_message_uuids
  `,
  'system/status': `
    session_id uuid status permissionMode compact_result compact_error compact_output_chars
    user_message_uuids
  `,
  'system/session_state_changed': 'session_id uuid state',
  'system/compact_boundary': 'session_id uuid logical_parent_uuid compact_metadata',
  'system/thinking_tokens': `
    session_id uuid estimated_tokens estimated_tokens_delta user_message_uuid
  `,
  'system/worker_shutting_down': 'session_id uuid reason',
  'system/api_retry': `
    session_id uuid attempt max_retries retry_delay_ms error_status error no_response
  `,
  'system/control_request_progress': `
    session_id uuid request_id status attempt max_retries retry_delay_ms error_status
  `,
  'system/model_fallback': 'session_id uuid trigger original_model fallback_model content',
  'system/model_refusal_fallback': `
    session_id uuid trigger direction scope original_model fallback_model request_id
    api_refusal_category api_refusal_explanation retracted_message_uuids
    refused_user_message_uuid content
  `,
  'system/model_refusal_no_fallback': `
    session_id uuid original_model request_id api_refusal_category api_refusal_explanation
    refused_user_message_uuid content
  `,
  'system/task_started': `
    session_id uuid task_id run_id tool_use_id description subagent_type is_backgrounded
    spawn_depth parent_task_id owned_by_subagent task_type workflow_name prompt skip_transcript ambient
  `,
  'system/task_progress': `
    session_id uuid task_id run_id tool_use_id description subagent_type usage last_tool_name
    summary workflow_progress
  `,
  'system/task_updated': 'session_id uuid task_id run_id patch',
  'system/task_notification': `
    session_id uuid task_id run_id tool_use_id status reason output_file summary usage
    resource_links skip_transcript ambient
  `,
  'system/background_tasks_changed': 'session_id uuid tasks',
  'system/hook_started': 'session_id uuid hook_id hook_name hook_event',
  'system/hook_progress': 'session_id uuid hook_id hook_name hook_event stdout stderr output',
  'system/hook_response': `
    session_id uuid hook_id hook_name hook_event output stdout stderr exit_code outcome
  `,
  'system/permission_denied': `
    session_id uuid tool_name tool_use_id agent_id decision_reason_type decision_reason
    message
  `,
  'system/elicitation_complete': 'session_id uuid mcp_server_name elicitation_id',
  'system/plugin_install': 'session_id uuid status name error',
  'system/commands_changed': 'session_id uuid commands',
  'system/notification': 'session_id uuid key text priority color timeout_ms',
  'system/informational': `
    session_id uuid content level tool_use_id prevent_continuation prompt_submit_outcome tag
    hook_no_verdict
  `,
  'system/local_command_output': 'session_id uuid content',
  'system/memory_recall': 'session_id uuid mode memories',
  'system/files_persisted': 'session_id uuid files failed processed_at',
  'system/mirror_error': 'session_id uuid error key',
  'system/session_writes_lost': 'session_id uuid error_code lost transcript_session_ids',
  'system/ui_invalidate': 'session_id uuid event',
  'system/vcs_state_changed': 'session_id uuid kind branch cwd',
  // The control protocol.
  control_request: 'request_id request',
  control_response: 'response',
  control_cancel_request: 'request_id',
  keep_alive: '',
})

const fields = new Map<unknown, ReadonlySet<string>>()
const systemFields = new Map<unknown, ReadonlySet<string>>()
for (const [key, names] of Object.entries(fieldTable)) {
  const [type, subtype] = key.split('/')
  const words = names.match(/\S+/g) ?? []
  if (subtype === undefined) fields.set(type, new Set(['type', ...words]))
  else systemFields.set(subtype, new Set(['type', 'subtype', ...words]))
}

function checkTable<const Table extends Record<Key, string>>(
  checked: {[K in Key]: Check<Table[K], FieldOf<K>>} & Table,
): Table {
  return checked
}

type Key = Exclude<KnownEvent['type'], 'system'> | `system/${NonNullable<SystemEvent['subtype']>}`

type FieldOf<K extends Key> = Exclude<
  K extends `system/${infer Subtype}`
    ? Exclude<keyof Extract<SystemEvent, {subtype?: Subtype}>, 'subtype'>
    : keyof Extract<KnownEvent, {type: K}>,
  'type' | 'extras'
>

/** The names when they are exactly the fields, otherwise the difference. */
type Check<Names extends string, Field extends string> = [Words<Names>] extends [Field]
  ? [Field] extends [Words<Names>]
    ? Names
    : {missing: Exclude<Field, Words<Names>>}
  : {notAField: Exclude<Words<Names>, Field>}

type Words<Text extends string> = Text extends `${infer Head}\n${infer Tail}`
  ? Words<Head> | Words<Tail>
  : Text extends `${infer Head} ${infer Tail}`
    ? Words<Head> | Words<Tail>
    : Text extends ''
      ? never
      : Text
