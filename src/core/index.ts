/**
 * The core of Vitrine: bytes to lines, lines to records, records to events with one vocabulary for every agent, events to
 * run state and messages. Lossless, without dependencies; runs in Node and in a browser.
 *
 * This list is the public API. Other modules of Vitrine import the module they need directly.
 *
 * @module
 */

// Bytes to records.
export {createLineDecoder, type Chunk, type Decoder, type LineOptions} from './wire/lines.ts'
export {
  createRecordDecoder,
  parseRecord,
  type LineRecord,
  type RecordOptions,
} from './wire/records.ts'
export {decodeStream, DecoderStream, type Source, type StreamOptions} from './wire/stream.ts'

// Events.
export type {
  AgentEvent,
  FileChangeEvent,
  MalformedEvent,
  PermissionEvent,
  PlanEvent,
  PlanItem,
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
export {summarize} from './events/summarize.ts'

// The state of a run.
export {extractResult, isComplete} from './run/completion.ts'
export {withPendingUsage, type Ledger, type Usage} from './run/ledger.ts'
export type {RunResult} from './run/run-result.ts'
export {listFiles} from './run/file-table.ts'
export {initialRunState, reduceRunState, type RunState} from './run/run-state.ts'
export type {RunSummary} from './run/run-summary.ts'
export {exitCodeOf, judgeRun, judgeStream, type ProcessFacts, type Verdict} from './run/verdict.ts'
export {explainWaiting, type Waiting} from './run/waiting.ts'

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
  type ErrorMessage,
  type FileChangedEvent,
  type GapMessage,
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
  type UnsubscribedMessage,
} from './protocol/server-message.ts'
export type {
  AnswerPermissionMessage,
  ClientMessage,
  PingMessage,
  StopRunMessage,
  SubscribeMessage,
  UnsubscribeMessage,
  UnwatchRunMessage,
  WatchRunMessage,
} from './protocol/client-message.ts'

// Text for people.
export {escapeControls} from './text/text.ts'
