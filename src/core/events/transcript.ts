import type {Translator, TranslatorContext} from './adapter.ts'
import type {Tokens} from './events.ts'
import type {Shapes} from './shapes.ts'
import type {JsonObject} from '../wire/json.ts'

/**
 * How an agent keeps its sessions on disk. A format does no I/O: the room `history` finds the files and reads them.
 * A session has one transcript, or several when it has sub-agents or was continued in another file.
 */
export interface TranscriptFormat {
  /** The id of the agent, such as `codex`. */
  agent: string
  /** The folders that can contain sessions, as absolute paths with `/`. They need not exist. */
  roots(machine: Machine): string[]
  /** Whether a folder can contain transcripts. The path is relative to the root and uses `/`, such as `2026/11/16`. */
  hasTranscripts(folder: string): boolean
  /** Identifies a transcript by its path relative to the root; `undefined` for any other file. */
  identify(path: string): TranscriptFile | undefined
  /** Lists the sessions in a database. */
  listSessions?(source: TranscriptSource): StoredSession[]
  /** Reads the records of a transcript that is not one JSON value per line, in order. */
  readRecords?(source: TranscriptSource): Iterable<JsonObject>
  /**
   * A text that a line must contain to matter to the scanner; every line matters without it. The scanner also gets all
   * lines until it has found the first prompt, and short lines near the end: agents repeat titles there. Only for speed,
   * with a benchmark.
   */
  marker?: string
  /**
   * Creates the scanner of a transcript, which collects facts in `facts`. When a file has grown, reading continues with
   * the facts found so far, which were stored as JSON in between.
   */
  createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner
  /** The time of a record in milliseconds since 1970, if it has one. */
  timeOf(record: JsonObject): number | undefined
  /** The kind of a record, a key of `shapes`. */
  kindOf(record: JsonObject): string
  /** Every known kind of record, with its fields. */
  shapes: Shapes
  /** Creates the translator of a session. It gets the records of all its transcripts, in the order of their times. */
  createTranslator(context: TranscriptContext): Translator
}

