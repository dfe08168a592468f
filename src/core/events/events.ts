/** What every event has. */
export interface AgentEventBase {
  /** The line of the stream that it comes from, counted from 1. */
  line: number
  /** When it happened, in milliseconds since 1970: as the agent says, else when the line was read. */
  at: number
  /** The agent that printed it, such as `codex`. */
  agent: string
}

/** What a tool does, whatever its agent calls it. */
export type ToolKind =
  | 'Read'
  | 'Write'
  | 'Edit'
  | 'Bash'
  | 'Grep'
  | 'Glob'
  | 'WebFetch'
  | 'WebSearch'
  | 'Task'
  | 'Todo'
  | 'Mcp'
  | 'Other'

/** A session began, or goes on: some agents say so before every turn. */
export interface SessionStartEvent extends AgentEventBase {
  type: 'session-start'
  sessionId: string
  model?: string | undefined
  cwd?: string | undefined
  tools?: string[] | undefined
  mcpServers?: McpServerState[] | undefined
  agentVersion?: string | undefined
  permissionMode?: string | undefined
  /** Only of an interactive session: whether it waits for a prompt. */
  isIdle?: boolean | undefined
}

/** An MCP server, and whether it is there. */
export interface McpServerState {
  name: string
  status?: string | undefined
}

/**
 * What the agent says or thinks: whole, or piece by piece. What came in pieces is not repeated whole,
 * so that all of them joined are the text.
 */
export interface TextEvent extends AgentEventBase {
  type: 'text' | 'text-delta' | 'thinking' | 'thinking-delta'
  text: string
  messageId?: string | undefined
  /** The call of the sub-agent that says it. */
  parentToolId?: string | undefined
}

/** A tool was called. There is one for each call. */
export interface ToolStartEvent extends AgentEventBase {
  type: 'tool-start'
  toolId: string
  /** The agent's word for it. */
  name: string
  /** Our word for it. */
  tool: ToolKind
  input: unknown
  /** The one thing to know about the input, short and harmless to print; empty when there is none. */
  summary: string
  parentToolId?: string | undefined
  /** It is part of the same answer of the model as a call that has ended already. */
  isSameAnswer?: true | undefined
}

/** A tool is still at work. */
export interface ToolUpdateEvent extends AgentEventBase {
  type: 'tool-update'
  toolId: string
  /** What it has printed since the last update. */
  text?: string | undefined
  elapsedMs?: number | undefined
  /** Tools that a sub-agent has used so far, where the agent reports it. */
  toolCount?: number | undefined
}

/** A tool is done. There is at most one for each call. */
export interface ToolEndEvent extends AgentEventBase {
  type: 'tool-end'
  toolId: string
  /** False when the agent says so, and when the exit code is known and not 0. */
  ok: boolean
  output: string
  /** Length of the output in characters. */
  outputLength: number
  error?: string | undefined
  /** The stream ended first: what became of the tool is not known. */
  unfinished?: boolean | undefined
  /** The call was refused: the tool never ran. */
  denied?: boolean | undefined
  exitCode?: number | undefined
  durationMs?: number | undefined
  /** In place of `durationMs` for one of several parallel calls: the time also holds the wait for the others. */
  maxDurationMs?: number | undefined
}

/** A file is another now. */
export interface FileChangeEvent extends AgentEventBase {
  type: 'file-change'
  path: string
  action: FileAction
  toolId?: string | undefined
  added?: number | undefined
  removed?: number | undefined
}

/** What became of a file. */
export type FileAction = 'created' | 'modified' | 'deleted'

/** The agent's list of things to do, whole each time. */
export interface PlanEvent extends AgentEventBase {
  type: 'plan'
  items: PlanItem[]
}

/** One thing to do. */
export interface PlanItem {
  text: string
  status: PlanStatus
}

/** How far a thing to do is. */
export type PlanStatus = 'pending' | 'in-progress' | 'completed' | 'cancelled'

