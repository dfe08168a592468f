import type {
  ChangedFile,
  HitPage,
  MessagePage,
  MessageQuery,
  RunPage,
  RunQuery,
  RunRow,
  RunStamp,
  SearchQuery,
  StoreStats,
  ToolStats,
  ToolUse,
} from './store.ts'
import type {Database} from './database.ts'
import {createMessageReads} from './message-reads.ts'
import {createRunReads} from './run-reads.ts'
import {createSearch, type SearchParts} from './search.ts'
import {createToolReads} from './tool-reads.ts'

/** Reads of the index; the same as of the store, but synchronous. */
export interface Reads {
  listRuns(query: RunQuery): RunPage
  getRun(runId: string): RunRow | null
  listMessages(runId: string, query: MessageQuery): MessagePage
  search(query: SearchQuery): HitPage
  listTools(runId: string): ToolUse[]
  toolStats(runId?: string): ToolStats[]
  listFiles(runId: string): ChangedFile[]
  stats(todayFrom: number): StoreStats
  listStamps(): RunStamp[]
}

/** Reads the index. */
export function createReads(database: Database, parts: SearchParts): Reads {
  const {heads, chunks} = parts
  return {
    ...createRunReads(database),
    ...createToolReads(database, parts),
    listMessages: createMessageReads(heads, chunks),
    search: createSearch(database, parts),
  }
}
