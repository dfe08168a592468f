import {toUSVString} from 'node:util'
import type {RunMessage} from '../../core/protocol/server-message.ts'
import {createBatchReads, decodeMessages, encodeBatch, takeBatch, MAX_BATCH} from './batches.ts'
import {
  asText,
  DamageError,
  isMistake,
  openDatabase,
  type Database,
  type SqlRow,
} from '../../database/database.ts'
import {makeIndexFile} from '../../database/files.ts'
import {createRunReads} from './run-reads.ts'
import {SCHEMA, SCHEMA_VERSION, SETTINGS} from './schema.ts'
import {toSearchText} from './search-text.ts'
import {createSearch} from './search.ts'
import type {RunEntry, RunHead, SearchQuery, StoredItem, StoredMessage} from './store.ts'

/**
 * The index of a data folder: runs, their items and their messages, with full-text search. Reads return everything
 * that was added before; additions are committed together after some milliseconds.
 */
export type RunIndex = ReturnType<typeof createRunIndex>

/** Options of {@link openRunIndex}. */
export interface RunIndexOptions {
  /** Called when additions could not be written and are lost. */
  onLost(error: unknown): void
}

/** Bounds the time of a commit. Messages that a killed process has not committed are read again. */
const COMMIT_INTERVAL_MS = 200
/** In the background, messages become searchable for this time, once per interval; less often in a busy thread. */
const FILL_MS = 3
const FILL_INTERVAL_MS = 25
const BUSY_FILL_INTERVAL_MS = 250
const BUSY_UTILIZATION = 0.6
/** A search may take this much longer, to find recent messages. */
const MAX_SEARCH_FILL_MS = 100

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

