import type {RunEntry, Store, StoredMessage} from './store.ts'
import {LINE_END} from './chunk.ts'
import {MAX_MESSAGES} from './schema.ts'
import {startThread} from './thread.ts'

/** How an index is opened. */
export interface SqliteStoreOptions {
  /**
   * Called when the index was damaged or made by another version, and is empty now. Everything added before is
   * lost, so every run must be added again from its first message. Damage found while opening is reported right
   * after it.
   */
  onDamage(reason: string): void
}

/**
 * Opens the index in an SQLite file, which a thread of its own reads and writes. Creates missing folders. Only one
 * process at a time can have it open.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store> {
  const thread = await startThread(path, (reason) => options.onDamage(reason))
  const {outbox, ask} = thread
  return {
    append(runId, messages) {
      for (const message of messages) checkMessage(message)
      // Runs may continue while the hub is closed; their recordings are complete.
      if (!thread.isOver) outbox.append(runId, messages)
    },
    putRun(entry) {
      checkEntry(entry)
      if (!thread.isOver) outbox.change({type: 'put', entry})
    },
    removeRun(runId) {
      if (!thread.isOver) outbox.change({type: 'remove', runId})
    },
    whenWritten: () => thread.settle(),
    whenSearchable: () => thread.whenSearchable(),
    get backlog() {
      return outbox.backlog
    },
    whenDrained: () => thread.whenDrained(),
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
  if (!Number.isInteger(seq) || seq < 1 || seq >= MAX_MESSAGES) {
    throw new TypeError(`seq ${seq}: messages are counted from 1 to ${MAX_MESSAGES - 1}`)
  }
  if (!Number.isFinite(at)) throw new TypeError(`at ${at}: not a time in milliseconds`)
  if (json.includes(LINE_END)) throw new TypeError(`seq ${seq}: its JSON is not on one line`)
}

function checkEntry({startedAt}: RunEntry): void {
  if (!Number.isFinite(startedAt)) {
    throw new TypeError(`startedAt ${startedAt}: not a time in milliseconds`)
  }
}
