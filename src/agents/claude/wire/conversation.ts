// Lines of the conversation: assistant, user, result.

import type {
  ApiErrorKind,
  FastModeState,
  MessageOrigin,
  ModelUsage,
  Open,
  PermissionDenial,
  SessionEvent,
  Usage,
} from './common.ts'
import type {ContentBlock} from './content.ts'

/**
 * A message of the Messages API. The content is a list of blocks or a plain string; a single block instead of the message,
 * as in early descriptions of the format, is accepted too.
 */
export interface Message {
  id?: string
  type?: Open<'message'>
  role?: Open<'assistant' | 'user' | 'system'>
  model?: string
  content?: string | ContentBlock[] | null
  stop_reason?: Open<
    'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'refusal'
  > | null
  stop_sequence?: string | null
  stop_details?: unknown
  usage?: Usage
  container?: unknown
  context_management?: unknown
  diagnostics?: unknown
}

/** One complete block of a model response; the lines of one message share `message.id`. */
export interface AssistantEvent extends SessionEvent {
  type: 'assistant'
  message?: Message | ContentBlock | string | null
  parent_tool_use_id?: string | null
  error?: ApiErrorKind
  request_id?: string | null
  timestamp?: string
  user_message_uuid?: string
  user_message_uuids?: string[]
  resume_reason?: string
  resumed_from_incomplete_thinking?: boolean
  supersedes?: string[]
  aborted?: boolean
  agent_id?: string
  subagent_type?: string
  task_description?: string
  context_usage?: ContextUsage
  usage_report?: unknown
  is_api_error_message?: boolean
  api_error?: unknown
  api_error_status?: number | null
  api_error_type?: string
  api_error_params?: unknown
  tool_use_meta?: {id?: string; display_name?: string; server_display_name?: string}[]
  thinking_duration_ms?: number
  thinking_display?: string
  local_command_source?: string
  local_command_run?: {command?: string; args?: string}
  local_command_outcome?: {kind?: string}
  refused_message_id?: string
}

/** The usage of the context window, as `/context` prints it. */
export interface ContextUsage {
  model?: string
  total_tokens?: number
  raw_max_tokens?: number
  percentage?: number
  categories?: {name?: string; tokens?: number; kind?: string}[]
  [detail: string]: unknown
}

/** A tool result, a message to the agent, or text that the program inserted. */
export interface UserEvent extends SessionEvent {
  type: 'user'
  message?: Message | ContentBlock | string | null
  parent_tool_use_id?: string | null
  /** The result of the tool before its conversion to text: an object, a list or a string. */
  tool_use_result?: unknown
  tool_result_meta?: {
    id?: string
    permission_decision?: {decision?: string; source?: string; reason_type?: string}
    [detail: string]: unknown
  }[]
  isSynthetic?: boolean
  isReplay?: boolean
  priority?: Open<'now' | 'next' | 'later'>
  origin?: MessageOrigin
  shouldQuery?: boolean
  timestamp?: string
  client_composed?: boolean
  pasted_content?: unknown[]
  inline_pastes?: string[]
  file_attachments?: unknown[]
  agent_id?: string
  subagent_type?: string
  task_description?: string
  refused_message_id?: string
}

/** The end of a turn. More turns may follow. */
export type ResultEvent = ResultSuccessEvent | ResultErrorEvent

/** A turn with a response. With `is_error` true the response is the text of an API error. */
export interface ResultSuccessEvent extends ResultFields {
  subtype?: 'success'
}

/** An aborted turn. It has no `result` text; `errors` contains the reasons. */
export interface ResultErrorEvent extends ResultFields {
  subtype: Open<
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries'
  >
}

/** The fields of a result line, of all versions. */
export interface ResultFields extends SessionEvent {
  type: 'result'
  is_error?: boolean
  result?: string
  errors?: string[]
  num_turns?: number
  stop_reason?: string | null
  terminal_reason?: Open<
    | 'blocking_limit'
    | 'rapid_refill_breaker'
    | 'prompt_too_long'
    | 'image_error'
    | 'model_error'
    | 'api_error'
    | 'malformed_tool_use_exhausted'
    | 'aborted_streaming'
    | 'aborted_tools'
    | 'stop_hook_prevented'
    | 'hook_stopped'
    | 'tool_deferred'
    | 'max_turns'
    | 'background_requested'
    | 'completed'
    | 'budget_exhausted'
    | 'structured_output_retry_exhausted'
    | 'tool_deferred_unavailable'
    | 'turn_setup_failed'
  >
  /** The cost of the process so far: a running total that `/clear` resets to 0. */
  total_cost_usd?: number
  /** The running total of versions before 1.0.128. */
  total_cost?: number
  /** The cost of this turn in versions before 1.0.128. */
  cost_usd?: number
  usage?: Usage
  modelUsage?: Record<string, ModelUsage>
  model_usage_since_last_result?: Record<string, ModelUsage>
  permission_denials?: PermissionDenial[]
  structured_output?: unknown
  deferred_tool_use?: unknown
  queued_turn_count?: number
  result_index?: number
  subagent_stats?: Record<string, unknown>
  safety_stops?: number
  origin?: MessageOrigin
  local_command?: string
  api_error?: unknown
  api_error_status?: number | null
  api_error_type?: string
  startup_failure_reason?: string
  invalid_config_file?: {
    path?: string
    is_global?: boolean
    backup_searched?: boolean
    backup_path?: string
  }
  credential_expires_at?: string
  fast_mode_state?: FastModeState
  fast_mode_disabled_reason?: string
  user_message_uuid?: string
  user_message_uuids?: string[]
  resume_reason?: string
  turn_start_resume_kind?: string | null
  process_turn_index?: number
  // Timings.
  duration_ms?: number
  duration_api_ms?: number
  ttft_ms?: number
  ttft_stream_ms?: number
  time_to_request_ms?: number
  time_to_request_from_spawn_ms?: number
  time_to_request_phases_ms?: unknown
  time_to_request_loop_lag_ms?: unknown
  time_to_request_cpu_ms?: unknown
  time_to_request_major_faults?: unknown
  request_sent_wall_ms?: number
  first_content_frame_ms?: number
  first_stream_post_ms?: number
  first_stream_post_ack_ms?: number
  first_stream_post_queue_wait_ms?: number
  first_stream_post_queued_behind?: string
  first_stream_post_wall_ms?: number
  first_text_post_ms?: number
  first_text_post_queue_wait_ms?: number
  first_text_post_queued_behind?: string
  first_text_post_wall_ms?: number
  first_request_input_tokens?: number
  first_request_cache_read_input_tokens?: number
  time_origin_ms?: number
  warm_spare_claimed?: boolean
  input_attachments_detail?: unknown
  tool_schema_build_detail?: unknown
  message_normalization_detail?: unknown
  request_build_detail?: unknown
}
