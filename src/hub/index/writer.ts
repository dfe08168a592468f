import {toUSVString} from 'node:util'
import type {RunEntry} from './store.ts'
import type {Change} from './batch.ts'
import {hash} from './checksum.ts'
import {after, type Chunk} from './chunk.ts'
import type {Database, SqlValue} from './database.ts'
import type {RunHead, RunHeads} from './run-progress.ts'
import {toMessageId, toRunWord} from './schema.ts'
import {transact} from './transact.ts'

/** Changes the index: all changes of a batch, or none of them. */
export function createWriter(
  database: Database,
  heads: RunHeads,
): (changes: readonly Change[]) => void {
  /**
   * Runs of which messages are missing, and up to which. What comes after a hole would hide it, so it is not written, and
   * the run is not complete until all of it was given again.
   */
  const missing = new Map<string, number>()
  /** Runs that grew in this batch, and by how much. */
  const growth = new Map<RunHead, {messages: number; bytes: number}>()

  const countRun = database.prepare(
    'UPDATE runs SET last_seq = ?, messages = messages + ?, bytes = bytes + ? WHERE no = ?',
  )
  const putRun = database.prepare(
    `UPDATE runs SET started_at = ?, is_over = ?, is_complete = ?, cost_usd = ?, agent = ?, verdict = ?,
       work_order_id = ?, stamp = ?, sought = ?, checksum = ?, entry = ? WHERE no = ?`,
  )
  const spoilRun = database.prepare(`UPDATE runs SET stamp = '', is_complete = 0 WHERE run_id = ?`)
  const addChunk = database.prepare(
    `INSERT INTO chunks (run, first_seq, last_seq, types, at, size, checksum, json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const listSpots = database.prepare('SELECT rowid AS id FROM found WHERE found MATCH ?')
  const removeText = database.prepare('DELETE FROM found WHERE rowid = ?')
  const removeSpot = database.prepare('DELETE FROM spots WHERE id = ?')
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
    // What is between them is not theirs.
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
    const sought = `${title}\n${runId}\n${workOrderId}`.toLowerCase()
    const json = JSON.stringify(entry)
    const ending: SqlValue[] = [Number(isOver), Number(isComplete), costUsd, agent, verdict]
    putRun.run(startedAt, ...ending, workOrderId, stamp, sought, hash(no, json), json, no)
  }

  function remove(runId: string): void {
    missing.delete(runId)
    const head = heads.find(runId)
    if (head === undefined) return
    growth.delete(head)
    heads.remove(runId)
    for (const {id = null} of listSpots.all(`run : ${toRunWord(head.no)}`)) {
      removeText.run(id)
      removeSpot.run(id)
    }
    for (const removal of removals) removal.run(head.no)
  }

  /** What a batch that failed was about is missing. */
  function spoil(change: Change): void {
    if (change.type === 'append') expect(change.runId, change.chunk.lastSeq)
    if (change.type === 'remove') expect(change.runId, Infinity)
  }

  function expect(runId: string, lastSeq: number): void {
    missing.set(runId, Math.max(missing.get(runId) ?? 0, lastSeq))
  }
}

/** Without what would come back as something else, and look like damage. JSON that was encoded properly has none of it. */
function toStorable(json: string): string {
  const text = toUSVString(json)
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** A run whose recording is to be looked at again. */
function unfinished(entry: RunEntry): RunEntry {
  return {...entry, stamp: '', isComplete: false}
}
