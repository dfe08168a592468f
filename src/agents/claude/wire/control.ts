// The control protocol: requests and responses between Claude Code and the program that runs it.
// These lines have no session.

import type {EventBase, Open, PermissionMode} from './common.ts'

/** A request of Claude Code, such as a permission request. */
export interface ControlRequestEvent extends EventBase {
  type: 'control_request'
  request_id?: string
  request?: ControlRequest
}

/** The response to a request to Claude Code. */
export interface ControlResponseEvent extends EventBase {
  type: 'control_response'
  response?: {
    subtype?: Open<'success' | 'error'>
    request_id?: string
    response?: Record<string, unknown>
    error?: string
    pending_permission_requests?: unknown[]
    pending_user_dialog_requests?: unknown[]
    pending_elicitation_requests?: unknown[]
  }
}

/** Claude Code cancels a request. */
export interface ControlCancelRequestEvent extends EventBase {
  type: 'control_cancel_request'
  request_id?: string
}

/** A heartbeat of the connection. */
export interface KeepAliveEvent extends EventBase {
  type: 'keep_alive'
}

/** Known requests in both directions. Keep a default branch. */
export type ControlRequest =
  | CanUseTool
  | HookCallback
  | McpMessage
  | Elicitation
  | RequestUserDialog
  | RequestToClaude

/** A permission request for a tool with this input. */
export interface CanUseTool {
  subtype: 'can_use_tool'
  tool_name: string
  tool_use_id?: string
  input?: Record<string, unknown>
  permission_suggestions?: PermissionSuggestion[]
  blocked_path?: string | null
  decision_reason?: string
  decision_reason_type?: string
  classifier_approvable?: boolean
  suppress_always_allow_rule?: boolean
  default_to_no?: boolean
  matched_ask_rule?: {source?: string; tool_name?: string; rule_content?: string}
  mcp_server?: unknown
  title?: string
  display_name?: string
  description?: string
  agent_id?: string
  requires_user_interaction?: boolean
}

/** A rule or a mode that would answer this request and similar ones. */
export interface PermissionSuggestion {
  type?: Open<'addRules' | 'replaceRules' | 'removeRules' | 'setMode' | 'addDirectories'>
  rules?: {toolName?: string; ruleContent?: string}[]
  behavior?: Open<'allow' | 'deny' | 'ask'>
  mode?: string
  directories?: string[]
  destination?: Open<'session' | 'localSettings' | 'userSettings' | 'projectSettings'>
}

/** A call of a hook of the program that runs Claude Code. */
export interface HookCallback {
  subtype: 'hook_callback'
  callback_id: string
  input?: Record<string, unknown>
  tool_use_id?: string
}

/** A message for an MCP server in the program that runs Claude Code. */
export interface McpMessage {
  subtype: 'mcp_message'
  server_name: string
  message?: unknown
}

/** An MCP server requests input from the user. */
export interface Elicitation {
  subtype: 'elicitation'
  mcp_server_name: string
  message?: string
  mode?: Open<'form' | 'url'>
  url?: string
  elicitation_id?: string
  requested_schema?: Record<string, unknown>
  property_order?: string[]
  title?: string
  display_name?: string
  description?: string
}

/** A request to show a dialog. */
export interface RequestUserDialog {
  subtype: 'request_user_dialog'
  dialog_kind: string
  payload?: Record<string, unknown>
  tool_use_id?: string
}

