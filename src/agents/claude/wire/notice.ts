// Lines with a type of their own that are neither conversation nor control.

import type {Open, SessionEvent} from './common.ts'

/** Progress of a tool. */
export interface ToolProgressEvent extends SessionEvent {
  type: 'tool_progress'
  tool_use_id?: string
  tool_name?: string
  parent_tool_use_id?: string | null
  elapsed_time_seconds?: number
  task_id?: string
  heartbeat?: boolean
  subagent_type?: string
  subagent_retry?: {
    agent_id?: string
    attempt?: number
    max_retries?: number
    retry_delay_ms?: number
    error_status?: number | null
    error_category?: string
  }
}

/** A summary of several tool calls. */
export interface ToolUseSummaryEvent extends SessionEvent {
  type: 'tool_use_summary'
  summary?: string
  preceding_tool_use_ids?: string[]
}

/** How much of a rate limit is used, and whether it is reached. */
export interface RateLimitEvent extends SessionEvent {
  type: 'rate_limit_event'
  rate_limit_info?: {
    status?: Open<'allowed' | 'allowed_warning' | 'rejected'>
    /** Seconds since 1970. */
    resetsAt?: number
    rateLimitType?: Open<
      | 'five_hour'
      | 'seven_day'
      | 'seven_day_opus'
      | 'seven_day_sonnet'
      | 'seven_day_overage_included'
      | 'overage'
    >
    utilization?: number
    overageStatus?: Open<'allowed' | 'allowed_warning' | 'rejected'>
    overageResetsAt?: number
    overageDisabledReason?: string
    isUsingOverage?: boolean
    overageInUse?: boolean
    overageEnabled?: boolean
    surpassedThreshold?: number
    limitScope?: Open<'service' | 'channel' | 'group_pool'>
    errorCode?: Open<'credits_required'>
    canUserPurchaseCredits?: boolean
    hasChargeableSavedPaymentMethod?: boolean
  }
}

/** The state of the login. */
export interface AuthStatusEvent extends SessionEvent {
  type: 'auth_status'
  isAuthenticating?: boolean
  output?: string[]
  error?: string
}

/** A suggested next prompt. */
export interface PromptSuggestionEvent extends SessionEvent {
  type: 'prompt_suggestion'
  suggestion?: string
}

/** The conversation was cleared: a new session id and a cost of 0. */
export interface ConversationResetEvent extends SessionEvent {
  type: 'conversation_reset'
  new_conversation_id?: string
  trigger?: Open<'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding'>
  user_message_uuid?: string
  timestamp?: string
}

/** The goal of the session; `null` when it was removed. */
export interface ActiveGoalEvent extends SessionEvent {
  type: 'active_goal'
  value?: {
    condition?: string
    iterations?: number
    set_at?: number
    tokens_at_start?: number
    last_reason?: string
  } | null
}

/** A message to the agent was queued, started or completed. */
export interface CommandLifecycleEvent extends SessionEvent {
  type: 'command_lifecycle'
  command_uuid?: string
  state?: Open<'queued' | 'started' | 'completed' | 'cancelled' | 'discarded' | 'refused'>
  /** The source of a scheduled turn: a ScheduleWakeup call, or another schedule such as a cron job. */
  wakeup_source?: Open<'loop_wakeup' | 'schedule_wakeup'>
  /** When a `loop_wakeup` was due, in milliseconds since 1970. */
  scheduled_for?: number
}
