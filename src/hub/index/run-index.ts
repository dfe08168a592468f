import {toUSVString} from 'node:util'
import {DamageError, isMistake, openDatabase, type Database} from './database.ts'
import {makeIndexFile} from './files.ts'
import {createItemReads, type ItemReads} from './item-reads.ts'
import {createMessageReads, type MessageReads} from './message-reads.ts'
import type {FindHead, RunHead} from './run-head.ts'
import {createRunReads, type RunReads} from './run-reads.ts'
import {SCHEMA, SCHEMA_VERSION, SETTINGS, toId, toLastId} from './schema.ts'
import {createSearch, type Search} from './search.ts'
import type {RunEntry, StoredItem, StoredMessage} from './store.ts'

/**
 * The index of a data folder: runs, their items and their messages, with full-text search. Reads return everything
 * that was added before; additions are committed together after some milliseconds.
 */
export interface RunIndex extends RunReads, MessageReads, ItemReads {
  search: Search
  /** How much of a run is in the index; `undefined` if it has nothing of it. */
  headOf: FindHead
  /** Adds a run or replaces it; its items and messages stay. */
  putRun(entry: RunEntry): void
  /** Adds the items and messages of a run that are new. */
  append(runId: string, items: readonly StoredItem[], messages: readonly StoredMessage[]): void
  /** Removes a run with its items and messages. */
  removeRun(runId: string): void
  /** Writes everything to disk. If that fails, everything since the last commit is lost. */
  commit(): void
  close(): void
}

/** Options of {@link openRunIndex}. */
export interface RunIndexOptions {
  /** Called when additions could not be written and are lost. */
  onLost(error: unknown): void
}

/** Bounds the time of a commit, and what is lost when the process is killed. */
const COMMIT_INTERVAL_MS = 100

/**
 * Opens the index in a file; creates it if there is none.
 *
 * @throws An error that `isDamage` recognizes if the file is damaged or was made by another version.
 */
export function openRunIndex(path: string, options: RunIndexOptions): RunIndex {
  if (path !== ':memory:') makeIndexFile(path)
  const database = openDatabase(path)
  try {
    prepareTables(database)
    return createRunIndex(database, options)
  } catch (error) {
    if (!isMistake(error)) throw error
    throw new DamageError(`unexpected tables (${error.message})`)
  }
}

