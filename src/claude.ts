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
export type {
  ApiErrorKind,
  EventBase,
  FastModeState,
  MessageOrigin,
  ModelUsage,
  Open,
  PermissionDenial,
  PermissionMode,
  SessionEvent,
  SystemFields,
  Usage,
} from './agents/claude/wire/common.ts'
export type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  MediaSource,
  RedactedThinkingBlock,
  ReferenceBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './agents/claude/wire/content.ts'
export type {
  CanUseTool,
  ControlCancelRequestEvent,
  ControlRequest,
  ControlRequestEvent,
  ControlResponseEvent,
  Elicitation,
  HookCallback,
  InitializeRequest,
  KeepAliveEvent,
  McpCallRequest,
  McpMessage,
  PermissionSuggestion,
  RequestToClaude,
  RequestUserDialog,
} from './agents/claude/wire/control.ts'
export type {
  AssistantEvent,
  ContextUsage,
  Message,
  ResultErrorEvent,
  ResultEvent,
  ResultFields,
  ResultSuccessEvent,
  UserEvent,
} from './agents/claude/wire/conversation.ts'
export type {
  SystemHookProgressEvent,
  SystemHookResponseEvent,
  SystemHookStartedEvent,
} from './agents/claude/wire/hook.ts'
export type {
  ActiveGoalEvent,
  AuthStatusEvent,
  CommandLifecycleEvent,
  ConversationResetEvent,
  PromptSuggestionEvent,
  RateLimitEvent,
  ToolProgressEvent,
  ToolUseSummaryEvent,
} from './agents/claude/wire/notice.ts'
export type {
  BareEvent,
  BlockDelta,
  ContentBlockDelta,
  ContentBlockStart,
  ContentBlockStop,
  MessageDelta,
  MessageStart,
  MessageStop,
  MessageStreamEvent,
  Ping,
  StreamError,
  StreamEvent,
} from './agents/claude/wire/stream.ts'
export type {
  McpServer,
  SystemApiRetryEvent,
  SystemCommandsChangedEvent,
  SystemCompactBoundaryEvent,
  SystemControlRequestProgressEvent,
  SystemElicitationCompleteEvent,
  SystemEvent,
  SystemFilesPersistedEvent,
  SystemInformationalEvent,
  SystemInitEvent,
  SystemLocalCommandOutputEvent,
  SystemMemoryRecallEvent,
  SystemMirrorErrorEvent,
  SystemModelFallbackEvent,
  SystemModelRefusalFallbackEvent,
  SystemModelRefusalNoFallbackEvent,
  SystemNotificationEvent,
  SystemPermissionDeniedEvent,
  SystemPluginInstallEvent,
  SystemSessionStateChangedEvent,
  SystemSessionWritesLostEvent,
  SystemStatusEvent,
  SystemThinkingTokensEvent,
  SystemUiInvalidateEvent,
  SystemVcsStateChangedEvent,
  SystemWorkerShuttingDownEvent,
} from './agents/claude/wire/system.ts'
export type {
  SystemBackgroundTasksChangedEvent,
  SystemTaskNotificationEvent,
  SystemTaskProgressEvent,
  SystemTaskStartedEvent,
  SystemTaskUpdatedEvent,
  TaskUsage,
} from './agents/claude/wire/task.ts'
