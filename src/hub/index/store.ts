import type * as z from 'zod'
import type {EntryKind} from '../../core/run/run-summary.ts'
import type {RunMessage} from '../../core/protocol/server-message.ts'
import type {LineRange} from '../../replay/run-item.ts'
import type {Stats} from '../protocol/answers.ts'
import type {runsQuery} from '../protocol/queries.ts'

/** A message as it is stored: masked and encoded. */
export interface StoredMessage {
  /** Counts the messages of a run from 1. */
  readonly seq: number
  readonly type: RunMessage['type']
  /** One line, with the type as the first field. */
  readonly json: string
  /** The thinking before it, encoded the same way. */
  readonly thinking?: readonly string[] | undefined
}

/** An item as it is stored: masked and encoded. */
export interface StoredItem {
  /** Counts the items of a run from 1. */
  readonly n: number
  /** How many lines there are up to this item. */
  readonly line: number
  /** One line, with the type as the first field. */
  readonly json: string
  /** The complete events as JSON, if the item has only parts of them. Not masked. */
  readonly complete?: string | undefined
}

/** How much of a run is in the index. */
export interface RunHead {
  /** The number of the run. */
  readonly no: number
  lastSeq: number
  lastItem: number
}

/** Finds a run; `undefined` if the index has nothing of it. */
export type FindHead = (runId: string) => Readonly<RunHead> | undefined

/** A run as the indexer reports it. */
export interface RunEntry {
  runId: string
  workOrderId: string
  kind: EntryKind
  /** `null` for an unknown agent. */
  agent: string | null
  cwd: string
  title: string
  startedAt: number
  endedAt?: number | undefined
  verdict?: string | undefined
  isOver: boolean
  costUsd?: number | null | undefined
  isEstimate?: boolean | undefined
  /** Whether it waits for the answer to a permission request. */
  isWaiting?: boolean | undefined
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

/** The facts of an entry that a list needs for its groups and filters. */
export interface EntryFacts {
  startedAt: number
  costUsd: number | null
  isEstimate: boolean
  isOver: boolean
  isWaiting: boolean
  isFailed: boolean
  /** Empty for an unknown agent. */
  agent: string
  kind: EntryKind
  cwd: string
}

/** Selects runs. */
export interface RunQuery extends Omit<
  z.infer<typeof runsQuery>,
  'q' | 'since' | 'until' | 'timezone'
> {
  /** Only runs that started at this time or later. */
  from?: number | undefined
  /** Only runs that started before this time. */
  to?: number | undefined
  /** Limits the JSON of a page; a page has at least one run. */
  maxBytes?: number | undefined
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
  types?: readonly string[] | undefined
}

/** Messages of a run, in order. */
export interface MessagePage {
  messages: {seq: number; type: RunMessage['type']; json: string; thinking?: readonly string[]}[]
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

/** Matching messages: the one that was added last comes first. */
export interface HitPage {
  hits: Hit[]
  /** The start of the next page; absent on the last page. */
  next?: number | undefined
}

/** Selects items of a run. */
export interface ItemQuery {
  runId: string
  /** The number of the last item that the client has. */
  since: number
  /** Whether to include permission requests and their answers. */
  mayAnswer: boolean
  /** Requests the last items of a long run instead, before all of them. */
  isPreview?: boolean | undefined
}

/** Items of a run as a message for a client. */
export interface ItemPage {
  /** The JSON of a `run_items` message. */
  message: Uint8Array
  /** The number of the last item in it. */
  lastItem: number
  /** Whether there are no more items now. */
  isCaughtUp: boolean
  /** Whether there will be no more items. */
  isLast: boolean
}

/** Selects lines of a run. */
export interface RecordQuery {
  runId: string
  ranges: readonly LineRange[]
  mayAnswer: boolean
}

/** Statistics of all runs. */
export type StoreStats = Omit<Stats, 'indexing'>

/** The index of the hub, as the sockets see it. Derived from the recordings and rebuildable. */
export interface Store {
  listRuns(query: RunQuery): Promise<RunPage>
  getRun(runId: string): Promise<RunRow | null>
  /** Reads messages; a recording that waits to be indexed is indexed first. */
  listMessages(runId: string, query: MessageQuery): Promise<MessagePage>
  search(query: SearchQuery): Promise<HitPage>
  /** @param todayFrom - The start of today; by default midnight of this machine. */
  stats(todayFrom?: number): Promise<StoreStats>
  /** The next items of a run; `null` if there is no such run, `undefined` if there are none. */
  readItems(query: ItemQuery): Promise<ItemPage | null | undefined>
  /** Resolves when there are items after a number, or the run is gone; sooner after some seconds. */
  waitForItems(runId: string, since: number): Promise<void>
  /** Complete lines of a run as the JSON of an answer; `null` if there is no such run. */
  readRecords(query: RecordQuery): Promise<string | null>
}