function createRunIndex(database: Database, {onLost}: RunIndexOptions): RunIndex {
  const heads = new Map<string, RunHead>()
  /** Runs with additions since the last commit. */
  const grown = new Set<RunHead>()
  let texts: {id: number; type: string; text: string}[] = []
  let committing: NodeJS.Timeout | undefined
  let isWriting = false
  let lastNo = 0
  const listHeads = database.prepare(
    `SELECT no, CAST(run_id AS BLOB) AS run_id, last_seq, last_item FROM runs`,
  )
  const addRun = database.prepare('INSERT INTO runs (no, run_id) VALUES (?, ?)')
  const putRun = database.prepare(
    `UPDATE runs SET started_at = ?, is_over = ?, is_complete = ?, cost_usd = ?, agent = ?,
       verdict = ?, work_order_id = ?, stamp = ?, search_text = ?, entry = ? WHERE no = ?`,
  )
  const growRun = database.prepare('UPDATE runs SET last_seq = ?, last_item = ? WHERE no = ?')
  const addItem = database.prepare('INSERT INTO items VALUES (?, ?, ?, ?)')
  const addMessage = database.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?)')
  const addText = database.prepare('INSERT INTO search (rowid, text, type) VALUES (?, ?, ?)')
  const removals = ['items WHERE id', 'messages WHERE id', 'search WHERE rowid'].map((rows) =>
    database.prepare(`DELETE FROM ${rows} BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`),
  )
  const removeRun = database.prepare('DELETE FROM runs WHERE no = ?')
  const headOf = (runId: string) => heads.get(runId)
  const search = createSearch(database, headOf)
  loadHeads()

  return {
    ...createRunReads(database, headOf),
    ...createMessageReads(database, headOf),
    ...createItemReads(database, headOf),
    search(query) {
      addTexts()
      return search(query)
    },
    headOf,
    putRun(entry) {
      const {runId, title, startedAt, isOver, isComplete, costUsd = null, agent} = entry
      const {verdict = null, workOrderId, stamp} = entry
      const searchText = toStorable(`${title}\n${runId}\n${workOrderId}`.toLowerCase())
      const ending = [Number(isOver), Number(isComplete), costUsd, agent, verdict]
      const json = toStorable(JSON.stringify(entry))
      write(() => {
        const {no} = make(runId)
        putRun.run(startedAt, ...ending, workOrderId, stamp, searchText, json, no)
      })
    },
    append(runId, items, messages) {
      write(() => {
        const head = make(runId)
        grown.add(head)
        for (const {n, line, json, complete = null} of items) {
          if (n <= head.lastItem) continue
          addItem.run(toId(head.no, n), line, toStorable(json), complete && toStorable(complete))
          head.lastItem = n
        }
        for (const {seq, type, at, json, text, thinking = []} of messages) {
          if (seq <= head.lastSeq) continue
          const id = toId(head.no, seq)
          const thoughts = thinking.length === 0 ? null : toStorable(JSON.stringify(thinking))
          addMessage.run(id, type, at, toStorable(json), thoughts)
          if (text !== '') texts.push({id, type, text: toStorable(text)})
          head.lastSeq = seq
        }
      })
    },
    removeRun(runId) {
      const head = heads.get(runId)
      if (head === undefined) return
      write(() => {
        addTexts()
        for (const removal of removals) removal.run(toId(head.no, 0), toLastId(head.no))
        removeRun.run(head.no)
        grown.delete(head)
        heads.delete(runId)
      })
    },
    commit,
    close() {
      try {
        commit()
        // Moves the write-ahead log into the file and removes it.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        database.close()
      }
    },
  }

  /** Adds to the open transaction, or starts one. */
  function write(work: () => void): void {
    try {
      if (!isWriting) database.exec('BEGIN IMMEDIATE')
      isWriting = true
      committing ??= setTimeout(commitLater, COMMIT_INTERVAL_MS)
      work()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function commitLater(): void {
    try {
      commit()
    } catch (error) {
      onLost(error)
    }
  }

  function commit(): void {
    clearTimeout(committing)
    committing = undefined
    if (!isWriting) return
    try {
      addTexts()
      for (const {no, lastSeq, lastItem} of grown) growRun.run(lastSeq, lastItem, no)
      database.exec('COMMIT')
      isWriting = false
      grown.clear()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** The full-text index is fastest in the order of ids, so texts are added together. */
  function addTexts(): void {
    const added = texts.toSorted((one, other) => one.id - other.id)
    texts = []
    for (const {id, type, text} of added) addText.run(id, text, type)
  }

  function rollBack(): void {
    clearTimeout(committing)
    committing = undefined
    isWriting = false
    texts = []
    grown.clear()
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite already rolled back when the disk is full.
    }
    loadHeads()
  }

  function loadHeads(): void {
    heads.clear()
    for (const row of listHeads.all()) {
      const [no, lastSeq, lastItem] = [row['no'], row['last_seq'], row['last_item']].map(Number)
      heads.set(String(row['run_id']), {
        no: no ?? 0,
        lastSeq: lastSeq ?? 0,
        lastItem: lastItem ?? 0,
      })
    }
    lastNo = [...heads.values()].reduce((max, {no}) => Math.max(max, no), 0)
  }

  function make(runId: string): RunHead {
    const known = heads.get(runId)
    if (known !== undefined) return known
    const head = {no: ++lastNo, lastSeq: 0, lastItem: 0}
    addRun.run(head.no, runId)
    heads.set(runId, head)
    return head
  }
}

/** Creates the tables in an empty file; checks those of an existing one. */
function prepareTables(database: Database): void {
  database.exec(SETTINGS)
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (version === 0 && isEmpty) return database.exec(`BEGIN; ${SCHEMA} COMMIT`)
  if (version !== SCHEMA_VERSION)
    throw new DamageError(`its schema version is ${version}, expected ${SCHEMA_VERSION}`)
  // Checking everything takes seconds; damage elsewhere is detected when it is read.
  const flaw = database.prepare("PRAGMA quick_check('runs')").get()?.['quick_check']
  if (flaw !== 'ok') throw new DamageError(String(flaw))
}

/** Replaces characters that SQLite would return changed. Valid JSON has none. */
function toStorable(text: string): string {
  const known = toUSVString(text)
  return known.includes('\0') ? known.replaceAll('\0', '\ufffd') : known
}
