import type {RunEntry, StoredMessage} from '../store.ts'
import {runIdOf, type Change} from './batch.ts'
import {checksum} from './checksum.ts'
import {isDamage, type Database, type SqlValue} from './database.ts'
import {createKinds} from './kinds.ts'
import {toKindWord, toMessageId, toRunWord} from './schema.ts'
import {createSpots} from './spots.ts'

/** What would come back as something else, and look like damage. JSON that was encoded properly has none of it. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** Changes the index: all changes of a batch, or none of them. */
export function createWriter(database: Database): (changes: readonly Change[]) => void {
  const kinds = createKinds(database)
  const spots = createSpots(database)
  /** Runs of which something could not be written. What follows would hide that, so it is not written either. */
  const spoiled = new Set<string>()
  /** Texts of this batch that are to be found. They are written in the order of time, which the full-text index likes best. */
  let texts: {message: number; at: number; text: string; run: string; kind: string}[] = []

  const addRun = database.prepare('INSERT INTO runs (run_id) VALUES (?) ON CONFLICT DO NOTHING')
  const getRun = database.prepare('SELECT no FROM runs WHERE run_id = ?')
  const countRun = database.prepare(
    'UPDATE runs SET last_seq = max(last_seq, ?), messages = messages + ?, bytes = bytes + ? WHERE no = ?',
  )
  const putRun = database.prepare(
    `UPDATE runs SET started_at = ?, is_over = ?, is_complete = ?, cost_usd = ?, agent = ?, verdict = ?,
       work_order_id = ?, stamp = ?, sought = ?, checksum = ?, entry = ? WHERE no = ?`,
  )
  const addMessage = database.prepare(
    'INSERT INTO messages (id, kind, at, size, checksum, json) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const addText = database.prepare('INSERT INTO found (rowid, text, run, kind) VALUES (?, ?, ?, ?)')
  const addTool = database.prepare(
    `INSERT INTO tools (run, use_id, seq, at, tool, success, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET seq = min(seq, excluded.seq), at = min(at, excluded.at),
         tool = coalesce(tool, excluded.tool), success = coalesce(excluded.success, success),
         duration_ms = coalesce(excluded.duration_ms, duration_ms)`,
  )
  const addFile = database.prepare(
    `INSERT INTO files (run, path, seq, changes, action, size) VALUES (?, ?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET changes = changes + 1, seq = max(seq, excluded.seq),
         action = iif(excluded.seq > seq, excluded.action, action),
         size = iif(excluded.seq > seq, excluded.size, size)`,
  )
  const listSpots = database.prepare('SELECT rowid AS id FROM found WHERE found MATCH ?')
  const removals = [
    'DELETE FROM tools WHERE run = ?',
    'DELETE FROM files WHERE run = ?',
    'DELETE FROM runs WHERE no = ?',
  ].map((sql) => database.prepare(sql))
  const removeMessages = database.prepare('DELETE FROM messages WHERE id > ? AND id < ?')
  const removeText = database.prepare('DELETE FROM found WHERE rowid = ?')

  return function write(changes) {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const change of changes) apply(change)
      writeTexts()
      database.exec('COMMIT')
    } catch (error) {
      for (const change of changes) spoiled.add(runIdOf(change))
      texts = []
      kinds.forget()
      if (!isDamage(error)) rollBack(database)
      throw error
    }
  }

  function apply(change: Change): void {
    switch (change.type) {
      case 'append':
        if (!spoiled.has(change.runId)) append(toNumber(change.runId), change.messages)
        break
      case 'put':
        put(spoiled.has(change.entry.runId) ? unfinished(change.entry) : change.entry)
        break
      case 'remove':
        writeTexts()
        remove(change.runId)
        spoiled.delete(change.runId)
        break
      default:
        change satisfies never
    }
  }

  function append(run: number, messages: readonly StoredMessage[]): void {
    let lastSeq = 0
    let count = 0
    let bytes = 0
    for (const message of messages) {
      const {seq, at, text = ''} = message
      const json = message.json.replaceAll(UNSTORABLE, '\ufffd')
      const id = toMessageId(run, seq)
      const kind = kinds.toNumber(message.type)
      const size = Buffer.byteLength(json)
      if (addMessage.run(id, kind, at, size, checksum(id, json), json) === 0) continue
      lastSeq = Math.max(lastSeq, seq)
      count++
      bytes += size
      if (text !== '') {
        texts.push({message: id, at, text, run: toRunWord(run), kind: toKindWord(kind)})
      }
      addFacts(run, message)
    }
    countRun.run(lastSeq, count, bytes, run)
  }

  function addFacts(run: number, message: StoredMessage): void {
    const {seq, at, toolUseId, tool = null, success, durationMs = null} = message
    if (toolUseId !== undefined) {
      const isSuccess = success === undefined ? null : Number(success)
      addTool.run(run, toolUseId, seq, at, tool, isSuccess, durationMs)
    }
    const {path, action = '', sizeBytes = null} = message
    if (path !== undefined) addFile.run(run, path, seq, action, sizeBytes)
  }

  function put(entry: RunEntry): void {
    const {runId, title, startedAt, isOver, isComplete, costUsd = null, agent} = entry
    const {verdict = null, workOrderId, stamp} = entry
    const run = toNumber(runId)
    const sought = `${title}\n${runId}\n${workOrderId}`.toLowerCase()
    const json = JSON.stringify(entry)
    const ending: SqlValue[] = [Number(isOver), Number(isComplete), costUsd, agent, verdict]
    putRun.run(startedAt, ...ending, workOrderId, stamp, sought, checksum(run, json), json, run)
  }

  function remove(runId: string): void {
    const run = getRun.get(runId)?.['no']
    if (typeof run !== 'number') return
    for (const {id = null} of listSpots.all(`run : ${toRunWord(run)}`)) {
      removeText.run(id)
      spots.remove(id)
    }
    removeMessages.run(toMessageId(run, 0), toMessageId(run + 1, 0))
    for (const removal of removals) removal.run(run)
  }

  function toNumber(runId: string): number {
    addRun.run(runId)
    return Number(getRun.get(runId)?.['no'])
  }

  function writeTexts(): void {
    for (const {message, at, text, run, kind} of texts.toSorted((a, b) => a.at - b.at)) {
      addText.run(spots.add(at, message), text, run, kind)
    }
    texts = []
  }
}

/** A run whose recording is to be looked at again. */
function unfinished(entry: RunEntry): RunEntry {
  return {...entry, stamp: '', isComplete: false}
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has done so by itself when the disk is full.
  }
}
