import type {FileAction} from './events.ts'

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

/** A file is another now. */
export interface FileChangedEvent extends RunMessageBase {
  type: 'file_changed'
  path: string
  action: FileAction
  sizeBytes?: number | undefined
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

/** Everything that is told to those who watch a run. */
export type ServerMessage =
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentOutputEvent
  | FileChangedEvent
  | ProgressUpdateEvent

/** Which messages a subscriber wants; all of them by default. */
export interface SubscribeFilter {
  includeToolCalls?: boolean | undefined
  includeToolResults?: boolean | undefined
  includeOutput?: boolean | undefined
  includeFileChanges?: boolean | undefined
  includeProgress?: boolean | undefined
}

/** What a message is made of besides the run: its own fields, and time and number where they are known. */
export type MessageData<M extends ServerMessage> = Omit<M, keyof RunMessageBase | 'type'> &
  Partial<Pick<RunMessageBase, 'seq' | 'timestamp'>>

/** A message for a tool call. */
export function createToolCallEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<AgentToolCallEvent>,
): AgentToolCallEvent {
  return {type: 'agent_tool_call', ...base(workOrderId, runId), ...data}
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
  const {content = data.contentPreview ?? '', contentLength = content.length, ...rest} = data
  const contentPreview = cutPreview(content)
  return {
    type: 'agent_tool_result',
    ...base(workOrderId, runId),
    ...rest,
    contentPreview,
    contentLength,
  }
}

/** A message for text of the agent. */
export function createOutputEvent(
  workOrderId: string,
  runId: string,
  data: string | MessageData<AgentOutputEvent>,
): AgentOutputEvent {
  const fields = typeof data === 'string' ? {content: data} : data
  return {type: 'agent_output', ...base(workOrderId, runId), ...fields}
}

/** A message for a changed file. */
export function createFileChangedEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<FileChangedEvent>,
): FileChangedEvent {
  return {type: 'file_changed', ...base(workOrderId, runId), ...data}
}

/** A message for the progress of a run. */
export function createProgressEvent(
  workOrderId: string,
  runId: string,
  data: MessageData<ProgressUpdateEvent>,
): ProgressUpdateEvent {
  return {type: 'progress_update', ...base(workOrderId, runId), ...data}
}

const PREVIEW_LENGTH = 500

/** Half a surrogate pair at the end would be no character at all. */
function cutPreview(content: string): string {
  return content.slice(0, PREVIEW_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
}

function base(workOrderId: string, runId: string): RunMessageBase {
  return {workOrderId, runId, seq: 0, timestamp: new Date().toISOString()}
}
