/** The fields of every event. */
export interface AgentEventBase {
  /** The line of the stream, counted from 1. */
  line: number
  /** In milliseconds since 1970: as the agent reports it, otherwise when the line was read. */
  at: number
  /** The agent that printed it, such as `codex`. */
  agent: string
}

/** The common name of a tool, for all agents. */
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

/** A session began or continues: some agents report it before every turn. */
export interface SessionStartEvent extends AgentEventBase {
  type: 'session-start'
  sessionId: string
  model?: string | undefined
  cwd?: string | undefined
  tools?: string[] | undefined
  mcpServers?: McpServerState[] | undefined
  agentVersion?: string | undefined
  permissionMode?: string | undefined
  /** Only for interactive sessions: whether it waits for a prompt. */
  isIdle?: boolean | undefined
}

/** An MCP server and its status, as named by the agent. */
export interface McpServerState {
  name: string
  status?: string | undefined
}

/** An answer or thinking, in full or as deltas. Text that came as deltas is not repeated: all events joined are the text. */
export interface TextEvent extends AgentEventBase {
  type: 'text' | 'text-delta' | 'thinking' | 'thinking-delta'
  text: string
  messageId?: string | undefined
  /** The call that started the sub-agent. */
  parentToolId?: string | undefined
}

/** A tool was called: one event per call. */
export interface ToolStartEvent extends AgentEventBase {
  type: 'tool-start'
  toolId: string
  /** The name that the agent uses. */
  name: string
  tool: ToolKind
  input: unknown
  /** The most useful part of the input on one line, escaped; may be empty. */
  summary: string
  parentToolId?: string | undefined
  /** Whether a call of the same model response has already ended. */
  isSameAnswer?: true | undefined
}

/** Progress of a tool. */
export interface ToolUpdateEvent extends AgentEventBase {
  type: 'tool-update'
  toolId: string
  /** Output since the last update. */
  text?: string | undefined
  elapsedMs?: number | undefined
  /** Number of tools that a sub-agent has used so far, when the agent reports it. */
  toolCount?: number | undefined
}

/** A tool ended: at most one event per call. */
export interface ToolEndEvent extends AgentEventBase {
  type: 'tool-end'
  toolId: string
  /** False when the agent reports an error, and when the exit code is known and not 0. */
  ok: boolean
  output: string
  /** Length of the output in characters. */
  outputLength: number
  error?: string | undefined
  /** The stream ended first: the outcome is not known. */
  unfinished?: boolean | undefined
  /** The call was denied: the tool did not run. */
  denied?: boolean | undefined
  exitCode?: number | undefined
  durationMs?: number | undefined
  /** Instead of `durationMs` for one of several parallel calls: it includes the wait for the others. */
  maxDurationMs?: number | undefined
}

/** A file was created, modified or deleted. */
export interface FileChangeEvent extends AgentEventBase {
  type: 'file-change'
  path: string
  action: FileAction
  toolId?: string | undefined
  added?: number | undefined
  removed?: number | undefined
}

/** The kind of a file change. */
export type FileAction = 'created' | 'modified' | 'deleted'

/** The to-do list of the agent, complete each time. */
export interface PlanEvent extends AgentEventBase {
  type: 'plan'
  items: PlanItem[]
}

/** One item of a plan. */
export interface PlanItem {
  text: string
  status: PlanStatus
}

/** The status of a plan item. */
export type PlanStatus = 'pending' | 'in-progress' | 'completed' | 'cancelled'

/** A background task began or ended. */
export interface TaskEvent extends AgentEventBase {
  type: 'task-start' | 'task-end'
  taskId: string
  toolId?: string | undefined
  description: string
  ok?: boolean | undefined
}

/** The agent requests permission for a tool, or a tool was denied. */
export interface PermissionEvent extends AgentEventBase {
  type: 'permission-request' | 'permission-denied'
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  reason?: string | undefined
}

/** A change of state, a warning or a notice. */
export interface StatusEvent extends AgentEventBase {
  type: 'status'
  status: StatusKind
  detail: string
  /** Whether a state begins or ends; absent for events without a duration. */
  phase?: 'start' | 'end' | undefined
  /** Identifies the state that a later event with phase `end` closes, such as the id of a hook. */
  key?: string | undefined
  /** When the state ends, in milliseconds since 1970. */
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

/** The kinds of status events. */
export type StatusKind =
  /** A request to the model failed and is retried. */
  | 'api-retry'
  /** How much of a rate limit is used, or that it is used up. */
  | 'rate-limit'
  /** The conversation is replaced by a summary. */
  | 'compacting'
  /** Another model continues. */
  | 'model-fallback'
  /** A hook is running or has run. */
  | 'hook'
  /** The agent will start its next turn by itself at `until`, or did so. */
  | 'wake-up'
  /** A problem that does not end the turn. */
  | 'warning'
  /** Information for the user. */
  | 'notice'
  /** The turn was interrupted by a user or a signal. */
  | 'interrupted'
  /** The agent is busy with work that has no event of its own. */
  | 'working'

/** Tokens by kind. */
export interface Tokens {
  /** Without tokens that were read from a cache or written to one. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** The part of `output` that was thinking, when the agent reports it. */
  reasoning?: number | undefined
}

/** Usage since the last event of this type: their sum is the usage of the run. One event per model, when the agent reports it. */
export interface UsageEvent extends AgentEventBase {
  type: 'usage'
  tokens: Tokens
  costUsd?: number | undefined
  model?: string | undefined
}

/** The agent reports the end of a turn. A run can have several turns. */
export interface TurnEndEvent extends AgentEventBase {
  type: 'turn-end'
  ok: boolean
  subtype?: string | undefined
  text: string
  errors?: string[] | undefined
  /** As the agent reports it, which may be a running total of its process. */
  costUsd?: number | undefined
  durationMs?: number | undefined
  turns?: number | undefined
  reason?: string | undefined
  /** Why a hook ended the turn early, although nothing failed. */
  stopped?: string | undefined
}

/** A line, or a part of one, of a kind that this version does not know. */
export interface UnknownEvent extends AgentEventBase {
  type: 'unknown'
  /** The exact text of the line. */
  raw: string
  /** The unknown part, such as `system/session_budget`. */
  reason?: string | undefined
}

/** A line that could not be parsed. */
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
  // Text.
  | TextEvent
  | PlanEvent
  // Actions.
  | ToolStartEvent
  | ToolUpdateEvent
  | ToolEndEvent
  | FileChangeEvent
  | TaskEvent
  | PermissionEvent
  // Lines that could not be understood.
  | UnknownEvent
  | MalformedEvent
