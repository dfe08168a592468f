// `system` lines, one interface per subtype.

import type {ApiErrorKind, FastModeState, Open, PermissionMode, SystemFields} from './common.ts'

/** A line about the session. An unknown subtype is an `other` event. */
export type SystemEvent =
  // The session.
  | SystemInitEvent
  | SystemStatusEvent
  | SystemSessionStateChangedEvent
  | SystemCompactBoundaryEvent
  | SystemThinkingTokensEvent
  | SystemWorkerShuttingDownEvent
  // The API.
  | SystemApiRetryEvent
  | SystemControlRequestProgressEvent
  | SystemModelFallbackEvent
  | SystemModelRefusalFallbackEvent
  | SystemModelRefusalNoFallbackEvent
  // Sub-agents and background tasks.
  | SystemTaskStartedEvent
  | SystemTaskProgressEvent
  | SystemTaskUpdatedEvent
  | SystemTaskNotificationEvent
  | SystemBackgroundTasksChangedEvent
  // Hooks, permissions, plugins.
  | SystemHookStartedEvent
  | SystemHookProgressEvent
  | SystemHookResponseEvent
  | SystemPermissionDeniedEvent
  | SystemElicitationCompleteEvent
  | SystemPluginInstallEvent
  | SystemCommandsChangedEvent
  // Notices for the user, stored and lost data.
  | SystemNotificationEvent
  | SystemInformationalEvent
  | SystemLocalCommandOutputEvent
  | SystemMemoryRecallEvent
  | SystemFilesPersistedEvent
  | SystemMirrorErrorEvent
  | SystemSessionWritesLostEvent
  | SystemUiInvalidateEvent
  | SystemVcsStateChangedEvent

/** A turn begins: once per turn. */
export interface SystemInitEvent extends SystemFields {
  subtype?: 'init'
  cwd?: string
  original_cwd?: string
  additional_directories?: string[]
  model?: string
  permissionMode?: PermissionMode
  tools?: string[]
  mcp_servers?: (McpServer | string)[]
  slash_commands?: string[]
  terminal_slash_commands?: string[]
  agents?: string[]
  skills?: string[]
  plugins?: {name?: string; path?: string; source?: string; version?: string}[]
  plugin_errors?: {
    plugin?: string
    type?: string
    message?: string
    path?: string
    managed_lock?: {plugin_enabled?: boolean; name?: string; marketplace?: string}
  }[]
  capabilities?: string[]
  betas?: string[]
  apiKeySource?: Open<
    | 'ANTHROPIC_API_KEY'
    | 'apiKeyHelper'
    | '/login managed key'
    | 'none'
    | 'user'
    | 'project'
    | 'org'
    | 'temporary'
    | 'oauth'
  >
  claude_code_version?: string
  output_style?: string
  view_mode?: Open<'focus' | 'default'>
  effort?: Open<'low' | 'medium' | 'high' | 'xhigh' | 'max'> | null
  per_turn_effort_active?: boolean
  fast_mode_state?: FastModeState
  fast_mode_disabled_reason?: string
  ultrathink_available?: boolean
  ultrathink_typed_raises?: boolean
  analytics_disabled?: boolean
  product_feedback_disabled?: boolean
  memory_paths?: Record<string, string>
  messaging_socket_path?: string
  startup_timing?: unknown
  user_message_uuids?: string[]
}

/** An MCP server and its status. */
export interface McpServer {
  name?: string
  status?: Open<'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'>
  source?: string
}

/** The current activity, or a change of the permission mode. */
export interface SystemStatusEvent extends SystemFields {
  subtype: 'status'
  status?: Open<'compacting' | 'requesting'> | null
  permissionMode?: PermissionMode
  compact_result?: Open<'success' | 'failed'>
  compact_error?: string
  compact_output_chars?: number
  user_message_uuids?: string[]
}

/** The state of the session: working, waiting for the user or idle. */
export interface SystemSessionStateChangedEvent extends SystemFields {
  subtype: 'session_state_changed'
  state?: Open<'idle' | 'running' | 'requires_action'>
}

/** The conversation was replaced by a summary. */
export interface SystemCompactBoundaryEvent extends SystemFields {
  subtype: 'compact_boundary'
  logical_parent_uuid?: string
  compact_metadata?: {
    trigger?: Open<'manual' | 'auto'>
    pre_tokens?: number
    post_tokens?: number
    cumulative_dropped_tokens?: number
    duration_ms?: number
    preserved_segment?: {head_uuid?: string; anchor_uuid?: string; tail_uuid?: string}
    preserved_messages?: {anchor_uuid?: string; uuids?: string[]}
  }
}

