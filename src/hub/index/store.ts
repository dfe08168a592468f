/** A message as it is kept. */
export interface StoredMessage {
  /** Counts the messages of a run from 1; one that is there already is ignored, and so is what comes after a hole. */
  readonly seq: number
  readonly type: string
  /** When it was, in milliseconds since 1970. */
  readonly at: number
  /** On one line, with the type as its first field. */
  readonly json: string
  /** The thinking before it, encoded alike. */
  readonly thinking?: readonly string[] | undefined
}

/** A run as its owner knows it. */
export interface RunEntry {
  runId: string
  workOrderId: string
  /** `null` for a command that is no known agent. */
  agent: string | null
  title: string
  startedAt: number
  endedAt?: number | undefined
  verdict?: string | undefined
  isOver: boolean
  costUsd?: number | null | undefined
  toolCount: number
  /** JSON for clients, which the index does not look into. */
  summary: string
  /** By which a changed recording is told: its marker, a space, and what it looked like. */
  stamp: string
  /** Everything of it is in the index, and nothing more will come. */
  isComplete: boolean
}

/** A run as the index knows it. */
export interface RunRow extends RunEntry {
  /** That of the last message in the index; 0 when there is none. */
  lastSeq: number
}

/** Which runs are wanted. */
export interface RunQuery {
  limit: number
  /** How much JSON there may be; one run is listed however large it is. */
  maxBytes?: number | undefined
  /** The last run of the page before. */
  before?: {startedAt: number; runId: string} | undefined
  agent?: string | undefined
  verdict?: string | undefined
  state?: 'live' | 'over' | undefined
  workOrderId?: string | undefined
  /** Words that are all in the title or in one of the ids. */
  text?: string | undefined
}

/** Runs, newest first. */
export interface RunPage {
  runs: RunRow[]
  /** Of all pages. */
  total: number
  /** Whether the page ended before the last run that was asked for, at its limit or at its size. */
  isCut: boolean
}

/** Which messages of a run are wanted. */
export interface MessageQuery {
  /** The seq after which they begin. */
  since: number
  limit: number
  /** How much JSON there may be; one message is given however large it is. */
  maxBytes?: number | undefined
  /** Where few messages are of these types, there may be less than the limit in a page. */
  types?: readonly string[] | undefined
}

/** Messages of a run in their order. */
export interface MessagePage {
  messages: {seq: number; json: string; thinking?: readonly string[]}[]
  /** Nothing that is wanted comes after these, so far. */
  isEnd: boolean
}

/** What is searched, and where. */
export interface SearchQuery {
  /** Words that are all in the message; the last one may go on. */
  text: string
  runId?: string | undefined
  types?: readonly string[] | undefined
  limit: number
  /** `next` of the page before. */
  before?: number | undefined
}

/** A message that was found. */
export interface Hit {
  runId: string
  seq: number
  type: string
  at: number
  /** The words in what is around them, on one line. */
  snippet: string
}

/** Messages that were found, newest first. */
export interface HitPage {
  hits: Hit[]
  /** Where the next page begins; absent when this is the last. */
  next?: number | undefined
  /** How many messages cannot be found yet, because they came a moment ago. */
  waiting: number
}

/** One use of a tool. */
export interface ToolUse {
  toolUseId: string
  /** Absent when only its result was seen. */
  tool?: string | undefined
  /** Of the first message about it. */
  seq: number
  at: number
  /** Absent while it runs. */
  success?: boolean | undefined
  durationMs?: number | undefined
}

/** How a tool did. */
export interface ToolStats {
  tool: string
  count: number
  failures: number
  /** Of the uses whose duration is known. */
  p50Ms?: number | undefined
  p95Ms?: number | undefined
}

/** A file that a run changed. */
export interface ChangedFile {
  path: string
  /** What was done last. */
  action: string
  changes: number
  sizeBytes?: number | undefined
  /** Whether all of its changes may be those of another run. */
  isUncertain: boolean
}

/** What the index knows of a recording, to be compared with it. */
export interface RunStamp {
  runId: string
  /** Both are empty when messages came but the run was never put. */
  workOrderId: string
  stamp: string
  lastSeq: number
  /** Those of the run that are in the index. */
  messageCount: number
  isComplete: boolean
}

/** All runs in figures. */
export interface StoreStats {
  runs: number
  liveRuns: number
  messages: number
  /** Of the JSON of the messages. */
  bytes: number
  costUsd: number
  byVerdict: Record<string, number>
  /** The name of a command that is no known agent is empty. */
  byAgent: Record<string, number>
  /** Those that started today. */
  today: {runs: number; costUsd: number; byVerdict: Record<string, number>}
}

/**
 * The index of the hub: it lists runs, pages their messages and searches them. It is derived from the recordings and can be
 * made again from them. Every read sees everything that was given before it; only what is searched may come a little later.
 */
export interface Store {
  /** Adds messages, in batches and some milliseconds later; they must not be changed any more. */
  append(runId: string, messages: readonly StoredMessage[]): void
  /** Adds a run or replaces it; its messages stay. */
  putRun(entry: RunEntry): void
  /** Removes a run and its messages. */
  removeRun(runId: string): void
  /** Settles when what was given so far is on disk; rejects when some of it could not be written. */
  settled(): Promise<void>
  /** Settles when every message that was given so far can be found. */
  sought(): Promise<void>
  /** How many messages wait to be written. */
  readonly backlog: number
  /** Settles when little waits to be written: for whoever fills the index in a rush. */
  room(): Promise<void>
  listRuns(query: RunQuery): Promise<RunPage>
  getRun(runId: string): Promise<RunRow | null>
  listMessages(runId: string, query: MessageQuery): Promise<MessagePage>
  /** Finds messages, except those of which there were too many lately. */
  search(query: SearchQuery): Promise<HitPage>
  /** The uses of tools in a run, in their order. */
  listTools(runId: string): Promise<ToolUse[]>
  /** How each tool did, in a run or, as far as all are searched, in all of them; the most used first. */
  toolStats(runId?: string): Promise<ToolStats[]>
  /** The files that a run changed, by path. */
  listFiles(runId: string): Promise<ChangedFile[]>
  /**
   * @param todayFrom - When today began; midnight of this machine by default.
   */
  stats(todayFrom?: number): Promise<StoreStats>
  listStamps(): Promise<RunStamp[]>
  /** Forgets everything. */
  clear(): Promise<void>
  /** Writes what waits and leaves no thread. */
  close(): Promise<void>
}
