import type {MessagePage, MessageQuery} from '../store.ts'
import {verified} from './checksum.ts'
import {asText, type Database, type SqlRow} from './database.ts'
import {toMessageId, toSeq} from './schema.ts'

/** Pages the messages of a run. */
export function createMessageReads(database: Database): {
  listMessages(runId: string, query: MessageQuery): MessagePage
  lastMessage(runId: string, type: string): {seq: number; json: string} | null
} {
  const findRun = database.prepare('SELECT no FROM runs WHERE run_id = ?')
  const findKind = database.prepare('SELECT no FROM kinds WHERE name = ?')
  const listAll = database.prepare(
    'SELECT id, size FROM messages WHERE id > ? AND id < ? ORDER BY id LIMIT ?',
  )
  const listKind = database.prepare(
    'SELECT id, size FROM messages WHERE kind = ? AND id > ? AND id < ? ORDER BY id LIMIT ?',
  )
  const findLast = database.prepare(
    `SELECT id, checksum, ${asText('json')} FROM messages WHERE kind = ? AND id > ? AND id < ?
       ORDER BY id DESC LIMIT 1`,
  )
  const readJson = database.prepare(
    `SELECT id, checksum, ${asText('json')} FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )

  return {
    listMessages(runId, {since, limit, maxBytes = Infinity, types}) {
      const run = findRun.get(runId)?.['no']
      if (typeof run !== 'number') return {messages: [], isEnd: true}
      const from = toMessageId(run, Math.max(since, 0))
      const end = toMessageId(run + 1, 0)
      // One more than wanted tells whether there is more.
      const listed =
        types === undefined
          ? listAll.all(from, end, limit + 1)
          : types
              .flatMap((type) => {
                const kind = findKind.get(type)?.['no'] ?? null
                return listKind.all(kind, from, end, limit + 1)
              })
              .toSorted((a, b) => Number(a['id']) - Number(b['id']))
      const ids = takeIds(listed, limit, maxBytes)
      return {
        messages: readJson.all(JSON.stringify(ids)).map(toMessage),
        isEnd: ids.length === listed.length,
      }
    },
    lastMessage(runId, type) {
      const run = findRun.get(runId)?.['no']
      const kind = findKind.get(type)?.['no']
      if (typeof run !== 'number' || typeof kind !== 'number') return null
      const row = findLast.get(kind, toMessageId(run, 0), toMessageId(run + 1, 0))
      return row === undefined ? null : toMessage(row)
    },
  }
}

function takeIds(rows: readonly SqlRow[], limit: number, maxBytes: number): number[] {
  const ids: number[] = []
  let bytes = 0
  for (const {id, size} of rows.slice(0, limit)) {
    bytes += Number(size)
    if (ids.length > 0 && bytes > maxBytes) break
    ids.push(Number(id))
  }
  return ids
}

function toMessage(row: SqlRow): {seq: number; json: string} {
  const id = Number(row['id'])
  return {seq: toSeq(id), json: verified(id, row['json'], row['checksum'])}
}
