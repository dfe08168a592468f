/**
 * The core of Vitrine: streams into lines, lines into records, and records into events that are the same
 * for every agent, with nothing lost. No dependency, runs in Node and in a browser.
 *
 * @module
 */
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
  isStateMessage,
  isToolWord,
  defaultFilter,
  isWanted,
  toMessageTool,
  type AgentOutputEvent,
  type AgentThinkingEvent,
  type AgentToolCallEvent,
  type AgentToolResultEvent,
  type ErrorCode,
  type ErrorMessage,
  type FileChangedEvent,
  type GapMessage,
  type MessageData,
  type MessageTool,
  type PermissionRequestEvent,
  type PongMessage,
  type ProgressUpdateEvent,
  type RunEndedEvent,
  type RunMessage,
  type RunMessageBase,
  type RunRemovedMessage,
  type RunStartedEvent,
  type RunUpdatedEvent,
  type ServerMessage,
  type SubscribedMessage,
  type SubscribeFilter,
  type ToolResultData,
  type UnsubscribedMessage,
} from './activity.ts'
export type {
  Adapter,
  Control,
  Decision,
  Draft,
  OpenTool,
  StderrStatus,
  Translator,
  TranslatorContext,
} from './adapter.ts'
export {reportIncomplete} from './adapter.ts'
export {
  parseClientMessage,
  type AnswerPermissionMessage,
  type ClientMessage,
  type ClientMessageFlaw,
  type ClientMessageOutcome,
  type PingMessage,
  type StopRunMessage,
  type SubscribeMessage,
  type UnsubscribeMessage,
  type UnwatchRunMessage,
  type WatchRunMessage,
} from './client-message.ts'
export {extractResult, isComplete} from './completion.ts'
export type {Drift} from './drift.ts'
export {
  createEventDecoder,
  createEventParser,
  type EventDecoder,
  type EventDecoderOptions,
  type EventParser,
  type EventParserOptions,
} from './event-parser.ts'
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
} from './events.ts'
export {formatClock, formatCount, formatDuration, formatMoney} from './figures.ts'
export type {FileState, FileTable} from './file-table.ts'
export {createArgumentReader, type ArgumentGrammar, type ArgumentReader} from './arguments.ts'
export {firstWord, hasOption, isOtherCommand, optionValue} from './flags.ts'
export {createSpeechFolder, type Speech, type SpeechContext, type SpeechFolder} from './fold.ts'
export {
  encodeJson,
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from './json.ts'
export {
  addTokens,
  countTokens,
  initialLedger,
  reduceLedger,
  withUnsettled,
  type Ledger,
  type ModelShare,
  type Spent,
  type Unsettled,
} from './ledger.ts'
export {
  createLineDecoder,
  type Chunk,
  type Decoder,
  type LineFlaw,
  type LineOptions,
  type LineReader,
} from './lines.ts'
export {createLineMasker, type LineMasker, type MaskedLine} from './line-masker.ts'
export {findBreach, type Breach, type Limits, type RunClock} from './limits.ts'
export {
  createMessageTeller,
  toTimestamp,
  type MessageTeller,
  type MessageTellerOptions,
} from './message-teller.ts'
export {maskSecrets, maskSecretsIn} from './mask-secrets.ts'
export type {PathOptions} from './paths.ts'
export {
  decide,
  formatRule,
  matchesRule,
  parseRule,
  type PermissionMode,
  type PermissionRules,
  type Rule,
  type RuleSide,
  type Ruling,
  type ToolRequest,
} from './permissions.ts'
export {readPlan, readPlanStatus} from './plan.ts'
export {createStreamMasker, type MaskedPiece, type StreamMasker} from './stream-masker.ts'
export {
  createProgressMeter,
  describeProgress,
  type Progress,
  type ProgressContext,
  type ProgressGround,
  type ProgressMeter,
} from './progress.ts'
export {createPulse, type Pulse} from './pulse.ts'
export {
  findAnswerFlaw,
  formatAnswers,
  readQuestions,
  type QuestionOption,
  type UserAnswers,
  type UserQuestion,
} from './question.ts'
export {
  createRecordDecoder,
  parseRecord,
  type BlankRecord,
  type JsonRecord,
  type LineRecord,
  type MalformedReason,
  type MalformedRecord,
  type RecordBase,
  type RecordOptions,
} from './records.ts'
export type {Ending, RunResult} from './run-result.ts'
export {
  pickEnding,
  summarizeRun,
  type RunEnding,
  type RunFindings,
  type RunOrigin,
  type RunSummary,
} from './run-summary.ts'
export {
  changeFileOnDisk,
  countFiles,
  initialRunState,
  listFiles,
  reduceRunState,
  settleRequest,
  type Activity,
  type HookState,
  type OpenToolState,
  type RequestState,
  type RunState,
  type SubAgent,
  type TaskState,
  type WakeUp,
} from './run-state.ts'
export {defineShapes, type Novelty, type Shape, type Shapes, type ShapeTable} from './shapes.ts'
export {
  decodeStream,
  DecoderStream,
  type Source,
  type StreamOptions,
  type WebStream,
} from './stream.ts'
export {suggestRule} from './suggest-rule.ts'
export {shortenPath} from './shorten-path.ts'
export {summarize} from './summarize.ts'
export {
  countDiff,
  countLines,
  cutText,
  escapeCiCommands,
  firstLine,
  makeHarmless,
  segmentText,
} from './text.ts'
export {
  exitCodeOf,
  judgeRun,
  judgeStream,
  type ProcessFacts,
  type StopCause,
  type Verdict,
  type VerdictKind,
} from './verdict.ts'
export {
  explainWaiting,
  isExcused,
  type ProcessSigns,
  type Waiting,
  type WaitingKind,
} from './waiting.ts'