/** The amount of thinking so far, when its text is withheld. */
export interface SystemThinkingTokensEvent extends SystemFields {
  subtype: 'thinking_tokens'
  estimated_tokens?: number
  estimated_tokens_delta?: number
  user_message_uuid?: string
}

/** The process of the session is shutting down. */
export interface SystemWorkerShuttingDownEvent extends SystemFields {
  subtype: 'worker_shutting_down'
  reason?: string
}

/** A request to the API failed and will be retried. */
export interface SystemApiRetryEvent extends SystemFields {
  subtype: 'api_retry'
  attempt?: number
  max_retries?: number
  retry_delay_ms?: number
  error_status?: number | null
  error?: ApiErrorKind
  no_response?: {waited_ms?: number; retry_wait_ms?: number}
}

/** A request of the control protocol is in progress. */
export interface SystemControlRequestProgressEvent extends SystemFields {
  subtype: 'control_request_progress'
  request_id?: string
  status?: Open<'started' | 'api_retry'>
  attempt?: number
  max_retries?: number
  retry_delay_ms?: number
  error_status?: number | null
}

/** Another model continues because the first was overloaded. */
export interface SystemModelFallbackEvent extends SystemFields {
  subtype: 'model_fallback'
  trigger?: Open<'overloaded'>
  original_model?: string
  fallback_model?: string
  content?: string
}

/** Another model continues because the first refused. */
export interface SystemModelRefusalFallbackEvent extends SystemFields {
  subtype: 'model_refusal_fallback'
  trigger?: Open<'refusal'>
  direction?: Open<'retry' | 'revert' | 'sticky'>
  scope?: Open<'session' | 'local'>
  original_model?: string
  fallback_model?: string
  request_id?: string | null
  api_refusal_category?: string | null
  api_refusal_explanation?: string | null
  retracted_message_uuids?: string[]
  refused_user_message_uuid?: string | null
  content?: string
}

/** The model refused and no other continues. */
export interface SystemModelRefusalNoFallbackEvent extends SystemFields {
  subtype: 'model_refusal_no_fallback'
  original_model?: string
  request_id?: string | null
  api_refusal_category?: string | null
  api_refusal_explanation?: string | null
  refused_user_message_uuid?: string | null
  content?: string
}

/** A sub-agent or a background command began. */
export interface SystemTaskStartedEvent extends SystemFields {
  subtype: 'task_started'
  task_id?: string
  run_id?: string
  tool_use_id?: string
  description?: string
  subagent_type?: string
  is_backgrounded?: boolean
  spawn_depth?: number
  parent_task_id?: string
  /** Whether a sub-agent started it. */
  owned_by_subagent?: boolean
  task_type?: string
  workflow_name?: string
  prompt?: string
  skip_transcript?: boolean
  ambient?: boolean
}

/** Progress of a sub-agent. */
export interface SystemTaskProgressEvent extends SystemFields {
  subtype: 'task_progress'
  task_id?: string
  run_id?: string
  tool_use_id?: string
  description?: string
  subagent_type?: string
  usage?: TaskUsage
  last_tool_name?: string
  summary?: string
  workflow_progress?: unknown[]
}

/** A task changed. */
export interface SystemTaskUpdatedEvent extends SystemFields {
  subtype: 'task_updated'
  task_id?: string
  run_id?: string
  patch?: {
    status?: Open<'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused'>
    description?: string
    end_time?: number
    total_paused_ms?: number
    error?: string
    is_backgrounded?: boolean
  }
}

/** A task ended. */
export interface SystemTaskNotificationEvent extends SystemFields {
  subtype: 'task_notification'
  task_id?: string
  run_id?: string
  tool_use_id?: string
  status?: Open<'completed' | 'failed' | 'stopped'>
  reason?: Open<'worker_restart'>
  output_file?: string
  summary?: string
  usage?: TaskUsage
  resource_links?: unknown[]
  skip_transcript?: boolean
  ambient?: boolean
}

/** The current background tasks. */
export interface SystemBackgroundTasksChangedEvent extends SystemFields {
  subtype: 'background_tasks_changed'
  tasks?: {
    task_id?: string
    run_id?: string
    task_type?: string
    subagent_type?: string
    description?: string
    parent_task_id?: string
    ambient?: boolean
  }[]
}

