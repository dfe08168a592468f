import type {FileAction} from '../events/events.ts'
import {normalizePath} from '../text/normalize-path.ts'
import type {RunEnding, RunOrigin, RunSummary} from '../run/run-summary.ts'

/** The tools that have the same meaning for every agent. */
export const MESSAGE_TOOLS = [
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Grep',
  'Glob',
  'WebFetch',
  'WebSearch',
] as const

/** The tools that messages distinguish. */
export type MessageTool = (typeof MESSAGE_TOOLS)[number] | 'Other'

/** Fields of every message about a run. */
interface RunMessageBase {
  workOrderId: string
  runId: string
  /** Counts the messages of a run from 1; a state message has the number of the last message it reflects. */
  seq: number
  /** ISO time. */
  timestamp: string
}

/** The agent called a tool. */
export interface AgentToolCallEvent extends RunMessageBase {
  type: 'agent_tool_call'
  toolUseId: string
  tool: MessageTool
  /** The agent's name for the tool. */
  name?: string | undefined
  input: Record<string, unknown>
}

/** A tool call finished. */
export interface AgentToolResultEvent extends RunMessageBase {
  type: 'agent_tool_result'
  toolUseId: string
  success: boolean
  /** The first 500 characters of the tool's output, or of its error. */
  contentPreview: string
  /** The length of the complete output. */
  contentLength: number
  durationMs: number
}

/** The agent wrote text. */
export interface AgentOutputEvent extends RunMessageBase {
  type: 'agent_output'
  content: string
}

/**
 * The agent reasoned, for subscribers with `includeThinking`. It has no number of its own, so that other subscribers see
 * no gap: its `seq` is that of the message before it, and it is sent directly before the message after it.
 */
export interface AgentThinkingEvent extends RunMessageBase {
  type: 'agent_thinking'
  content: string
}

/** A file was created, modified or deleted. */
export interface FileChangedEvent extends RunMessageBase {
  type: 'file_changed'
  path: string
  action: FileAction
  sizeBytes?: number | undefined
  /** Whether another run may have made the change: one was active in the same folder. */
  isUncertain?: boolean | undefined
}

/** The progress of a run. */
export interface ProgressUpdateEvent extends RunMessageBase {
  type: 'progress_update'
  /** From 0 to 100; never decreases, and is 100 only at the end. */
  percentage: number
  currentPhase: string
  toolCallCount: number
  elapsedSeconds: number
  estimatedRemainingSeconds?: number | undefined
}

/** A run started: always its first message. */
export interface RunStartedEvent extends RunMessageBase, RunOrigin {
  type: 'run_started'
}

/** The current state of a run. */
export interface RunUpdatedEvent extends RunMessageBase {
  type: 'run_updated'
  run: RunSummary
}

/** A run ended: always its last message. */
export interface RunEndedEvent extends RunMessageBase, RunEnding {
  type: 'run_ended'
}

/** The agent requests permission to use a tool. Sent to clients that may answer. */
export interface PermissionRequestEvent extends RunMessageBase {
  type: 'permission_request'
  /** Identifies the request in an answer; without it only the agent's own terminal can answer. */
  requestId?: string | undefined
  toolUseId?: string | undefined
  tool: MessageTool
  name: string
  input: Record<string, unknown>
  reason?: string | undefined
  /** A rule that would allow this request and similar ones. */
  suggestedRule?: string | undefined
}

/** Every message about a run. */
export type RunMessage =
  // History: each message has a number of its own.
  | RunStartedEvent
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentOutputEvent
  | FileChangedEvent
  | PermissionRequestEvent
  | RunEndedEvent
  // Optional: has the number of the message before it.
  | AgentThinkingEvent
  // State: has the number of the last history message.
  | ProgressUpdateEvent
  | RunUpdatedEvent

/** A subscription started. */
export interface SubscribedMessage extends Record<keyof SubscribeFilter, boolean> {
  type: 'subscribed'
  runId?: string | undefined
  workOrderId?: string | undefined
  /** The message after which it continues; absent when it starts now. */
  since?: number | undefined
  ref?: string | undefined
}

/** A subscription ended. */
export interface UnsubscribedMessage {
  type: 'unsubscribed'
  runId?: string | undefined
  workOrderId?: string | undefined
  ref?: string | undefined
}

/** Messages dropped because the client was too slow. It can subscribe again with `since: from - 1`. */
export interface GapMessage {
  type: 'gap'
  runId: string
  workOrderId: string
  /** The first and the last missing message. */
  from: number
  to: number
}

/** The recording of a run was removed. */
export interface RunRemovedMessage {
  type: 'run_removed'
  runId: string
  workOrderId: string
}

/** Why a client message failed. */
export const ERROR_CODES = [
  'bad-json',
  'binary',
  'unknown-type',
  'bad-field',
  'forbidden',
  'rate-limited',
  'too-many',
  'no-such-run',
  'no-such-request',
  'not-reachable',
] as const

/** A client message was invalid or could not be executed. The connection stays open. */
export interface ErrorMessage {
  type: 'error'
  code: (typeof ERROR_CODES)[number]
  message: string
  /** The invalid field, if there is one. */
  field?: string | undefined
  ref?: string | undefined
}

/** The answer to a ping. */
export interface PongMessage {
  type: 'pong'
  timestamp: string
  ref?: string | undefined
}

