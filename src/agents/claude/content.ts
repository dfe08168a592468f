import {isRecord, textAt, toText} from '../../core/wire/json.ts'
import {blocksOf} from '../messages-api/content.ts'
import type {ClaudeEvent} from './events.ts'
import type {
  ContentBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './wire/content.ts'

/**
 * The content blocks of an event, from a list, a string, or a single block instead of the message. None for events without
 * a message.
 */
export function contentBlocks(event: ClaudeEvent): ContentBlock[] {
  if (event.type === 'tool_use' || event.type === 'tool_result') return [event]
  if (event.type !== 'assistant' && event.type !== 'user') return []
  return blocksOf({message: event.message}) as unknown[] as ContentBlock[]
}

/** The tool calls of an assistant's message. */
export function toolUseBlocks(event: ClaudeEvent): ToolUseBlock[] {
  return event.type === 'user' ? [] : contentBlocks(event).filter(isToolUse)
}

/** The tool results of a user's message. */
export function toolResultBlocks(event: ClaudeEvent): ToolResultBlock[] {
  return event.type === 'assistant' ? [] : contentBlocks(event).filter(isToolResult)
}

/** The text of a message, of all its text blocks joined. */
export function textContent(event: ClaudeEvent): string {
  return joinBlocks(event, 'text')
}

/** The thinking of a message, of all its thinking blocks joined. */
export function thinkingContent(event: ClaudeEvent): string {
  return joinBlocks(event, 'thinking')
}

/** Whether a block is text. */
export function isText(block: unknown): block is TextBlock {
  return isBlockOf(block, 'text')
}

/** Whether a block is thinking. */
export function isThinking(block: unknown): block is ThinkingBlock {
  return isBlockOf(block, 'thinking')
}

/** Whether a block is a tool call. */
export function isToolUse(block: unknown): block is ToolUseBlock {
  return isBlockOf(block, 'tool_use')
}

/** Whether a block is a tool result. */
export function isToolResult(block: unknown): block is ToolResultBlock {
  return isBlockOf(block, 'tool_result')
}

/** The input of a tool call as indented JSON; empty when there is none. */
export function inputString(block: ContentBlock): string {
  return toText(fieldOf(block, 'input'), 2)
}

/**
 * The content of a tool result as text: strings and text blocks unchanged, everything else as JSON, one line each.
 */
export function contentString(block: ContentBlock): string {
  const content = fieldOf(block, 'content')
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts.map((part) => toText(isText(part) ? part.text : part)).join('\n')
}

function fieldOf(block: unknown, name: string): unknown {
  return isRecord(block) ? block[name] : undefined
}

function joinBlocks(event: ClaudeEvent, type: 'text' | 'thinking'): string {
  const blocks = contentBlocks(event).filter((block) => isBlockOf(block, type))
  return blocks.map((block) => textAt(block, type) ?? '').join('')
}

function isBlockOf(block: unknown, type: string): boolean {
  return isRecord(block) && block['type'] === type
}
