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
} from './content.ts'
export {
  ClaudeStreamJsonParseError,
  ClaudeStreamJsonParser,
  type ClaudeStreamEvent,
  type ClaudeStreamJsonErrorCode,
  type ClaudeStreamJsonEvent,
  type ParseOutcome,
} from './contract.ts'
export {
  ClaudeDecoderStream,
  createClaudeDecoder,
  decodeClaudeStream,
  type ClaudeDecoderOptions,
  type ClaudeStreamOptions,
} from './decode.ts'
export {
  isTerminal,
  type BlankEvent,
  type ClaudeEvent,
  type KnownEvent,
  type MalformedEvent,
  type OtherEvent,
  type RawClaudeEvent,
} from './events.ts'
export {parseRawEvent} from './parse-event.ts'
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
} from './wire/common.ts'
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
} from './wire/content.ts'
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
} from './wire/control.ts'
export type {
  AssistantEvent,
  ContextUsage,
  Message,
  ResultErrorEvent,
  ResultEvent,
  ResultFields,
  ResultSuccessEvent,
  UserEvent,
} from './wire/conversation.ts'
export type {
  SystemHookProgressEvent,
  SystemHookResponseEvent,
  SystemHookStartedEvent,
} from './wire/hook.ts'
export type {
  ActiveGoalEvent,
  AuthStatusEvent,
  CommandLifecycleEvent,
  ConversationResetEvent,
  PromptSuggestionEvent,
  RateLimitEvent,
  ToolProgressEvent,
  ToolUseSummaryEvent,
} from './wire/notice.ts'
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
} from './wire/stream.ts'
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
} from './wire/system.ts'
export type {
  SystemBackgroundTasksChangedEvent,
  SystemTaskNotificationEvent,
  SystemTaskProgressEvent,
  SystemTaskStartedEvent,
  SystemTaskUpdatedEvent,
  TaskUsage,
} from './wire/task.ts'
