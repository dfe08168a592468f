// Codex CLI 0.36.0, captured on 2026-11-15, with more from the source of 0.36 to 0.41.
import type {ShapeTable} from '../../../core/events/shapes.ts'

const TOKENS = 'input_tokens cached_input_tokens output_tokens reasoning_output_tokens total_tokens'
const WINDOW = 'used_percent window_minutes resets_in_seconds resets_at'

/** Every known line of Codex before 0.42: two lines of their own kind, then one envelope for all events. */
export const legacyShapes: ShapeTable = {
  '(config)': [
    'workdir',
    'model',
    'provider',
    'approval',
    'sandbox',
    'reasoning effort',
    'reasoning summaries',
  ],
  '(prompt)': 'prompt',
  '(event)': 'id msg@msg',
  'msg@error': 'type message',
  'msg@task_started': 'type model_context_window',
  'msg@task_complete': 'type last_agent_message',
  'msg@token_count': `type
    info{total_token_usage{${TOKENS}} last_token_usage{${TOKENS}} model_context_window}
    rate_limits{primary{${WINDOW}} secondary{${WINDOW}}}`,
  'msg@agent_message': 'type message',
  'msg@user_message': 'type message kind images',
  'msg@agent_message_delta': 'type delta',
  'msg@agent_reasoning': 'type text',
  'msg@agent_reasoning_delta': 'type delta',
  'msg@agent_reasoning_raw_content': 'type text',
  'msg@agent_reasoning_raw_content_delta': 'type delta',
  'msg@agent_reasoning_section_break': 'type',
  'msg@session_configured': `type session_id model reasoning_effort history_log_id history_entry_count
    initial_messages rollout_path`,
  'msg@mcp_tool_call_begin': 'type call_id invocation{server tool arguments}',
  'msg@mcp_tool_call_end': `type call_id invocation{server tool arguments} duration{secs nanos}
    result{Ok{content isError structuredContent} Err}`,
  'msg@web_search_begin': 'type call_id',
  'msg@web_search_end': 'type call_id query',
  'msg@exec_command_begin': 'type call_id command cwd parsed_cmd{type cmd name path query}',
  'msg@exec_command_output_delta': 'type call_id stream chunk',
  'msg@exec_command_end': `type call_id stdout stderr aggregated_output exit_code duration{secs nanos}
    formatted_output`,
  'msg@exec_approval_request': 'type call_id command cwd reason',
  'msg@apply_patch_approval_request': 'type call_id changes reason grant_root',
  'msg@background_event': 'type message',
  'msg@stream_error': 'type message',
  'msg@patch_apply_begin': 'type call_id auto_approved changes',
  'msg@patch_apply_end': 'type call_id stdout stderr success',
  'msg@turn_diff': 'type unified_diff',
  'msg@get_history_entry_response': 'type offset log_id entry',
  'msg@mcp_list_tools_response': 'type tools',
  'msg@list_custom_prompts_response': 'type custom_prompts',
  'msg@plan_update': 'type explanation plan{step status}',
  'msg@turn_aborted': 'type reason',
  'msg@shutdown_complete': 'type',
  'msg@conversation_path': 'type conversation_id path',
  'msg@entered_review_mode': 'type prompt user_facing_hint',
  'msg@exited_review_mode': 'type review_output',
}
