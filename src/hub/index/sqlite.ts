import type {RunEntry, Store, StoredMessage} from './store.ts'
import {LINE_END} from './chunk.ts'
import {MOST_MESSAGES} from './schema.ts'
import {startThread} from './thread.ts'

/** How an index is opened. */
export interface SqliteStoreOptions {
  /**
   * The index was damaged or made by another version, and is empty now. All that was given before is void, also what waits to be
   * written: every run is to be given again from its first message. What is found when it is opened is told right after that.
   */
  onDamage(reason: string): void
}

/**
 * Opens the index in an SQLite file, which a thread of its own reads and writes. Folders that are missing are made. One
 * process at a time can have it open.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store> {
  const thread = await startThread(path, (reason) => options.onDamage(reason))
  const {outbox, ask} = thread
  return {
    append(runId, messages) {
      for (const message of messages) checkMessage(message)
      // Runs may go on while the hub is closed; their recordings have it all.
      if (!thread.isOver) outbox.append(runId, messages)
    },
    putRun(entry) {
      checkEntry(entry)
      if (!thread.isOver) outbox.change({type: 'put', entry})
    },
    removeRun(runId) {
      if (!thread.isOver) outbox.change({type: 'remove', runId})
    },
    settled: () => thread.settle(),
    sought: () => thread.sought(),
    get backlog() {
      return outbox.backlog
    },
    room: () => thread.room(),
    listRuns: (query) => ask('listRuns', query),
    getRun: (runId) => ask('getRun', runId),
    listMessages: (runId, query) => ask('listMessages', runId, query),
    search: (query) => ask('search', query),
    listTools: (runId) => ask('listTools', runId),
    toolStats: (runId) => ask('toolStats', runId),
    listFiles: (runId) => ask('listFiles', runId),
    stats: (todayFrom = new Date().setHours(0, 0, 0, 0)) => ask('stats', todayFrom),
    listStamps: () => ask('listStamps'),
    clear: () => thread.clear(),
    close: () => thread.close(),
  }
}

function checkMessage({seq, at, json}: StoredMessage): void {
  if (!Number.isInteger(seq) || seq < 1 || seq >= MOST_MESSAGES) {
    throw new TypeError(`seq ${seq}: messages are counted from 1 to ${MOST_MESSAGES - 1}`)
  }
  if (!Number.isFinite(at)) throw new TypeError(`at ${at}: not a time in milliseconds`)
  if (json.includes(LINE_END)) throw new TypeError(`seq ${seq}: its JSON is not on one line`)
}

function checkEntry({startedAt}: RunEntry): void {
  if (!Number.isFinite(startedAt)) {
    throw new TypeError(`startedAt ${startedAt}: not a time in milliseconds`)
  }
}
