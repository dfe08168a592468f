import type {
  StoredSession,
  TranscriptFile,
  TranscriptFormat,
  TranscriptSource,
} from '../../core/events/transcript.ts'
import {numberAt, type JsonObject} from '../../core/wire/json.ts'
import {readDatabase} from './transcript-database.ts'
import {readDocuments} from './transcript-documents.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createSessionTranslator} from './transcript-translate.ts'

/** The sessions of OpenCode: `~/.local/share/opencode/opencode.db`, and the documents of versions before 1.2. */
export const opencodeTranscripts: TranscriptFormat = {
  agent: 'opencode',
  roots({home, env}) {
    const data = `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/opencode`
    const database = (env['OPENCODE_DB'] ?? '').replaceAll('\\', '/')
    const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(database)
    const folder = isAbsolute ? database.slice(0, database.lastIndexOf('/')) : ''
    return folder === '' || folder === data ? [data] : [data, folder]
  },
  hasTranscripts: (folder) => /^storage(?:\/session(?:\/[^/]+)?)?$/.test(folder),
  identify,
  listSessions,
  readRecords,
  createScanner,
  timeOf: (record) => numberAt(record, 'at'),
  kindOf,
  shapes,
  createTranslator: createSessionTranslator,
}

function identify(path: string): TranscriptFile | undefined {
  if (!path.includes('/')) return path.endsWith('.db') ? {storage: 'database'} : undefined
  const sessionId = /^storage\/session\/[^/]+\/([^/]+)\.json$/.exec(path)?.[1]
  return sessionId === undefined ? undefined : {storage: 'document', sessionId}
}

/** Only the last messages change: an answer, and prompts that wait for its end. */
function listSessions({query}: TranscriptSource): StoredSession[] {
  const tables = query(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part')`,
  )
  // Any database can be named in the environment.
  if (tables.length < 3) return []
  const last = `SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 3`
  const rows = query(
    `SELECT s.id, s.time_updated AS session,
      (SELECT max(time_updated) FROM message WHERE id IN (${last})) AS message,
      (SELECT max(time_updated) FROM part WHERE message_id IN (${last})) AS part,
      (SELECT count(*) FROM part WHERE message_id IN (${last})) AS parts
    FROM session s`,
  )
  return rows.flatMap(({id, session, message, part, parts}) => {
    const stamp = [session, message, part, parts].join(' ')
    return typeof id === 'string' ? [{sessionId: id, stamp}] : []
  })
}

function readRecords(source: TranscriptSource): Iterable<JsonObject> {
  return source.file.storage === 'database' ? readDatabase(source) : readDocuments(source)
}