/** Requests to Claude Code, which programs write to its stdin. */
export type RequestToClaude =
  // The session.
  | InitializeRequest
  | {subtype: 'interrupt'; cancel_queued?: boolean}
  | {subtype: 'set_permission_mode'; mode?: PermissionMode}
  | {subtype: 'set_model'; model?: string | null}
  | {
      subtype: 'set_max_thinking_tokens'
      max_thinking_tokens?: number | null
      thinking_display?: Open<'summarized' | 'omitted' | 'highlights'> | null
    }
  | {
      subtype: 'rename_session'
      title?: string
      source?: Open<'remote' | 'host'>
      session_id?: string
    }
  | {subtype: 'set_color'; color?: string}
  | {subtype: 'set_has_subscribers'; has_subscribers?: boolean | null}
  | {subtype: 'cancel_async_message'; message_uuid?: string}
  // State.
  | {subtype: 'get_context_usage'; detail?: Open<'summary' | 'full'>}
  | {subtype: 'get_session_cost'}
  | {subtype: 'get_usage'; skip_behaviors?: boolean}
  | {subtype: 'get_binary_version'}
  | {subtype: 'list_models'}
  // Background tasks.
  | {subtype: 'stop_task'; task_id?: string}
  | {subtype: 'background_tasks'; tool_use_id?: string}
  | {subtype: 'get_task_output'; task_id?: string}
  // Files.
  | {subtype: 'file_suggestions'; query?: string}
  | {subtype: 'rewind_files'; user_message_id?: string; dry_run?: boolean}
  | {
      subtype: 'read_file'
      path?: string
      max_bytes?: number
      encoding?: Open<'utf-8' | 'base64'>
    }
  | {subtype: 'seed_read_state'; path?: string; mtime?: number}
  | {
      subtype: 'register_repo_root'
      directory?: string
      reload_claude_md?: boolean
      reload_plugins?: boolean
      reload_skills?: boolean
    }
  // MCP servers.
  | {subtype: 'mcp_status'; liveReply?: boolean}
  | McpCallRequest
  | {subtype: 'mcp_set_servers'; servers?: Record<string, unknown>}
  | {subtype: 'mcp_reconnect'; serverName?: string}
  | {subtype: 'mcp_toggle'; serverName?: string; enabled?: boolean}
  | {subtype: 'mcp_read_resource'; serverName?: string; uri?: string}
  // Settings and plugins.
  | {subtype: 'apply_flag_settings'; settings?: Record<string, unknown>}
  | {subtype: 'get_settings'}
  | {subtype: 'get_hooks_listing'}
  | {
      subtype: 'update_settings'
      source?: Open<'localSettings' | 'userSettings'>
      settings?: Record<string, unknown>
    }
  | {subtype: 'list_permission_rules'}
  | {
      subtype: 'reload_plugins'
      hold_on_cache_impact?: boolean
      add_plugins?: unknown[]
      refuse_if_busy?: boolean
    }
  | {subtype: 'reload_skills'}
  | {subtype: 'reload_output_styles'}

/** Opens a session with the capabilities of the program that runs Claude Code. */
export interface InitializeRequest {
  subtype: 'initialize'
  hooks?: Record<string, unknown> | null
  sdkMcpServers?: string[]
  sdkMcpServerConfigs?: Record<string, unknown>
  sdkMcpServerManifests?: Record<string, unknown>
  sdkMcpServerManifestsOrigin?: string
  jsonSchema?: Record<string, unknown>
  systemPrompt?: string[]
  appendSystemPrompt?: string
  systemPromptSnapshot?: boolean
  planModeInstructions?: string
  toolAliases?: Record<string, string>
  excludeDynamicSections?: boolean
  agents?: Record<string, unknown>
  title?: string
  skills?: string[]
  promptSuggestions?: boolean
  agentProgressSummaries?: boolean
  forwardSubagentText?: boolean
  supportedDialogKinds?: string[]
  perTaskStopAffordance?: boolean
  plugins?: unknown[]
}

/** Calls a tool of an MCP server without the model. */
export interface McpCallRequest {
  subtype: 'mcp_call'
  tool?: string
  arguments?: Record<string, unknown>
  expires_at?: string
  timeout_ms?: number
  result_not_for_model?: boolean
  check_permissions?: boolean
  input_files?: {name?: string; lane_path?: string}[]
  output_files?: {name?: string; lane_path?: string; if_match?: string}[]
}
