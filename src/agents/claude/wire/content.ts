// Content blocks of messages, of tool results and of the stream.

import type {Open} from './common.ts'

/** Text for the user. */
export interface TextBlock {
  type: 'text'
  text: string
  citations?: unknown[] | null
}

/** Thinking of the model; empty when the provider withholds it. */
export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature?: string
}

/** Thinking that only the provider can read. */
export interface RedactedThinkingBlock {
  type: 'redacted_thinking'
  data?: string
}

/** A tool call that Claude Code executes. */
export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input?: unknown
  caller?: unknown
}

/** The result of a tool call. */
export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string | ContentBlock[] | null
  is_error?: boolean | null
  /** The text of a failure in early descriptions; the real program puts it into `content`. */
  error?: string
}

/** A tool call that the provider executes. */
export interface ServerToolUseBlock {
  type: 'server_tool_use' | 'mcp_tool_use'
  id: string
  name: string
  input?: unknown
  server_name?: string
  caller?: unknown
}

/** The result of a tool call that the provider executed. */
export interface ServerToolResultBlock {
  type:
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'mcp_tool_result'
    | 'advisor_tool_result'
  tool_use_id?: string
  content?: unknown
  is_error?: boolean
  caller?: unknown
}

/** An image. */
export interface ImageBlock {
  type: 'image'
  source?: MediaSource
}

/** A document, such as a PDF. */
export interface DocumentBlock {
  type: 'document'
  source?: MediaSource
  title?: string | null
  context?: string | null
  citations?: unknown
}

/** The data of an image or a document, or a reference to it. */
export interface MediaSource {
  type?: Open<'base64' | 'url' | 'file' | 'text' | 'content'>
  media_type?: string
  data?: string
  url?: string
  file_id?: string
  content?: unknown
}

/** Blocks without text of their own: search results, uploads, references, compaction, fallback. */
export interface ReferenceBlock {
  type:
    | 'search_result'
    | 'container_upload'
    | 'tool_reference'
    | 'resource'
    | 'resource_link'
    | 'compaction'
    | 'fallback'
  [detail: string]: unknown
}

/** A block of content of a known kind. Keep a default branch: a release may add kinds. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | ImageBlock
  | DocumentBlock
  | ReferenceBlock
