import type {FileAction, ToolKind} from '../events/events.ts'
import {normalizePath} from '../text/normalize-path.ts'
import type {RunEnding, RunOrigin, RunSummary} from '../run/run-summary.ts'

/** The tools that messages tell apart. */
export type MessageTool =
  | 'Read'
  | 'Write'
  | 'Edit'
  | 'Bash'
  | 'Grep'
  | 'Glob'
  | 'WebFetch'
  | 'WebSearch'
  | 'Other'

/** What every message about a run has. */
export interface RunMessageBase {
  workOrderId: string
  runId: string
  /** Counts the messages of a run from 1; a message about the state has that of the last one it reflects. */
  seq: number
  /** ISO time. */
  timestamp: string
}

/** The agent called a tool. */
export interface AgentToolCallEvent extends RunMessageBase {
  type: 'agent_tool_call'
  toolUseId: string
  tool: MessageTool
  /** The agent's word for the tool. */
  name?: string | undefined
  input: Record<string, unknown>
}

/** A tool is done. */
export interface AgentToolResultEvent extends RunMessageBase {
  type: 'agent_tool_result'
  toolUseId: string
  success: boolean
  /** The first 500 characters of what the tool gave back, or of its error. */
  contentPreview: string
  /** The length of the whole. */
  contentLength: number
  durationMs: number
}

/** The agent said something. */
export interface AgentOutputEvent extends RunMessageBase {
  type: 'agent_output'
  content: string
}

/**
 * The agent reasoned, for subscribers with `includeThinking`. It has no number of its own, so that numbers have no hole for the others: its
 * `seq` is that of the message before it, as for state, and it is sent directly before the message after it.
 */
export interface AgentThinkingEvent extends RunMessageBase {
  type: 'agent_thinking'
  content: string
}

/** A file is another now. */
export interface FileChangedEvent extends RunMessageBase {
  type: 'file_changed'
  path: string
  action: FileAction
  sizeBytes?: number | undefined
  /** Whether another run may have made the change: one was active in the same folder. */
  isUncertain?: boolean | undefined
}

/** How far the run is. */
export interface ProgressUpdateEvent extends RunMessageBase {
  type: 'progress_update'
  /** From 0 to 100; never goes back, and is 100 only at the end. */
  percentage: number
  currentPhase: string
  toolCallCount: number
  elapsedSeconds: number
  estimatedRemainingSeconds?: number | undefined
}

/** A run began: always the first message of it. */
export interface RunStartedEvent extends RunMessageBase, RunOrigin {
  type: 'run_started'
}

/** What holds of a run now. */
export interface RunUpdatedEvent extends RunMessageBase {
  type: 'run_updated'
  run: RunSummary
}

/** A run is over, and how it ended: always the last message of it. */
export interface RunEndedEvent extends RunMessageBase, RunEnding {
  type: 'run_ended'
}

/** The agent asks whether it may use a tool. Told to those who may answer. */
export interface PermissionRequestEvent extends RunMessageBase {
  type: 'permission_request'
  /** By which it is answered; without it nobody but the agent's own screen can. */
  requestId?: string | undefined
  toolUseId?: string | undefined
  tool: MessageTool
  name: string
  input: Record<string, unknown>
  reason?: string | undefined
  /** A rule that would allow this and what is like it. */
  suggestedRule?: string | undefined
}

/** Everything that is told of a run. */
export type RunMessage =
  // What happens, each with a number of its own.
  | RunStartedEvent
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentOutputEvent
  | FileChangedEvent
  | PermissionRequestEvent
  | RunEndedEvent
  // With the number of the message before it, as it is optional.
  | AgentThinkingEvent
  // What holds, with the number of the last thing that happened.
  | ProgressUpdateEvent
  | RunUpdatedEvent

/** A subscription holds from here on. */
export interface SubscribedMessage extends Required<SubscribeFilter> {
  type: 'subscribed'
  runId?: string | undefined
  workOrderId?: string | undefined
  /** After which message it goes on; absent when from now. */
  since?: number | undefined
  ref?: string | undefined
}

/** A subscription holds no more. */
export interface UnsubscribedMessage {
  type: 'unsubscribed'
  runId?: string | undefined
  workOrderId?: string | undefined
  ref?: string | undefined
}

