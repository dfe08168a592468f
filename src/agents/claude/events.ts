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
 * An event of Claude Code's `stream-json` output. Known types are the parsed line itself, with the
 * names it has on the wire; `extras` tells what of it is not typed. Types say what the real program
 * prints, every field may be missing, and only `type` and `subtype` are checked.
 */
export type ClaudeEvent = KnownEvent | OtherEvent | BlankEvent | MalformedEvent

/** An event of a type, and of a subtype where there are some, that this version knows. */
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

/** JSON of a type or a `system` subtype that is not known yet, whole. */
export interface OtherEvent {
  type: 'other'
  value: unknown
}

/** A line of white space. */
export interface BlankEvent {
  type: 'blank'
}

/** A line that is not JSON, or was too long to keep. The record's `raw` has its text. */
export interface MalformedEvent {
  type: 'malformed'
  reason: MalformedReason
  /** Length of the line in bytes, without its newline. */
  size: number
  /** Where in `raw` the JSON parser stopped, in characters; absent where the engine does not report it. */
  position?: number
}

/** An event with the exact text of its line, newline included where it came from a stream. */
export interface RawClaudeEvent {
  /** The text of all events of a stream, joined, is the stream. */
  raw: string
  event: ClaudeEvent
  /** What really came, when that was not valid UTF-8. */
  bytes?: Uint8Array
}

/** Tells whether an event ends a turn. More turns may follow in the same run. */
export function isTerminal(event: ClaudeEvent): event is ResultEvent {
  return event.type === 'result'
}
