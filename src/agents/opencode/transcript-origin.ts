import type {TranscriptSource} from '../../core/events/transcript.ts'
import {
  numberAt,
  parseText,
  textAt,
  timeAt,
  objectAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** The session of the main conversation, from the parent of a sub-agent. */
export function findRoot(source: TranscriptSource, parentId: string): string {
  let id = parentId
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = findParent(source, id)
    if (next === undefined || next === id) break
    id = next
  }
  return id
}

const MAX_DEPTH = 16

function findParent(
  {path, file, query, readText}: TranscriptSource,
  id: string,
): string | undefined {
  if (file.storage === 'database') {
    return textAt(query('SELECT parent_id FROM session WHERE id = ?', id)[0], 'parent_id')
  }
  const folder = path.slice(0, path.lastIndexOf('/'))
  return textAt(parseText(readText(`${folder}/${id}.json`) ?? ''), 'parentID')
}

/** The session of which a fork is a copy: its title has a number, and its messages have the times of the origin. */
export function findOrigin(
  {file, query}: TranscriptSource,
  session: JsonObject,
): string | undefined {
  const fork = /\(fork #(\d+)\)$/.exec(textAt(session, 'title') ?? '')
  const id = textAt(session, 'id')
  const createdAt = timeAt(objectAt(session, 'time'), 'created')
  if (fork === null || file.storage !== 'database') return undefined
  if (id === undefined || createdAt === undefined) return undefined
  const [first] = query(
    'SELECT time_created FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 1',
    id,
  )
  const firstAt = numberAt(first, 'time_created')
  if (firstAt === undefined || firstAt >= createdAt) return undefined
  const origins = query(
    `SELECT s.id, s.title FROM session s WHERE s.time_created < ? AND EXISTS
      (SELECT 1 FROM message WHERE session_id = s.id AND time_created = ?) ORDER BY s.time_created`,
    createdAt,
    firstAt,
  )
  const number = Number(fork[1]) - 1
  const parent = origins.findLast(({title}) => String(title).endsWith(`(fork #${number})`))
  return textAt(number === 0 ? origins[0] : (parent ?? origins.at(-1)), 'id')
}