/** Usage of a sub-agent or a background task. */
export interface TaskUsage {
  total_tokens?: number
  tool_uses?: number
  duration_ms?: number
}

interface HookFields extends SystemFields {
  hook_id?: string
  hook_name?: string
  hook_event?: string
}

/** A hook began. */
export interface SystemHookStartedEvent extends HookFields {
  subtype: 'hook_started'
}

/** A hook printed something. */
export interface SystemHookProgressEvent extends HookFields {
  subtype: 'hook_progress'
  stdout?: string
  stderr?: string
  output?: string
}

/** A hook ended. */
export interface SystemHookResponseEvent extends HookFields {
  subtype: 'hook_response'
  output?: string
  stdout?: string
  stderr?: string
  exit_code?: number
  outcome?: Open<'success' | 'error' | 'cancelled'>
}

/** A tool call was denied. */
export interface SystemPermissionDeniedEvent extends SystemFields {
  subtype: 'permission_denied'
  tool_name?: string
  tool_use_id?: string
  agent_id?: string
  decision_reason_type?: string
  decision_reason?: string
  message?: string
}

/** A request of an MCP server to the user is complete. */
export interface SystemElicitationCompleteEvent extends SystemFields {
  subtype: 'elicitation_complete'
  mcp_server_name?: string
  elicitation_id?: string
}

/** A plugin is being installed. */
export interface SystemPluginInstallEvent extends SystemFields {
  subtype: 'plugin_install'
  status?: Open<'started' | 'installed' | 'failed' | 'completed'>
  name?: string
  error?: string
}

/** The slash commands changed. */
export interface SystemCommandsChangedEvent extends SystemFields {
  subtype: 'commands_changed'
  commands?: unknown[]
}

/** A short notice for the user. */
export interface SystemNotificationEvent extends SystemFields {
  subtype: 'notification'
  key?: string
  text?: string
  priority?: Open<'low' | 'medium' | 'high' | 'immediate'>
  color?: string
  timeout_ms?: number
}

/** A notice in the conversation that is not from the model. */
export interface SystemInformationalEvent extends SystemFields {
  subtype: 'informational'
  content?: string
  level?: Open<'info' | 'notice' | 'suggestion' | 'warning'>
  tool_use_id?: string
  prevent_continuation?: boolean
  /** How a hook decided about a prompt. */
  prompt_submit_outcome?: {
    kind?: Open<'blocked_by_hook' | 'stopped_by_hook' | 'no_verdict'>
    no_verdict_kind?: string
    prompt_kept?: boolean
    reason?: string
  }
  tag?: string
  hook_no_verdict?: {hook_event?: string; tool_use_id?: string; timed_out?: boolean}
}

/** The output of a slash command. */
export interface SystemLocalCommandOutputEvent extends SystemFields {
  subtype: 'local_command_output'
  content?: string
}

/** Memories of earlier sessions were loaded. */
export interface SystemMemoryRecallEvent extends SystemFields {
  subtype: 'memory_recall'
  mode?: Open<'select' | 'synthesize'>
  memories?: {
    path?: string
    scope?: Open<'personal' | 'team' | 'organization'>
    content?: string
  }[]
}

/** Files were stored. */
export interface SystemFilesPersistedEvent extends SystemFields {
  subtype: 'files_persisted'
  files?: {filename?: string; file_id?: string}[]
  failed?: {filename?: string; error?: string}[]
  processed_at?: string
}

/** The remote copy of the session is out of date. */
export interface SystemMirrorErrorEvent extends SystemFields {
  subtype: 'mirror_error'
  error?: string
  key?: {projectKey?: string; sessionId?: string; subpath?: string}
}

/** The disk was full and parts of the session were not written. */
export interface SystemSessionWritesLostEvent extends SystemFields {
  subtype: 'session_writes_lost'
  error_code?: Open<'ENOSPC' | 'EDQUOT'>
  lost?: Open<'transcript' | 'global_config'>[]
  transcript_session_ids?: string[]
}

/** A part of the screen of Claude Code is out of date. */
export interface SystemUiInvalidateEvent extends SystemFields {
  subtype: 'ui_invalidate'
  event?: string
}

/** A command changed the history of a repository, judging by its output. */
export interface SystemVcsStateChangedEvent extends SystemFields {
  subtype: 'vcs_state_changed'
  kind?: Open<'commit' | 'push' | 'merge' | 'rebase'>
  branch?: string
  cwd?: string
}
