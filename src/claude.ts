/**
 * Claude Code's `stream-json` output: the strict parser of contract v1, and the lossless events of
 * what the real program prints.
 *
 * @module
 */
export {
  contentBlocks,
  contentString,
  inputString,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  textContent,
  thinkingContent,
  toolResultBlocks,
  toolUseBlocks,
} from './agents/claude/content.ts'
export {
  ClaudeStreamJsonParseError,
  ClaudeStreamJsonParser,
  type ClaudeStreamEvent,
  type ClaudeStreamJsonErrorCode,
  type ClaudeStreamJsonEvent,
  type ParseOutcome,
} from './agents/claude/contract.ts'
export {
  ClaudeDecoderStream,
  createClaudeDecoder,
  decodeClaudeStream,
  type ClaudeDecoderOptions,
  type ClaudeStreamOptions,
} from './agents/claude/decode.ts'
export {
  isTerminal,
  type BlankEvent,
  type ClaudeEvent,
  type KnownEvent,
  type MalformedEvent,
  type OtherEvent,
  type RawClaudeEvent,
} from './agents/claude/events.ts'
export {parseRawEvent} from './agents/claude/parse-event.ts'
export type * from './agents/claude/wire/common.ts'
export type * from './agents/claude/wire/content.ts'
export type * from './agents/claude/wire/control.ts'
export type * from './agents/claude/wire/conversation.ts'
export type * from './agents/claude/wire/notice.ts'
export type * from './agents/claude/wire/stream.ts'
export type * from './agents/claude/wire/system.ts'