/** Where to look for sessions. */
export interface Machine {
  /** The home folder of the user. */
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** A file with the transcript of a session, or with many sessions. */
export interface TranscriptFile {
  /** `lines`: one JSON value per line, appended. `document`: a JSON value, rewritten. `database`: SQLite, many sessions. */
  storage: 'lines' | 'document' | 'database'
  /** Whether the file is compressed. It is ignored while the same file without the suffix exists. */
  compression?: 'zstd' | undefined
  /** The session, if the path contains its id. */
  sessionId?: string | undefined
  /** The id of the sub-agent, if the transcript is that of a sub-agent and its path contains the id. */
  subAgentId?: string | undefined
}

/** A session in a database. */
export interface StoredSession {
  sessionId: string
  /** Differs whenever the session has changed. */
  stamp: string
}

/** A transcript and the files around it. */
export interface TranscriptSource {
  /** The path relative to the root. */
  readonly path: string
  readonly file: TranscriptFile
  /** The session to read from a database. */
  readonly sessionId?: string | undefined
  /** Reads a small text file by its path relative to the root; `undefined` if it cannot be read. */
  readText(path: string): string | undefined
  /** The names of the files in a folder by its path relative to the root; empty if it cannot be read. */
  listFiles(folder: string): string[]
  /** Queries the database. */
  query(
    sql: string,
    ...values: (string | number | null)[]
  ): Record<string, string | number | null>[]
}

/** Collects the facts of one transcript, record by record. Fields may be missing or of any type. It must not throw. */
export interface Scanner {
  read(record: JsonObject): void
  /**
   * Reads a line in the usual form without parsing all of it; returns `false` if it must be parsed for `read`. The line
   * is decoded as Latin-1, so text that is not ASCII is garbled. Only for speed, with a benchmark.
   */
  readLine?(line: string): boolean
}

/** The facts of one transcript that lists and usage need. Plain data, stored as JSON. */
export interface TranscriptFacts {
  /** The session that the transcript belongs to: that of the main conversation, also for a sub-agent. */
  sessionId?: string | undefined
  /** The id of the session or sub-agent that started this one, if this is the transcript of a sub-agent. */
  parentId?: string | undefined
  /** The session of which this one began as a copy. */
  forkedFrom?: string | undefined
  /** The title that the agent or the user gave. */
  title?: string | undefined
  /** The first prompt, cut at {@link MAX_PROMPT_LENGTH}. */
  prompt?: string | undefined
  cwd?: string | undefined
  /** The model of the main conversation, the last one used. */
  model?: string | undefined
  agentVersion?: string | undefined
  /** When the session began, in milliseconds since 1970. Rows copied from another session do not count. */
  startedAt?: number | undefined
  /** The time of the last record. */
  endedAt?: number | undefined
  /** Whether the last record ends a turn, so that the agent waits for a prompt. */
  isTurnOver?: boolean | undefined
  /** Requests to the model in the transcript, in order, each key once. */
  requests: ModelRequest[]
  /** State that the scanner needs to continue, as JSON. */
  memory?: unknown
}

/** A request to the model that was answered, as recorded in a transcript. */
export interface ModelRequest {
  /**
   * Identifies the request among all sessions of the agent: a copy has the same key. If copies can lack a part of it, the
   * key has two parts with a space between them, and the key of such a copy ends with the space.
   */
  key: string
  /** Milliseconds since 1970. */
  at: number
  model?: string | undefined
  tokens: Tokens
  /** The part of `tokens.cacheWrite` that was written for an hour instead of five minutes. */
  hourCacheWrite?: number | undefined
  /** Whether the fast tier was used, which has other prices. */
  isFast?: true | undefined
  /** The cost in dollars as the agent recorded it. */
  costUsd?: number | undefined
  /** Number of tool calls in the answer. */
  toolCount: number
  /** Whether a sub-agent made the request. */
  isSubAgent?: true | undefined
}

/** The state of reading that the translator of a session can use. */
export interface TranscriptContext extends TranslatorContext {
  /** The transcript of the record that is translated. */
  source(): TranscriptSource
}

/** How much of a prompt is kept for lists. */
export const MAX_PROMPT_LENGTH = 400

/** The facts of a transcript before anything of it is read. */
export function createFacts(): TranscriptFacts {
  return {requests: []}
}

/** Keeps each request of a transcript once. */
export interface RequestTable {
  /**
   * Adds a request, or another record of a known one. The tokens with the largest output count, because usage grows while
   * an answer is written; the time is that of the first record.
   *
   * @param toolIds - The tool calls in the record; calls that are already known count once.
   */
  add(request: Omit<ModelRequest, 'toolCount'>, toolIds?: readonly string[]): void
  /** Adds tool calls to a known request. */
  addTools(key: string, toolIds: readonly string[]): void
}

/** Creates the table of the requests in `facts`. */
export function createRequestTable(facts: TranscriptFacts): RequestTable {
  const known = new Map(facts.requests.map((request) => [request.key, request]))
  /** Calls repeat close to each other, if at all. */
  const tools = new Set<string>()

  return {
    add(given, toolIds = []) {
      const tokens = normalizeTokens(given.tokens)
      const before = known.get(given.key)
      if (before === undefined) {
        const added = createRequest(given, tokens)
        known.set(given.key, added)
        facts.requests.push(added)
      } else if (tokens.output > before.tokens.output) {
        Object.assign(before, {...given, tokens, at: before.at})
      }
      addTools(given.key, toolIds)
    },
    addTools,
  }

  function addTools(key: string, toolIds: readonly string[]): void {
    const request = known.get(key)
    if (request === undefined) return
    for (const id of toolIds) {
      if (tools.has(id)) continue
      tools.add(id)
      request.toolCount++
    }
  }
}

/** With all fields: tens of thousands of objects of one shape are faster than of several. */
function createRequest(given: Omit<ModelRequest, 'toolCount'>, tokens: Tokens): ModelRequest {
  const {key, at, model, hourCacheWrite, isFast, costUsd, isSubAgent} = given
  return {key, at, model, tokens, hourCacheWrite, isFast, costUsd, toolCount: 0, isSubAgent}
}

/** Damaged counts are 0: a sum must never be negative. */
function normalizeTokens(tokens: Tokens): Tokens {
  return {
    input: toCount(tokens.input),
    output: toCount(tokens.output),
    cacheRead: toCount(tokens.cacheRead),
    cacheWrite: toCount(tokens.cacheWrite),
    reasoning: tokens.reasoning === undefined ? undefined : toCount(tokens.reasoning),
  }
}

function toCount(count: number): number {
  if (!Number.isFinite(count) || count <= 0) return 0
  // Rounded numbers need memory of their own.
  return Number.isInteger(count) ? count : Math.round(count)
}