/** Every message from a hub to a client. */
export type ServerMessage =
  | RunMessage
  | SubscribedMessage
  | UnsubscribedMessage
  | GapMessage
  | RunRemovedMessage
  | ErrorMessage
  | PongMessage

/** Which messages a subscriber receives; by default all except thinking. */
export interface SubscribeFilter {
  includeToolCalls?: boolean | undefined
  includeToolResults?: boolean | undefined
  includeOutput?: boolean | undefined
  includeFileChanges?: boolean | undefined
  includeProgress?: boolean | undefined
  /** @defaultValue false */
  includeThinking?: boolean | undefined
}

/** The filter of a subscriber that sets no flags. */
export const defaultFilter: Readonly<Record<keyof SubscribeFilter, boolean>> = {
  includeToolCalls: true,
  includeToolResults: true,
  includeOutput: true,
  includeFileChanges: true,
  includeProgress: true,
  includeThinking: false,
}

/** The filter flag of each message type; types without a flag are always sent. */
const FLAGS: Readonly<Partial<Record<RunMessage['type'], keyof SubscribeFilter>>> = {
  agent_tool_call: 'includeToolCalls',
  agent_tool_result: 'includeToolResults',
  agent_output: 'includeOutput',
  file_changed: 'includeFileChanges',
  progress_update: 'includeProgress',
  agent_thinking: 'includeThinking',
}

/** Whether a subscriber receives messages of a type. */
export function isWanted(type: RunMessage['type'], filter: SubscribeFilter): boolean {
  const flag = FLAGS[type]
  return flag === undefined || (filter[flag] ?? defaultFilter[flag])
}

/** Whether a message is state, not history: only the latest of its type matters. */
export function isStateMessage(type: RunMessage['type']): boolean {
  return type === 'progress_update' || type === 'run_updated'
}

/** Whether a tool name has the same meaning for every agent. */
export function isMessageTool(word: string): word is Exclude<MessageTool, 'Other'> {
  const words: readonly string[] = MESSAGE_TOOLS
  return words.includes(word)
}

/** The tool name used in messages, which distinguish fewer tools than events. */
export function toMessageTool(word: string): MessageTool {
  return isMessageTool(word) ? word : 'Other'
}

/** The fields of a message besides its run; time and number are optional. */
export type MessageData<M extends RunMessage> = Omit<M, keyof RunMessageBase | 'type'> &
  Partial<Pick<RunMessageBase, 'seq' | 'timestamp'>>

/** Creates a message of one type. */
type MessageFactory<M extends RunMessage> = (
  workOrderId: string,
  runId: string,
  data: MessageData<M>,
) => M

/** Creates the message for a tool call. */
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

/** The result of a tool: its complete content, or a preview and the content length. */
export type ToolResultData = Omit<
  MessageData<AgentToolResultEvent>,
  'contentPreview' | 'contentLength'
> & {
  content?: string | undefined
  contentPreview?: string | undefined
  contentLength?: number | undefined
}

/** Creates the message for the result of a tool; the preview is cut to 500 characters. */
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

/** Creates the message for text of the agent. */
export function createOutputEvent(
  workOrderId: string,
  runId: string,
  data: string | MessageData<AgentOutputEvent>,
): AgentOutputEvent {
  const fields: MessageData<AgentOutputEvent> = typeof data === 'string' ? {content: data} : data
  const {seq = 0, timestamp = now(), content} = fields
  return {type: 'agent_output', workOrderId, runId, seq, timestamp, content}
}

/** Creates the message for a changed file. */
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
  // A deleted file has no size.
  if (event.action === 'deleted') delete event.sizeBytes
  return event
}

/** Creates the message for reasoning of the agent. */
export const createThinkingEvent: MessageFactory<AgentThinkingEvent> =
  createFactory('agent_thinking')

/** Creates the message for the progress of a run. */
export const createProgressEvent: MessageFactory<ProgressUpdateEvent> =
  createFactory('progress_update')

/** Creates the message for the start of a run. */
export const createRunStartedEvent: MessageFactory<RunStartedEvent> = createFactory('run_started')

/** Creates the message for the current state of a run. */
export const createRunUpdatedEvent: MessageFactory<RunUpdatedEvent> = createFactory('run_updated')

/** Creates the message for the end of a run. */
export const createRunEndedEvent: MessageFactory<RunEndedEvent> = createFactory('run_ended')

/** Creates the message for a permission request. */
export const createPermissionRequestEvent: MessageFactory<PermissionRequestEvent> =
  createFactory('permission_request')

/** How many characters of a tool result a message contains. */
export const PREVIEW_LENGTH = 500

/** Cuts before half a surrogate pair, which is not a valid character. */
function cutPreview(content: string): string {
  if (content.length <= PREVIEW_LENGTH) return content
  const last = content.charCodeAt(PREVIEW_LENGTH - 1)
  return content.slice(0, last >= 0xd800 && last <= 0xdbff ? PREVIEW_LENGTH - 1 : PREVIEW_LENGTH)
}

function createFactory<M extends RunMessage>(type: M['type']): MessageFactory<M> {
  return (workOrderId, runId, data) =>
    ({type, ...base(workOrderId, runId, data), ...data}) as unknown as M
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
