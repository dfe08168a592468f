// `system` lines about sub-agents and background tasks.

import type {Open, SystemFields} from './common.ts'

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