/** Messages that a client was too slow for. It can subscribe again with `since: from - 1`. */
export interface GapMessage {
  type: 'gap'
  runId: string
  workOrderId: string
  /** The first message that is missing, and the last. */
  from: number
  to: number
}

/** The recording of a run was removed: there is no such run any more. */
export interface RunRemovedMessage {
  type: 'run_removed'
  runId: string
  workOrderId: string
}

/** What a client said was not understood, or not done. The connection lives on. */
export interface ErrorMessage {
  type: 'error'
  code: ErrorCode
  message: string
  /** The field that is wrong, if it is one. */
  field?: string | undefined
  ref?: string | undefined
}

/** Why a client's message came to nothing. */
export type ErrorCode =
  | 'bad-json'
  | 'binary'
  | 'unknown-type'
  | 'bad-field'
  | 'forbidden'
  | 'rate-limited'
  | 'too-many'
  | 'no-such-run'
  | 'no-such-request'
  | 'not-reachable'

/** The answer to a ping. */
export interface PongMessage {
  type: 'pong'
  timestamp: string
  ref?: string | undefined
}

/** Everything that a hub says to a client. */
export type ServerMessage =
  | RunMessage
  | SubscribedMessage
  | UnsubscribedMessage
  | GapMessage
  | RunRemovedMessage
  | ErrorMessage
  | PongMessage

/** Which messages a subscriber wants; all of them but thinking by default. */
export interface SubscribeFilter {
  includeToolCalls?: boolean | undefined
  includeToolResults?: boolean | undefined
  includeOutput?: boolean | undefined
  includeFileChanges?: boolean | undefined
  includeProgress?: boolean | undefined
  /** @defaultValue false */
  includeThinking?: boolean | undefined
}

/** What a subscriber gets that does not say what it wants. */
export const defaultFilter: Readonly<Record<keyof SubscribeFilter, boolean>> = {
  includeToolCalls: true,
  includeToolResults: true,
  includeOutput: true,
  includeFileChanges: true,
  includeProgress: true,
  includeThinking: false,
}

/** The flag that a kind of message is wanted by; kinds without one are always told. */
const FLAGS: Readonly<Partial<Record<RunMessage['type'], keyof SubscribeFilter>>> = {
  agent_tool_call: 'includeToolCalls',
  agent_tool_result: 'includeToolResults',
  agent_output: 'includeOutput',
  file_changed: 'includeFileChanges',
  progress_update: 'includeProgress',
  agent_thinking: 'includeThinking',
}

/** Tells whether a subscriber wants messages of a kind. */
export function isWanted(type: RunMessage['type'], filter: SubscribeFilter): boolean {
  const flag = FLAGS[type]
  return flag === undefined || (filter[flag] ?? defaultFilter[flag])
}

/** Tells whether a message says what holds now: only the latest of its kind is worth anything. */
export function isStateMessage(type: RunMessage['type']): boolean {
  return type === 'progress_update' || type === 'run_updated'
}

const MESSAGE_TOOLS: ReadonlySet<string> = new Set<MessageTool & ToolKind>([
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Grep',
  'Glob',
  'WebFetch',
  'WebSearch',
])

/** Tells whether a word for a tool is one that says what it does, and means the same for every agent. */
export function isToolWord(word: string): word is Exclude<MessageTool, 'Other'> {
  return MESSAGE_TOOLS.has(word)
}

/** Our word for a tool as messages have it: they tell fewer apart. */
export function toMessageTool(word: string): MessageTool {
  return isToolWord(word) ? word : 'Other'
}

/** What a message is made of besides the run: its own fields, and time and number where they are known. */
export type MessageData<M extends RunMessage> = Omit<M, keyof RunMessageBase | 'type'> &
  Partial<Pick<RunMessageBase, 'seq' | 'timestamp'>>

/** A message for a tool call. */
export function createToolCallEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<AgentToolCallEvent>,
): AgentToolCallEvent {
  const {seq = 0, timestamp = now(), toolUseId, tool, name, input} = data
  const type = 'agent_tool_call'
  if (name === undefined) return {type, workOrderId, runId, seq, timestamp, toolUseId, tool, input}
  return {type, workOrderId, runId, seq, timestamp, toolUseId, tool, name, input}
}

