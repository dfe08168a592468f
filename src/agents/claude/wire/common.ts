// Shapes that several of Claude Code's messages share, as seen from 0.2.126 to 2.1.325 and as the
// types of claude-agent-sdk 0.3.325 declare them.

/** A string with known values; a release may add others. */
export type Open<Known extends string> = Known | (string & {})

/** The fields of every event. */
export interface EventBase {
  /** The fields of the line without a type. Reading it does not change the event. */
  readonly extras: Readonly<Record<string, unknown>>
}

/** An event that belongs to a session. `control_*` lines do not, and `/clear` changes the id. */
export interface SessionEvent extends EventBase {
  session_id?: string
  uuid?: string
}

/** The fields of every `system` line. */
export interface SystemFields extends SessionEvent {
  type: 'system'
}

/** Tokens as the Messages API counts them. */
export interface Usage {
  input_tokens?: number | null
  output_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_read_input_tokens?: number | null
  cache_creation?: {
    ephemeral_1h_input_tokens?: number
    ephemeral_5m_input_tokens?: number
  } | null
  output_tokens_details?: {thinking_tokens?: number} | null
  server_tool_use?: {web_search_requests?: number; web_fetch_requests?: number} | null
  service_tier?: string | null
  inference_geo?: string | null
  iterations?: unknown[] | null
  speed?: string | null
}

/** Tokens and cost of one model, as a result line sums them up. */
export interface ModelUsage {
  inputTokens?: number
  outputTokens?: number
  thinkingTokens?: number
  cacheReadInputTokens?: number
  cacheCreationInputTokens?: number
  cacheCreationEphemeral5mInputTokens?: number
  cacheCreationEphemeral1hInputTokens?: number
  webSearchRequests?: number
  costUSD?: number
  contextWindow?: number
  maxOutputTokens?: number
  canonicalModel?: string
  provider?: string
  costBasis?: Open<'list' | 'managed' | 'unknown'>
}

/** The kinds of API errors that Claude Code distinguishes. */
export type ApiErrorKind = Open<
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'
  | 'cloud_credential_error'
>

/** The permission mode. */
export type PermissionMode = Open<
  'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto'
>

/** A denied tool call in a result line. */
export interface PermissionDenial {
  tool_name?: string
  tool_use_id?: string
  tool_input?: Record<string, unknown>
}

/** The origin of a message that is not from the user at the prompt. */
export interface MessageOrigin {
  kind?: Open<
    | 'human'
    | 'channel'
    | 'peer'
    | 'task-notification'
    | 'coordinator'
    | 'unclassified'
    | 'observer'
    | 'auto-continuation'
    | 'observer-activity'
  >
  [detail: string]: unknown
}

/** Whether fast mode is on. */
export type FastModeState = Open<'off' | 'cooldown' | 'on'>