/** Work that goes on beside the conversation began or ended. */
export interface TaskEvent extends AgentEventBase {
  type: 'task-start' | 'task-end'
  taskId: string
  toolId?: string | undefined
  description: string
  ok?: boolean | undefined
}

/** The agent asks whether it may use a tool, or was told that it may not. */
export interface PermissionEvent extends AgentEventBase {
  type: 'permission-request' | 'permission-denied'
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  reason?: string | undefined
}

/** Something about the run that a person may want to know. */
export interface StatusEvent extends AgentEventBase {
  type: 'status'
  status: StatusKind
  detail: string
  /** Whether a state begins or ends; absent on events without a duration. */
  phase?: 'start' | 'end' | undefined
  /** Identifies the state that a later event with phase `end` closes, such as the id of a hook. */
  key?: string | undefined
  /** When the state will be over, in milliseconds since 1970. */
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
  /** Of a `rate-limit`: whether the agent can make no request until the limit resets. */
  isBlocking?: boolean | undefined
  /** Of a `rate-limit`: how much of the allowance is used, from 0 to 1. */
  usedShare?: number | undefined
  /** Of a `hook` that ended: whether it succeeded. */
  ok?: boolean | undefined
  /** The model that took over. */
  model?: string | undefined
}

/** The kinds of news that are told apart. */
export type StatusKind =
  /** A request to the model failed and is tried again. */
  | 'api-retry'
  /** How much of the allowance is used, or that it is used up. */
  | 'rate-limit'
  /** The conversation is being replaced by a summary of it. */
  | 'compacting'
  /** Another model took over. */
  | 'model-fallback'
  /** A hook runs or ran. */
  | 'hook'
  /** The agent starts its next turn by itself at `until`, or did so. */
  | 'wake-up'
  /** Something is wrong that does not end the turn. */
  | 'warning'
  /** A remark. */
  | 'notice'
  /** The run was broken off from outside. */
  | 'interrupted'
  /** The agent is at work on something that has no event of its own. */
  | 'working'

/** Tokens that were used. */
export interface Tokens {
  /** Without those that were read from a cache or written to one. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Those of `output` that were thinking, where that is told. */
  reasoning?: number | undefined
}

/** What was used since the last event of this kind: added up, they give what the run used. One for each model, where told. */
export interface UsageEvent extends AgentEventBase {
  type: 'usage'
  tokens: Tokens
  costUsd?: number | undefined
  model?: string | undefined
}

/** The agent's result. A run can have several: a turn ended, not the run. */
export interface TurnEndEvent extends AgentEventBase {
  type: 'turn-end'
  ok: boolean
  subtype?: string | undefined
  text: string
  errors?: string[] | undefined
  /** As the agent tells it: of Claude a running total of its process. */
  costUsd?: number | undefined
  durationMs?: number | undefined
  turns?: number | undefined
  reason?: string | undefined
  /** Why a hook ended the turn before it was complete, although nothing failed. */
  stopped?: string | undefined
}

/** A line, or a part of one, of a kind that this version does not know. Nothing of it is lost. */
export interface UnknownEvent extends AgentEventBase {
  type: 'unknown'
  /** The exact text of the line. */
  raw: string
  /** What is not known, such as `system/session_budget`. */
  reason?: string | undefined
}

/** A line that could not be read. */
export interface MalformedEvent extends AgentEventBase {
  type: 'malformed'
  /** The exact text of the line; empty when it was too long to keep. */
  raw: string
  reason?: 'invalid-json' | 'line-too-long' | undefined
  /** Length of the line in bytes, without its newline. */
  size: number
}

/** Everything that agents do, in one vocabulary. */
export type AgentEvent =
  // The session.
  | SessionStartEvent
  | StatusEvent
  | UsageEvent
  | TurnEndEvent
  // What is said.
  | TextEvent
  | PlanEvent
  // What is done.
  | ToolStartEvent
  | ToolUpdateEvent
  | ToolEndEvent
  | FileChangeEvent
  | TaskEvent
  | PermissionEvent
  // What is not understood.
  | UnknownEvent
  | MalformedEvent
