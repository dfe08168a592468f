import type {TranscriptSource} from '../../core/events/transcript.ts'
import {numberAt, parseText, textAt, type JsonObject} from '../../core/wire/json.ts'
import {toMessageRecords, toSessionRecord, type StoredPart} from './transcript-rows.ts'

/** Reads the records of a session in a database. */
export function* readDatabase({query, sessionId = ''}: TranscriptSource): Generator<JsonObject> {
  const [row] = query(
    `SELECT id, parent_id, project_id, directory, title, version, time_created, time_updated
    FROM session WHERE id = ?`,
    sessionId,
  )
  if (row === undefined) return
  const session = toSession(row)
  yield toSessionRecord(session)
  const messages = query(
    `SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id`,
    sessionId,
  )
  for (let index = 0; index < messages.length; index += MESSAGES_PER_QUERY) {
    const some = messages.slice(index, index + MESSAGES_PER_QUERY)
    const parts = readParts(
      query,
      some.map(({id}) => id ?? null),
    )
    for (const message of some) {
      const id = textAt(message, 'id') ?? ''
      const createdAt = numberAt(message, 'time_created')
      yield* toMessageRecords(session, {
        id,
        data: parseText(textAt(message, 'data') ?? ''),
        createdAt,
        parts: parts.get(id) ?? [],
      })
    }
  }
}

const MESSAGES_PER_QUERY = 50

/** In the form of the documents. */
function toSession(row: JsonObject): JsonObject {
  return {
    id: row['id'],
    parentID: row['parent_id'],
    projectID: row['project_id'],
    directory: row['directory'],
    title: row['title'],
    version: row['version'],
    time: {created: row['time_created'], updated: row['time_updated']},
  }
}

function readParts(
  query: TranscriptSource['query'],
  messageIds: readonly (string | number | null)[],
): Map<string, StoredPart[]> {
  const parts = new Map<string, StoredPart[]>()
  const rows = query(
    `SELECT id, message_id, time_created, data FROM part
    WHERE message_id IN (${messageIds.map(() => '?').join(', ')}) ORDER BY message_id, id`,
    ...messageIds,
  )
  for (const row of rows) {
    const messageId = textAt(row, 'message_id') ?? ''
    const part = {
      id: textAt(row, 'id') ?? '',
      data: parseText(textAt(row, 'data') ?? ''),
      createdAt: numberAt(row, 'time_created'),
    }
    const known = parts.get(messageId)
    if (known === undefined) parts.set(messageId, [part])
    else known.push(part)
  }
  return parts
}
