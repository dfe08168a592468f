import type {MalformedReason} from '../../core/wire/records.ts'
import type {
  ControlCancelRequestEvent,
  ControlRequestEvent,
  ControlResponseEvent,
  KeepAliveEvent,
} from './wire/control.ts'
import type {AssistantEvent, ResultEvent, UserEvent} from './wire/conversation.ts'
import type {
  ActiveGoalEvent,
  AuthStatusEvent,
  CommandLifecycleEvent,
  ConversationResetEvent,
  PromptSuggestionEvent,
  RateLimitEvent,
  ToolProgressEvent,
  ToolUseSummaryEvent,
} from './wire/notice.ts'
import type {BareEvent, StreamEvent} from './wire/stream.ts'
import type {SystemEvent} from './wire/system.ts'

/**
 * An event of the `stream-json` output of Claude Code. Known types are the parsed line itself; `extras` contains the fields
 * without a type. Types describe the output of the real program: every field may be missing, and only `type` and `subtype`
 * are checked.
 */
export type ClaudeEvent = KnownEvent | OtherEvent | BlankEvent | MalformedEvent

/** An event with a known type and subtype. */
export type KnownEvent =
  // The conversation.
  | AssistantEvent
  | UserEvent
  | ResultEvent
  | StreamEvent
  | BareEvent
  // The session.
  | SystemEvent
  | ConversationResetEvent
  | CommandLifecycleEvent
  | ActiveGoalEvent
  | PromptSuggestionEvent
  // Tools and limits.
  | ToolProgressEvent
  | ToolUseSummaryEvent
  | RateLimitEvent
  | AuthStatusEvent
  // The control protocol.
  | ControlRequestEvent
  | ControlResponseEvent
  | ControlCancelRequestEvent
  | KeepAliveEvent

/** JSON of an unknown type or `system` subtype. */
export interface OtherEvent {
  type: 'other'
  value: unknown
}

/** A line of white space. */
export interface BlankEvent {
  type: 'blank'
}

/** A line that is not JSON, or was too long to keep. Its text is in `raw` of the record. */
export interface MalformedEvent {
  type: 'malformed'
  reason: MalformedReason
  /** Length of the line in bytes, without its newline. */
  size: number
  /** Where in `raw` the JSON parser stopped, in characters; absent when the engine does not report it. */
  position?: number
}

/** An event with the exact text of its line, including the newline if it is from a stream. */
export interface RawClaudeEvent {
  /** The texts of all events of a stream, joined, are the stream. */
  raw: string
  event: ClaudeEvent
  /** The original bytes, when they are not valid UTF-8. */
  bytes?: Uint8Array
}

/** Whether an event ends a turn. More turns may follow in the same run. */
export function isTerminal(event: ClaudeEvent): event is ResultEvent {
  return event.type === 'result'
}
