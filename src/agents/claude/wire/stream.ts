// Stream events of the Messages API. Claude Code wraps them in `stream_event` with `--include-partial-messages`; on a line
// of their own they are accepted too.

import type {EventBase, SessionEvent, Usage} from './common.ts'
import type {ContentBlock, ToolResultBlock, ToolUseBlock} from './content.ts'
import type {Message} from './conversation.ts'

/** A part of an incomplete message. */
export interface StreamEvent extends SessionEvent {
  type: 'stream_event'
  event?: MessageStreamEvent
  parent_tool_use_id?: string | null
  ttft_ms?: number
  api_message_id?: string
  abandoned_blocks?: {api_message_id?: string; from_block_index?: number}
  thinking_display?: string
  user_message_uuid?: string
  user_message_uuids?: string[]
  resume_reason?: string
  owed_rows?: unknown[]
}

/** Known contents of a `stream_event`. Keep a default branch. */
export type MessageStreamEvent =
  | MessageStart
  | MessageDelta
  | MessageStop
  | ContentBlockStart
  | ContentBlockDelta
  | ContentBlockStop
  | Ping
  | StreamError

/** A message begins. */
export interface MessageStart {
  type: 'message_start'
  message?: Message
}

/** A message has its stop reason and its final usage. */
export interface MessageDelta {
  type: 'message_delta'
  delta?: {
    stop_reason?: string | null
    stop_sequence?: string | null
    stop_details?: unknown
    container?: unknown
  }
  usage?: Usage
  context_management?: unknown
}

/** A message is complete. */
export interface MessageStop {
  type: 'message_stop'
}

/** A content block begins. */
export interface ContentBlockStart {
  type: 'content_block_start'
  index?: number
  content_block?: ContentBlock
}

/** A delta of a content block. */
export interface ContentBlockDelta {
  type: 'content_block_delta'
  index?: number
  delta?: BlockDelta
}

/** A content block is complete. */
export interface ContentBlockStop {
  type: 'content_block_stop'
  index?: number
}

/** A heartbeat of the provider. */
export interface Ping {
  type: 'ping'
}

/** The provider failed within a message. */
export interface StreamError {
  type: 'error'
  error?: {type?: string; message?: string} | string
}

/** Known deltas of a block. Keep a default branch. */
export type BlockDelta =
  | {type: 'text_delta'; text: string}
  | {type: 'input_json_delta'; partial_json: string}
  | {type: 'thinking_delta'; thinking: string}
  | {type: 'signature_delta'; signature: string}
  | {type: 'citations_delta'; citation?: unknown}
  | {type: 'compaction_delta'; content?: string | null}

/** Stream events and blocks on lines of their own, as in early descriptions of the format. */
export type BareEvent =
  | (MessageStart & SessionEvent)
  | (MessageDelta & SessionEvent)
  | (MessageStop & SessionEvent)
  | (ContentBlockStart & SessionEvent)
  | (ContentBlockDelta & SessionEvent)
  | (ContentBlockStop & SessionEvent)
  | (Ping & EventBase)
  | (StreamError & SessionEvent)
  | (ToolUseBlock & SessionEvent)
  | (ToolResultBlock & SessionEvent)
