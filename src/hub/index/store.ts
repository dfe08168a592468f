/** A message as it is stored. */
export interface StoredMessage {
  /** Counts the messages of a run from 1; duplicates, and messages after a gap, are ignored. */
  readonly seq: number
  readonly type: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** On one line, with the type as its first field. */
  readonly json: string
  /** The thinking before it, encoded the same way. */
  readonly thinking?: readonly string[] | undefined
}

/** A run as the indexer reports it. */
export interface RunEntry {
  runId: string
  workOrderId: string
  /** `null` for an unknown agent. */
  agent: string | null
  title: string
  startedAt: number
  endedAt?: number | undefined
  verdict?: string | undefined
  isOver: boolean
  costUsd?: number | null | undefined
  toolCount: number
  /** JSON for clients; opaque to the index. */
  summary: string
  /** Detects a changed recording: its marker, a space, and its size and time. */
  stamp: string
  /** Whether the index has all of it, and nothing more will come. */
  isComplete: boolean
}

/** A run as it is in the index. */
export interface RunRow extends RunEntry {
  /** The number of the last message in the index; 0 without messages. */
  lastSeq: number
}

/** Selects runs. */
export interface RunQuery {
  limit: number
  /** Limits the JSON of a page; a page has at least one run. */
  maxBytes?: number | undefined
  /** The last run of the page before. */
  before?: {startedAt: number; runId: string} | undefined
  agent?: string | undefined
  verdict?: string | undefined
  state?: 'live' | 'over' | undefined
  workOrderId?: string | undefined
  /** Words that must all be in the title or in one of the ids. */
  text?: string | undefined
}

/** Runs, newest first. */
export interface RunPage {
  runs: RunRow[]
  /** Of all pages. */
  total: number
  /** Whether the page ends before the last matching run. */
  isCut: boolean
}

/** Selects messages of a run. */
export interface MessageQuery {
  /** The number after which the page starts. */
  since: number
  limit: number
  /** Limits the JSON of a page; a page has at least one message. */
  maxBytes?: number | undefined
  /** Message types; if few messages match, a page may have less than the limit. */
  types?: readonly string[] | undefined
}

/** Messages of a run, in order. */
export interface MessagePage {
  messages: {seq: number; json: string; thinking?: readonly string[]}[]
  /** Whether no matching message follows so far. */
  isEnd: boolean
}

/** A search. */
export interface SearchQuery {
  /** Words that must all be in the message; the last one may be a prefix. */
  text: string
  runId?: string | undefined
  types?: readonly string[] | undefined
  limit: number
  /** `next` of the previous page. */
  before?: number | undefined
}

/** A message that matches a search. */
export interface Hit {
  runId: string
  seq: number
  type: string
  at: number
  /** The words and the text around them, on one line. */
  snippet: string
}

/** Matching messages, newest first. */
export interface HitPage {
  hits: Hit[]
  /** The start of the next page; absent on the last page. */
  next?: number | undefined
  /** How many recent messages are not searchable yet. */
  waiting: number
}

/** A tool call. */
export interface ToolUse {
  toolUseId: string
  /** Absent when only its result was seen. */
  tool?: string | undefined
  /** The number of its first message. */
  seq: number
  at: number
  /** Absent while it runs. */
  success?: boolean | undefined
  durationMs?: number | undefined
}

/** Statistics of a tool. */
export interface ToolStats {
  tool: string
  count: number
  failures: number
  /** Of the calls with a known duration. */
  p50Ms?: number | undefined
  p95Ms?: number | undefined
}

/** A file changed by a run. */
export interface ChangedFile {
  path: string
  /** The last action. */
  action: string
  changes: number
  sizeBytes?: number | undefined
  /** Whether another run may have made all of its changes. */
  isUncertain: boolean
}

/** The state of a run in the index, to compare with its recording. */
export interface RunStamp {
  runId: string
  /** Both are empty when messages were added but the run was never put. */
  workOrderId: string
  stamp: string
  lastSeq: number
  /** How many messages of the run are in the index. */
  messageCount: number
  isComplete: boolean
}

/** Statistics of all runs. */
export interface StoreStats {
  runs: number
  liveRuns: number
  messages: number
  /** The size of the JSON of the messages. */
  bytes: number
  costUsd: number
  byVerdict: Record<string, number>
  /** The name of an unknown agent is empty. */
  byAgent: Record<string, number>
  /** Runs that started today. */
  today: {runs: number; costUsd: number; byVerdict: Record<string, number>}
}

/**
 * The index of the hub: lists runs, pages their messages and searches them. Derived from the recordings and
 * rebuildable. A read sees everything added before it; only search may lag behind.
 */
export interface Store {
  /** Adds messages in batches, after some milliseconds; callers must not change them any more. */
  append(runId: string, messages: readonly StoredMessage[]): void
  /** Adds a run or replaces it; its messages stay. */
  putRun(entry: RunEntry): void
  /** Removes a run and its messages. */
  removeRun(runId: string): void
  /** Resolves when everything added so far is on disk; rejects when some of it could not be written. */
  whenWritten(): Promise<void>
  /** Resolves when every message added so far is searchable. */
  whenSearchable(): Promise<void>
  /** How many messages are waiting to be written. */
  readonly backlog: number
  /** Backpressure for bulk writers: resolves when few messages are waiting to be written. */
  whenDrained(): Promise<void>
  listRuns(query: RunQuery): Promise<RunPage>
  getRun(runId: string): Promise<RunRow | null>
  listMessages(runId: string, query: MessageQuery): Promise<MessagePage>
  /** Searches messages; recent ones may not be searchable yet. */
  search(query: SearchQuery): Promise<HitPage>
  /** The tool calls of a run, in order. */
  listTools(runId: string): Promise<ToolUse[]>
  /** Statistics per tool, of one run or of all searchable runs; the most used tool first. */
  toolStats(runId?: string): Promise<ToolStats[]>
  /** The files changed by a run, sorted by path. */
  listFiles(runId: string): Promise<ChangedFile[]>
  /** @param todayFrom - The start of today; by default midnight of this machine. */
  stats(todayFrom?: number): Promise<StoreStats>
  listStamps(): Promise<RunStamp[]>
  /** Removes everything. */
  clear(): Promise<void>
  /** Writes everything and ends the thread. */
  close(): Promise<void>
}