/** The result of a tool: its content whole, or the preview and the length of it. */
export type ToolResultData = Omit<
  MessageData<AgentToolResultEvent>,
  'contentPreview' | 'contentLength'
> & {
  content?: string | undefined
  contentPreview?: string | undefined
  contentLength?: number | undefined
}

/** A message for the result of a tool; the preview is cut to 500 characters. */
export function createToolResultEvent(
  workOrderId: string,
  runId: string,
  data: ToolResultData,
): AgentToolResultEvent {
  const {seq = 0, timestamp = now(), toolUseId, success, durationMs} = data
  const {content = data.contentPreview ?? '', contentLength = content.length} = data
  const contentPreview = cutPreview(content)
  return {
    type: 'agent_tool_result',
    workOrderId,
    runId,
    seq,
    timestamp,
    toolUseId,
    success,
    contentPreview,
    contentLength,
    durationMs,
  }
}

/** A message for text of the agent. */
export function createOutputEvent(
  workOrderId: string,
  runId: string,
  data: string | MessageData<AgentOutputEvent>,
): AgentOutputEvent {
  const fields: MessageData<AgentOutputEvent> = typeof data === 'string' ? {content: data} : data
  const {seq = 0, timestamp = now(), content} = fields
  return {type: 'agent_output', workOrderId, runId, seq, timestamp, content}
}

/** A message for reasoning of the agent. */
export function createThinkingEvent(
  workOrderId: string,
  runId: string,
  data: string | MessageData<AgentThinkingEvent>,
): AgentThinkingEvent {
  const fields: MessageData<AgentThinkingEvent> = typeof data === 'string' ? {content: data} : data
  const {seq = 0, timestamp = now(), content} = fields
  return {type: 'agent_thinking', workOrderId, runId, seq, timestamp, content}
}

/** A message for a changed file. */
export function createFileChangedEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<FileChangedEvent>,
): FileChangedEvent {
  const event: FileChangedEvent = {
    type: 'file_changed',
    ...base(workOrderId, runId, data),
    ...data,
    path: normalizePath(data.path),
  }
  // A file that is gone has no size.
  if (event.action === 'deleted') delete event.sizeBytes
  return event
}

/** A message for the progress of a run. */
export function createProgressEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<ProgressUpdateEvent>,
): ProgressUpdateEvent {
  return {type: 'progress_update', ...base(workOrderId, runId, data), ...data}
}

/** A message for the beginning of a run. */
export function createRunStartedEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<RunStartedEvent>,
): RunStartedEvent {
  return {type: 'run_started', ...base(workOrderId, runId, data), ...data}
}

/** A message for what holds of a run now. */
export function createRunUpdatedEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<RunUpdatedEvent>,
): RunUpdatedEvent {
  return {type: 'run_updated', ...base(workOrderId, runId, data), ...data}
}

/** A message for the end of a run. */
export function createRunEndedEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<RunEndedEvent>,
): RunEndedEvent {
  return {type: 'run_ended', ...base(workOrderId, runId, data), ...data}
}

/** A message for a permission that is asked for. */
export function createPermissionRequestEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<PermissionRequestEvent>,
): PermissionRequestEvent {
  return {type: 'permission_request', ...base(workOrderId, runId, data), ...data}
}

/** So many characters of a result are told. */
export const PREVIEW_LENGTH = 500

/** Half a surrogate pair at the end would be no character at all. */
function cutPreview(content: string): string {
  if (content.length <= PREVIEW_LENGTH) return content
  const last = content.charCodeAt(PREVIEW_LENGTH - 1)
  return content.slice(0, last >= 0xd800 && last <= 0xdbff ? PREVIEW_LENGTH - 1 : PREVIEW_LENGTH)
}

function base(
  workOrderId: string,
  runId: string,
  {seq = 0, timestamp = now()}: Partial<RunMessageBase>,
): RunMessageBase {
  return {workOrderId, runId, seq, timestamp}
}

function now(): string {
  return new Date().toISOString()
}
