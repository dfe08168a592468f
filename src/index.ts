/**
 * The package root: core, and the names of the Claude parser contract v1, which that document wants at the root.
 *
 * @module
 */
export * from './core/index.ts'
export {
  ClaudeStreamJsonParseError,
  ClaudeStreamJsonParser,
  type ClaudeStreamEvent,
  type ClaudeStreamJsonErrorCode,
  type ClaudeStreamJsonEvent,
  type ParseOutcome,
} from './agents/claude/index.ts'
