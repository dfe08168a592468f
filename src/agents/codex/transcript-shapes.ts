// Codex CLI 0.140.0 and 0.166.0, captured on 2026-11-16, with more from the source of 0.36 to 0.150 and the binary.
import {defineShapes, kindByType, type Shapes, type ShapeTable} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {legacyShapes} from './legacy/shapes.ts'

/** The kind of a row: its type, or a name of ours in parentheses for rows of the first versions without one. */
export function kindOf(row: JsonObject): string {
  if (row['type'] !== undefined) return kindByType(row)
  if ('record_type' in row) return '(state)'
  return 'id' in row && 'timestamp' in row ? '(session)' : '(no type)'
}

const ROW = 'timestamp ordinal type metadata'
const TOKENS = `input_tokens cached_input_tokens cache_write_input_tokens output_tokens
  reasoning_output_tokens total_tokens codex_rollout_budget_units`
const USAGE = `turn_id root_turn_id thread_id session_id response_id usage{${TOKENS}}
  turn_token_usage{${TOKENS}} thread_token_usage{${TOKENS}}`
const RESPONSE = 'type id status metadata internal_chat_message_metadata_passthrough'
const TURN = 'type turn_id root_turn_id started_at completed_at duration_ms'
const COLLAB = 'type call_id completed_at_ms sender_thread_id receiver_thread_id prompt status'
const DURATION = 'duration{secs nanos}'
const IMAGE = 'status revised_prompt result transparent_background failure saved_path'

/** Messages to and from the model. Versions before 0.32 wrote them without an envelope. */
const responses: Readonly<Record<string, string>> = {
  message: `${RESPONSE} role content@content phase end_turn`,
  agent_message: `${RESPONSE} author recipient content`,
  reasoning: `${RESPONSE} summary{type text} content encrypted_content`,
  function_call: `${RESPONSE} name namespace arguments encrypted_function_args call_id`,
  function_call_output: `${RESPONSE} name namespace call_id output`,
  custom_tool_call: `${RESPONSE} call_id name namespace input`,
  custom_tool_call_output: `${RESPONSE} call_id name output`,
  local_shell_call: `${RESPONSE} call_id action`,
  tool_search_call: `${RESPONSE} call_id execution arguments`,
  tool_search_output: `${RESPONSE} call_id execution tools`,
  web_search_call: `${RESPONSE} action`,
  image_generation_call: `${RESPONSE} revised_prompt result`,
  compaction: `${RESPONSE} encrypted_content`,
  compaction_summary: `${RESPONSE} encrypted_content`,
  context_compaction: `${RESPONSE} encrypted_content`,
  additional_tools: `${RESPONSE} role tools`,
  configuration_update: `${RESPONSE} configuration`,
  ghost_snapshot: `${RESPONSE} ghost_commit`,
  other: RESPONSE,
}

const events: Readonly<Record<string, string>> = {
  task_started: `${TURN} turn_attribution trace_id model_context_window collaboration_mode_kind`,
  task_complete: `${TURN} last_agent_message error{message codex_error_info} time_to_first_token_ms`,
  turn_started: `${TURN} turn_attribution trace_id model_context_window collaboration_mode_kind`,
  turn_complete: `${TURN} last_agent_message error{message codex_error_info} time_to_first_token_ms`,
  turn_aborted: `${TURN} reason`,
  token_count: `type info{total_token_usage{${TOKENS}} last_token_usage{${TOKENS}}
    last_usage_includes_reasoning model_context_window} rate_limits`,
  user_message: `type client_id message kind images image_details file_id_details image_order
    local_images local_image_details audio local_audio text_elements`,
  agent_message: 'type message phase memory_citation delivery questions',
  agent_reasoning_section_break: 'type item_id summary_index',
  context_compacted: 'type',
  thread_rolled_back: 'type num_turns',
  thread_settings_applied: 'type thread_id thread_settings',
  thread_goal_updated: 'type threadId turnId thread_id turn_id goal',
  thread_name_updated: 'type thread_id thread_name',
  patch_apply_end: 'type call_id turn_id stdout stderr success changes status',
  mcp_tool_call_end: `type call_id invocation{server tool arguments} connector_id
    mcp_app_resource_uri link_id app_name action_name plugin_id read_only_hint ${DURATION}
    result{Ok{content isError structuredContent _meta} Err}`,
  web_search_end: 'type call_id query action results',
  image_generation_end: `type call_id ${IMAGE}`,
  view_image_tool_call: 'type call_id path',
  exec_command_end: `type call_id plugin_id script_path process_id turn_id completed_at_ms command cwd
    parsed_cmd source interaction_input stdout stderr aggregated_output exit_code ${DURATION}
    formatted_output status`,
  entered_review_mode: 'type target prompt user_facing_hint turn_id item_id',
  exited_review_mode: 'type turn_id item_id review_output',
  item_completed: 'type thread_id turn_id item@item started_at_ms completed_at_ms',
  sub_agent_activity: `type event_id occurred_at_ms agent_thread_id agent_path kind model
    reasoning_effort`,
  collab_agent_spawn_end: `${COLLAB} new_thread_id new_agent_nickname new_agent_role model
    reasoning_effort`,
  collab_agent_interaction_end: `${COLLAB} receiver_agent_nickname receiver_agent_role`,
  collab_waiting_end: `${COLLAB} agent_statuses statuses`,
  collab_close_end: `${COLLAB} receiver_agent_nickname receiver_agent_role`,
  collab_resume_end: `${COLLAB} receiver_agent_nickname receiver_agent_role`,
  error: 'type message codex_error_info',
  stream_error: 'type message codex_error_info additional_details',
  warning: 'type message',
  guardian_warning: 'type message',
  deprecation_notice: 'type summary details',
  model_reroute: 'type from_model to_model reason',
  undo_completed: 'type success message',
}

