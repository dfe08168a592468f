import type {SubscribeFilter} from './server-message.ts'
import type {JsonObject} from '../wire/json.ts'
import type {UserAnswers} from '../events/question.ts'

/** Subscribes to the messages of a run, of a work order, or of all runs. */
export interface SubscribeMessage extends SubscribeFilter {
  type: 'subscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  /** Replays everything after this message, 0 for all; only with a `runId`. Absent: live messages only. */
  since?: number | undefined
  /** Returned with the answer to this message. */
  ref?: string | undefined
}

/** Ends the subscription with the same ids. */
export interface UnsubscribeMessage {
  type: 'unsubscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  ref?: string | undefined
}

/** Checks the connection; answered with `pong`. */
export interface PingMessage {
  type: 'ping'
  ref?: string | undefined
}

/** Answers a permission request. The first answer wins. */
export interface AnswerPermissionMessage {
  type: 'answer_permission'
  runId: string
  requestId: string
  allow: boolean
  /** The reason sent to the agent with a denial. */
  message?: string | undefined
  /** Allows everything this rule covers for the rest of the run. */
  rule?: string | undefined
  /** Replaces the input of the tool. */
  input?: JsonObject | undefined
  /** The answers to each question; required to allow a request that is a question to the user. */
  answers?: UserAnswers | undefined
  ref?: string | undefined
}

/** Stops a run. */
export interface StopRunMessage {
  type: 'stop_run'
  runId: string
  ref?: string | undefined
}

/** Opens a view of one run: every item of its recording, then live items. */
export interface WatchRunMessage {
  type: 'watch_run'
  runId: string
  /** The number of the last item the client has; absent or 0 for all. */
  since?: number | undefined
  ref?: string | undefined
}

/** Closes the view of a run. */
export interface UnwatchRunMessage {
  type: 'unwatch_run'
  runId: string
  ref?: string | undefined
}

/** Every message from a client to a hub. */
export type ClientMessage =
  | SubscribeMessage
  | UnsubscribeMessage
  | PingMessage
  | AnswerPermissionMessage
  | StopRunMessage
  | WatchRunMessage
  | UnwatchRunMessage