function createRunIndex(database: Database, {onLost}: RunIndexOptions) {
  const heads = new Map<string, RunHead>()
  /** Runs with additions since the last commit. */
  const grown = new Set<RunHead>()
  /** Set while a transaction is open. */
  let committing: NodeJS.Timeout | undefined
  let lastNo = 0
  let lastId = 0
  /** The last row whose messages are searchable. */
  let filledId = 0
  let filling: NodeJS.Timeout | undefined
  let load = performance.eventLoopUtilization()
  const listHeads = database.prepare(
    `SELECT no, ${asText('run_id', 'runId')}, last_seq AS lastSeq, last_item AS lastItem FROM runs`,
  )
  const addRun = database.prepare('INSERT INTO runs (no, run_id) VALUES (?, ?)')
  const putRun = database.prepare(
    `UPDATE runs SET started_at = ?, is_over = ?, is_complete = ?, cost_usd = ?, is_estimate = ?,
       is_waiting = ?, agent = ?, kind = ?, cwd = ?, verdict = ?, work_order_id = ?, stamp = ?,
       search_text = ?, entry = ? WHERE no = ?`,
  )
  const growRun = database.prepare('UPDATE runs SET last_seq = ?, last_item = ? WHERE no = ?')
  const addBatch = database.prepare('INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const addText = database.prepare(
    'INSERT INTO search (rowid, text, type, run) VALUES (?, ?, ?, ?)',
  )
  const listBatches = database.prepare('SELECT id FROM batches WHERE run = ?')
  const removeTexts = database.prepare(
    'DELETE FROM search WHERE rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)',
  )
  const removeBatches = database.prepare('DELETE FROM batches WHERE run = ?')
  const removeRun = database.prepare('DELETE FROM runs WHERE no = ?')
  const findLastIds = database.prepare(
    `SELECT (SELECT ifnull(max(id), 0) FROM batches) AS added,
       (SELECT ifnull(max(rowid), 0) / ${MAX_BATCH} FROM search) AS filled`,
  )
  const nextBatch = database.prepare(
    `SELECT id, run, ${asText('messages')} FROM batches WHERE id > ? ORDER BY id LIMIT 1`,
  )
  const headOf = (runId: string): Readonly<RunHead> | undefined => heads.get(runId)
  const search = createSearch(database, headOf)
  loadHeads()

  return {
    ...createRunReads(database, headOf),
    ...createBatchReads(database, headOf),
    /** Makes recent messages searchable first, unless there are very many. */
    search(query: SearchQuery) {
      fillSearch(MAX_SEARCH_FILL_MS)
      return search(query)
    },
    fillSearch,
    /** How much of a run is in the index; `undefined` if it has nothing of it. */
    headOf,
    /** Adds a run or replaces it; its items and messages stay. */
    putRun(entry: RunEntry): void {
      const {runId, kind, title, startedAt, isOver, isComplete, costUsd = null, agent} = entry
      const {verdict = null, workOrderId, stamp, isEstimate, isWaiting, cwd} = entry
      const searchText = toStorable(`${title}\n${runId}\n${workOrderId}`.toLowerCase())
      const figures = [costUsd, Number(isEstimate ?? false), Number(isWaiting ?? false)]
      const ending = [
        Number(isOver),
        Number(isComplete),
        ...figures,
        agent,
        kind,
        toStorable(cwd),
        verdict,
      ]
      const json = JSON.stringify(entry)
      write(() => {
        const {no} = make(runId)
        putRun.run(startedAt, ...ending, workOrderId, stamp, searchText, json, no)
      })
    },
    /** Adds the items and messages of a run that are new. */
    append(runId: string, items: readonly StoredItem[], messages: readonly StoredMessage[]): void {
      write(() => {
        const head = make(runId)
        grown.add(head)
        const newItems = items.filter(({n}) => n > head.lastItem && (head.lastItem = n))
        const newMessages = messages.filter(({seq}) => seq > head.lastSeq && (head.lastSeq = seq))
        while (newItems.length + newMessages.length > 0) {
          addRow(head, takeBatch(newItems), takeBatch(newMessages))
        }
      })
      fillLater()
    },
    /** Removes a run with its items and messages. */
    removeRun(runId: string): void {
      const head = heads.get(runId)
      if (head === undefined) return
      write(() => {
        for (const {id} of listBatches.all(head.no)) {
          removeTexts.run(Number(id) * MAX_BATCH, (Number(id) + 1) * MAX_BATCH - 1)
        }
        removeBatches.run(head.no)
        removeRun.run(head.no)
        grown.delete(head)
        heads.delete(runId)
      })
    },
    commit,
    close(): void {
      clearTimeout(filling)
      try {
        commit()
        // Moves the write-ahead log into the file and removes it.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        database.close()
      }
    },
  }

  function addRow(
    head: RunHead,
    items: readonly StoredItem[],
    messages: readonly StoredMessage[],
  ): void {
    const lastItem = items.at(-1)?.n ?? head.lastItem
    const lastSeq = messages.at(-1)?.seq ?? head.lastSeq
    addBatch.run(++lastId, head.no, lastItem, lastSeq, ...encodeBatch(items, messages))
  }

  /**
   * Makes messages searchable, for some milliseconds; returns whether there are more. This is the most expensive part
   * of the index, so it happens in the background: `node bench/hub.js load` shows the delay of live messages.
   */
  function fillSearch(maxMs: number): boolean {
    const endsAt = performance.now() + maxMs
    do {
      const row = nextBatch.get(filledId)
      if (row === undefined) return false
      write(() => addTexts(row))
    } while (performance.now() < endsAt)
    return true
  }

  function addTexts({id, run, messages}: SqlRow): void {
    for (const [at, {type, json}] of decodeMessages(String(messages), 0).entries()) {
      const text = toStorable(toSearchText(JSON.parse(json) as RunMessage))
      if (text !== '') addText.run(Number(id) * MAX_BATCH + at, text, type, Number(run))
    }
    filledId = Number(id)
  }

  /** Fills the search index as long as there are messages. */
  function fillLater(): void {
    if (filling !== undefined) return
    const {utilization} = performance.eventLoopUtilization(performance.eventLoopUtilization(), load)
    load = performance.eventLoopUtilization()
    const isBusy = utilization > BUSY_UTILIZATION
    filling = runLater(fill, isBusy ? BUSY_FILL_INTERVAL_MS : FILL_INTERVAL_MS)
  }

  function fill(): void {
    filling = undefined
    if (fillSearch(FILL_MS)) fillLater()
  }

  function runLater(work: () => void, ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      try {
        work()
      } catch (error) {
        onLost(error)
      }
    }, ms)
  }

  /** Adds to the open transaction, or starts one. */
  function write(work: () => void): void {
    try {
      if (committing === undefined) {
        database.exec('BEGIN IMMEDIATE')
        committing = runLater(commit, COMMIT_INTERVAL_MS)
      }
      work()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** Writes everything to disk. If that fails, everything since the last commit is lost. */
  function commit(): void {
    if (committing === undefined) return
    try {
      for (const {no, lastSeq, lastItem} of grown) growRun.run(lastSeq, lastItem, no)
      database.exec('COMMIT')
      endTransaction()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function endTransaction(): void {
    clearTimeout(committing)
    committing = undefined
    grown.clear()
  }

  function rollBack(): void {
    endTransaction()
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite already rolled back when the disk is full.
    }
    loadHeads()
  }

  function loadHeads(): void {
    heads.clear()
    lastNo = 0
    for (const {runId, no, lastSeq, lastItem} of listHeads.all()) {
      const head = {no: Number(no), lastSeq: Number(lastSeq), lastItem: Number(lastItem)}
      heads.set(String(runId), head)
      lastNo = Math.max(lastNo, head.no)
    }
    const last = findLastIds.get()
    lastId = Number(last?.['added'])
    filledId = Number(last?.['filled'])
    if (filledId < lastId) fillLater()
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

/** Replaces characters that SQLite would return changed; JSON has none. */
function toStorable(text: string): string {
  const known = toUSVString(text)
  return known.includes('\0') ? known.replaceAll('\0', '\ufffd') : known
}
