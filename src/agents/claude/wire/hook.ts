// `system` lines about hooks.

import type {Open, SystemFields} from './common.ts'

/** A hook began. */
export interface SystemHookStartedEvent extends SystemFields {
  subtype: 'hook_started'
  hook_id?: string
  hook_name?: string
  hook_event?: string
}

/** A hook printed something. */
export interface SystemHookProgressEvent extends SystemFields {
  subtype: 'hook_progress'
  hook_id?: string
  hook_name?: string
  hook_event?: string
  stdout?: string
  stderr?: string
  output?: string
}

/** A hook ended. */
export interface SystemHookResponseEvent extends SystemFields {
  subtype: 'hook_response'
  hook_id?: string
  hook_name?: string
  hook_event?: string
  output?: string
  stdout?: string
  stderr?: string
  exit_code?: number
  outcome?: Open<'success' | 'error' | 'cancelled'>
}