const items: Readonly<Record<string, string>> = {
  UserMessage: 'type id client_id content image_order',
  HookPrompt: 'type id fragments{text hookRunId}',
  AgentMessage: 'type id content{type text} phase memory_citation delivery questions',
  Plan: 'type id text',
  Reasoning: 'type id summary_text raw_content',
  CommandExecution: `type id plugin_id script_path process_id command cwd parsed_cmd source
    interaction_input status stdout stderr aggregated_output exit_code ${DURATION}
    formatted_output`,
  DynamicToolCall: `type id namespace tool arguments status content_items success error ${DURATION}`,
  CollabAgentToolCall: `type id tool status sender_thread_id receiver_thread_ids receiver_agents prompt
    model reasoning_effort agents_states`,
  SubAgentActivity: 'type id kind agent_thread_id agent_path model reasoning_effort',
  WebSearch: 'type id query action results',
  ImageView: 'type id path',
  ImageGeneration: `type id ${IMAGE}`,
  Extension: `type kind id status query action results durationMs revisedPrompt transparentBackground
    failure result savedPath inputImages generationId`,
  EnteredReviewMode: 'type id target user_facing_hint',
  ExitedReviewMode: 'type id review_output',
  FileChange: 'type id changes status auto_approved stdout stderr',
  McpToolCall: `type id server tool arguments connectorId mcpAppResourceUri linkId appName actionName
    pluginId readOnlyHint appUi status result{content structuredContent isError _meta}
    error{message} ${DURATION}`,
  FunctionCallOutput: 'type id call_id output questions',
  ContextCompaction: 'type id',
}

/** Every known row of a session of Codex. */
export const shapes: Shapes = defineShapes({
  session_meta: `${ROW} payload{session_id id forked_from_id forked_from_ordinal_exclusive
    parent_thread_id attached_thread creator_user_id creator_account_id timestamp cwd
    runtime_workspace_roots originator cli_version source thread_source agent_nickname agent_role
    agent_type agent_path model_provider base_instructions instructions dynamic_tools
    selected_capability_roots memory_mode history_mode history_base subagent_history_start_ordinal
    multi_agent_version context_window git}`,
  turn_context: `${ROW} payload{turn_id root_turn_id trace_id disabled_plugin_ids cwd workspace_roots
    current_date timezone approval_policy approvals_reviewer sandbox_policy permission_profile
    active_permission_profile network file_system_sandbox_policy model comp_hash personality
    collaboration_mode multi_agent_version multi_agent_mode realtime_active cyber_access_program
    effort summary user_instructions developer_instructions final_output_json_schema
    truncation_policy windows_sandbox_level}`,
  token_usage_record: `${ROW} payload{${USAGE}}`,
  compacted: `${ROW} payload{message replacement_history replacement_history_metadata
    retained_context mcp_resource_origins window_number first_window_id previous_window_id window_id
    compaction_response_id latest_token_usage_record resume_metadata}`,
  response_item: `${ROW} payload@response`,
  event_msg: `${ROW} payload@event`,
  world_state: `${ROW} payload`,
  inter_agent_communication: `${ROW} payload`,
  inter_agent_communication_metadata: `${ROW} payload`,
  security_risk_score: `${ROW} payload`,
  dynamic_tools_updated: `${ROW} payload`,
  realtime_item: `${ROW} payload`,
  '(session)': 'id timestamp instructions git',
  '(state)': 'record_type',
  ...responses,
  ...prefix('response', responses),
  ...legacyEvents(),
  ...prefix('event', events),
  ...prefix('item', items),
  'content@input_text': 'type text',
  'content@output_text': 'type text annotations logprobs',
  'content@input_image': 'type image_url file_id detail',
  'content@input_audio': 'type audio_url',
  'content@input_file': 'type file_id file_data filename',
})

/** The first versions wrote the events that they also printed. */
function legacyEvents(): ShapeTable {
  return Object.fromEntries(
    Object.entries(legacyShapes).flatMap(([name, fields]) =>
      name.startsWith('msg@') ? [[name.replace('msg@', 'event@'), fields]] : [],
    ),
  )
}

function prefix(union: string, table: Readonly<Record<string, string>>): ShapeTable {
  return Object.fromEntries(
    Object.entries(table).map(([type, fields]) => [`${union}@${type}`, fields]),
  )
}
