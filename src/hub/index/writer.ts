import {toUSVString} from 'node:util'
import type {RunEntry} from './store.ts'
import type {Change} from './batch.ts'
import {hash} from './checksum.ts'
import {after, type Chunk} from './chunk.ts'
import type {Database, SqlValue} from './database.ts'
import type {RunHead, RunProgressCache} from './run-progress.ts'
import {toMessageId, toRunWord} from './schema.ts'
import {transact} from './transact.ts'

/** Applies the changes of a batch, all or none. */
export function createWriter(
  database: Database,
  heads: RunProgressCache,
): (changes: readonly Change[]) => void {
  /**
   * Runs with missing messages, and up to which number. Messages after a gap would hide it, so they are not
   * written, and the run is incomplete until all of it was added again.
   */
  const missing = new Map<string, number>()
  /** How many messages each run gained in this batch. */
  const growth = new Map<RunHead, {messages: number; bytes: number}>()

  const countRun = database.prepare(
    'UPDATE runs SET last_seq = ?, messages = messages + ?, bytes = bytes + ? WHERE no = ?',
  )
  const putRun = database.prepare(
    `UPDATE runs SET started_at = ?, is_over = ?, is_complete = ?, cost_usd = ?, agent = ?, verdict = ?,
       work_order_id = ?, stamp = ?, search_text = ?, checksum = ?, entry = ? WHERE no = ?`,
  )
  const spoilRun = database.prepare(`UPDATE runs SET stamp = '', is_complete = 0 WHERE run_id = ?`)
  const addChunk = database.prepare(
    `INSERT INTO chunks (run, first_seq, last_seq, types, at, size, checksum, json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const listRows = database.prepare('SELECT rowid AS id FROM found WHERE found MATCH ?')
  const removeText = database.prepare('DELETE FROM found WHERE rowid = ?')
  const removeRow = database.prepare('DELETE FROM search_rows WHERE id = ?')
  const removals = [
    'DELETE FROM chunks WHERE run = ?',
    'DELETE FROM tools WHERE run = ?',
    'DELETE FROM files WHERE run = ?',
    'DELETE FROM runs WHERE no = ?',
  ].map((sql) => database.prepare(sql))

  return function write(changes) {
    try {
      transact(database, () => {
        for (const change of changes) apply(change)
        count()
      })
    } catch (error) {
      for (const change of changes) spoil(change)
      growth.clear()
      heads.reload()
      throw error
    }
  }

  function apply(change: Change): void {
    switch (change.type) {
      case 'append':
        append(change.runId, change.chunk)
        break
      case 'put':
        put(missing.has(change.entry.runId) ? unfinished(change.entry) : change.entry)
        break
      case 'remove':
        remove(change.runId)
        break
      default:
        change satisfies never
    }
  }

  function append(runId: string, chunk: Chunk): void {
    const head = heads.make(runId)
    if (chunk.lastSeq <= head.lastSeq) return
    if (chunk.firstSeq > head.lastSeq + 1 || missing.get(runId) === Infinity) {
      expect(runId, chunk.lastSeq)
      spoilRun.run(runId)
      return
    }
    add(head, after(chunk, head.lastSeq))
    if (head.lastSeq >= (missing.get(runId) ?? Infinity)) missing.delete(runId)
  }

  function add(head: RunHead, {firstSeq, lastSeq, types, at, json}: Chunk): void {
    const kept = toStorable(json)
    const size = Buffer.byteLength(kept)
    const sum = hash(toMessageId(head.no, firstSeq), kept)
    addChunk.run(head.no, firstSeq, lastSeq, types, at, size, sum, kept)
    head.lastSeq = lastSeq
    heads.waiting.set(head.no, head)
    const messages = lastSeq - firstSeq + 1
    const grown = growth.get(head) ?? {messages: 0, bytes: 0}
    grown.messages += messages
    // Messages between them belong to other runs.
    grown.bytes += size - messages + 1
    growth.set(head, grown)
  }

  function count(): void {
    for (const [{no, lastSeq}, {messages, bytes}] of growth) {
      countRun.run(lastSeq, messages, bytes, no)
    }
    growth.clear()
  }

  function put(entry: RunEntry): void {
    const {runId, title, startedAt, isOver, isComplete, costUsd = null, agent} = entry
    const {verdict = null, workOrderId, stamp} = entry
    const {no} = heads.make(runId)
    const searchText = `${title}\n${runId}\n${workOrderId}`.toLowerCase()
    const json = JSON.stringify(entry)
    const ending: SqlValue[] = [Number(isOver), Number(isComplete), costUsd, agent, verdict]
    putRun.run(startedAt, ...ending, workOrderId, stamp, searchText, hash(no, json), json, no)
  }

  function remove(runId: string): void {
    missing.delete(runId)
    const head = heads.find(runId)
    if (head === undefined) return
    growth.delete(head)
    heads.remove(runId)
    for (const {id = null} of listRows.all(`run : ${toRunWord(head.no)}`)) {
      removeText.run(id)
      removeRow.run(id)
    }
    for (const removal of removals) removal.run(head.no)
  }

  /** The messages of a failed batch are missing. */
  function spoil(change: Change): void {
    if (change.type === 'append') expect(change.runId, change.chunk.lastSeq)
    if (change.type === 'remove') expect(change.runId, Infinity)
  }

  function expect(runId: string, lastSeq: number): void {
    missing.set(runId, Math.max(missing.get(runId) ?? 0, lastSeq))
  }
}

/** Removes characters that SQLite would return changed, which would look like damage. Valid JSON has none. */
function toStorable(json: string): string {
  const text = toUSVString(json)
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** A run whose recording must be read again. */
function unfinished(entry: RunEntry): RunEntry {
  return {...entry, stamp: '', isComplete: false}
}
