/**
 * The core of Vitrine: bytes to lines, lines to records, records to events with one vocabulary for every agent, events to
 * run state and messages. Lossless, without dependencies; runs in Node and in a browser.
 *
 * This list is the public API. Other modules of Vitrine import the module they need directly.
 *
 * @module
 */

// Bytes to records.
export {
  createLineDecoder,
  type Chunk,
  type Decoder,
  type LineOptions,
  type LineReader,
} from './wire/lines.ts'
export {
  createRecordDecoder,
  parseRecord,
  type BlankRecord,
  type JsonRecord,
  type LineRecord,
  type MalformedReason,
  type MalformedRecord,
  type RecordOptions,
} from './wire/records.ts'
export {
  decodeStream,
  DecoderStream,
  type Source,
  type StreamOptions,
  type WebStream,
} from './wire/stream.ts'

// Events.
export type {
  AgentEvent,
  AgentEventBase,
  FileAction,
  FileChangeEvent,
  MalformedEvent,
  McpServerState,
  PermissionEvent,
  PlanEvent,
  PlanItem,
  PlanStatus,
  SessionStartEvent,
  StatusEvent,
  StatusKind,
  TaskEvent,
  TextEvent,
  Tokens,
  ToolEndEvent,
  ToolKind,
  ToolStartEvent,
  ToolUpdateEvent,
  TurnEndEvent,
  UnknownEvent,
  UsageEvent,
} from './events/events.ts'
export type {Drift} from './events/drift.ts'
export type {UserAnswers, UserQuestion} from './events/question.ts'
export {summarize} from './events/summarize.ts'

// The state of a run.
export {extractResult, isComplete} from './run/completion.ts'
export {
  initialLedger,
  reduceLedger,
  withPendingUsage,
  type Ledger,
  type Usage,
} from './run/ledger.ts'
export type {Limits} from './run/limits.ts'
export type {RunResult} from './run/run-result.ts'
export {
  countFiles,
  initialRunState,
  listFiles,
  reduceRunState,
  type RunState,
} from './run/run-state.ts'
export type {RunEnding, RunOrigin, RunSummary} from './run/run-summary.ts'
export {
  exitCodeOf,
  judgeRun,
  judgeStream,
  type ProcessFacts,
  type Verdict,
  type VerdictKind,
} from './run/verdict.ts'
export {explainWaiting, type Waiting, type WaitingKind} from './run/waiting.ts'

// Messages between a hub and its clients.
export {
  createFileChangedEvent,
  createOutputEvent,
  createPermissionRequestEvent,
  createProgressEvent,
  createRunEndedEvent,
  createRunStartedEvent,
  createRunUpdatedEvent,
  createThinkingEvent,
  createToolCallEvent,
  createToolResultEvent,
  type AgentOutputEvent,
  type AgentThinkingEvent,
  type AgentToolCallEvent,
  type AgentToolResultEvent,
  type ErrorCode,
  type ErrorMessage,
  type FileChangedEvent,
  type GapMessage,
  type MessageTool,
  type PermissionRequestEvent,
  type PongMessage,
  type ProgressUpdateEvent,
  type RunEndedEvent,
  type RunMessage,
  type RunRemovedMessage,
  type RunStartedEvent,
  type RunUpdatedEvent,
  type ServerMessage,
  type SubscribedMessage,
  type SubscribeFilter,
  type UnsubscribedMessage,
} from './protocol/server-message.ts'
export {
  parseClientMessage,
  type AnswerPermissionMessage,
  type ClientMessage,
  type PingMessage,
  type StopRunMessage,
  type SubscribeMessage,
  type UnsubscribeMessage,
  type UnwatchRunMessage,
  type WatchRunMessage,
} from './protocol/client-message.ts'

// Text for people.
export {formatCount, formatDuration, formatMoney} from './text/figures.ts'
export {firstLine, escapeControls} from './text/text.ts'
