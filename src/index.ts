/**
 * The package root: the public API of core, the Claude parser contract v1, permission rules and secret masking.
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
} from './claude.ts'
export {decide, formatRule, matchesRule, parseRule} from './permissions/rules.ts'
export {maskSecrets} from './secrets/mask-secrets.ts'
