import {toUSVString} from 'node:util'
import {
  asText,
  DamageError,
  isDamage,
  openDatabase,
  type Database,
} from '../../database/database.ts'
import {makeIndexFile, removeIndexFiles} from '../../database/files.ts'
import type {Moment, MomentRole} from './moments.ts'

/** The searchable moments of runs and sessions, on disk. All of it can be read again. */
export type SearchStore = ReturnType<typeof createSearchStore>

/** Some moments of an entry, in the place of those that it had. */
export interface EntryPart {
  id: string
  /** The number of moments before these. */
  position: number
  moments: readonly Moment[]
  /** The stamp of the entry, when these are its last moments: those that it had beyond are removed. */
  stamp?: string | undefined
}

/** Around a match; no text has these characters. */
export const MARK_START = '\u0001'
export const MARK_END = '\u0002'

/** The version of the tables and of the parsers that fill them; a store of another version is removed. */
const SCHEMA_VERSION = 1
/** The moments of an entry have consecutive numbers, from its number times this. */
const MAX_MOMENTS = 2 ** 20
/** Moments that are removed at once. */
const REMOVED_AT_ONCE = 200
const MAX_WORDS = 20_000

const SCHEMA = `
  CREATE TABLE entries (
    no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, length INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE moments USING fts5 (
    text, role, label UNINDEXED, at UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE words USING fts5vocab (moments, 'col');
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Several processes may use the file at once. */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
`

/** Opens the store in a file; a damaged or outdated one is removed and created again. */
export function openSearchStore(path: string): SearchStore {
  try {
    return open(path)
  } catch (error) {
    if (!isDamage(error)) throw error
    removeIndexFiles(path)
    return open(path)
  }
}

function open(path: string): SearchStore {
  if (path !== ':memory:') makeIndexFile(path)
  const database = openDatabase(path)
  try {
    database.exec(SETTINGS)
    prepareTables(database)
    return createSearchStore(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Two processes may create the tables at once. */
function prepareTables(database: Database): void {
  const readVersion = () => database.prepare('PRAGMA user_version').get()?.['user_version']
  if (readVersion() === SCHEMA_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  const version = readVersion()
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (version === 0 && isEmpty) database.exec(SCHEMA)
  database.exec('COMMIT')
  if (version !== SCHEMA_VERSION && !isEmpty) {
    throw new DamageError(`its schema version is ${version}, expected ${SCHEMA_VERSION}`)
  }
}

function createSearchStore(database: Database) {
  const listEntries = database.prepare(
    `SELECT no, ${asText('id')}, ${asText('stamp')} FROM entries`,
  )
  const findEntry = database.prepare('SELECT no, length FROM entries WHERE id = ?')
  const addEntry = database.prepare(`INSERT INTO entries (id, stamp, length) VALUES (?, '', 0)`)
  const endEntry = database.prepare('UPDATE entries SET stamp = ?, length = ? WHERE no = ?')
  const removeEntry = database.prepare('DELETE FROM entries WHERE no = ?')
  const getMoment = database.prepare(
    `SELECT ${asText('text')}, ${asText('role')}, ${asText('label')}, at FROM moments
       WHERE rowid = CAST(? AS INTEGER)`,
  )
  const replaceMoment = database.prepare(
    `INSERT OR REPLACE INTO moments (rowid, text, role, label, at)
       VALUES (CAST(? AS INTEGER), ?, ?, ?, CAST(? AS INTEGER))`,
  )
  const removeMoment = database.prepare('DELETE FROM moments WHERE rowid = CAST(? AS INTEGER)')
  const countMatches = database.prepare(
    `SELECT rowid / ${MAX_MOMENTS} AS no, count(*) AS count FROM moments WHERE moments MATCH ? GROUP BY no`,
  )
  const findRows = database.prepare(
    `SELECT rowid FROM moments
       WHERE moments MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       ORDER BY rowid LIMIT ?`,
  )
  const marked = asText(`highlight(moments, 0, '${MARK_START}', '${MARK_END}')`, 'text')
  const getMarked = database.prepare(
    `SELECT ${marked}, ${asText('role')}, ${asText('label')}, at FROM moments
       WHERE moments MATCH ? AND rowid = CAST(? AS INTEGER)`,
  )
  const getFirst = database.prepare(`SELECT ${marked} FROM moments WHERE moments MATCH ? LIMIT 1`)
  const selectWords = database.prepare(
    `SELECT ${asText('term')}, doc FROM words
       WHERE term >= ? AND term < ? AND col = 'text' LIMIT ${MAX_WORDS}`,
  )

  return {
    /** The entries in the store, with their stamps when they were read: empty if that is incomplete. */
    list: () =>
      listEntries.all().map((row) => ({
        no: Number(row['no']),
        id: String(row['id']),
        stamp: String(row['stamp']),
      })),
    /** Writes parts of entries at once. Moments that are equal to those before are not written again. */
    put: (parts: readonly EntryPart[]): void =>
      transact(() => {
        for (const part of parts) putPart(part)
      }),
    /**
     * Removes some moments of an entry, and the entry with the last of them.
     *
     * @returns Whether there are more to remove.
     */
    remove(id: string): boolean {
      const found = findEntry.get(id)
      if (found === undefined) return false
      return transact(() => {
        const no = Number(found['no'])
        const length = Number(found['length'])
        const left = Math.max(0, length - REMOVED_AT_ONCE)
        removeMoments(no, left, length)
        if (left > 0) endEntry.run('', left, no)
        else removeEntry.run(no)
        return left > 0
      })
    },
    /** The numbers of the entries with moments that match, and how many. */
    count: (match: string): Map<number, number> =>
      new Map(countMatches.all(match).map((row) => [Number(row['no']), Number(row['count'])])),
    /** The first moments of an entry that match. */
    find: (match: string, no: number, limit: number): number[] =>
      findRows
        .all(match, no * MAX_MOMENTS, (no + 1) * MAX_MOMENTS - 1, limit)
        .map((row) => Number(row['rowid'])),
    /** A moment with its matches marked by {@link MARK_START} and {@link MARK_END}. */
    getMarked(match: string, moment: number): Moment | undefined {
      const row = getMarked.get(match, moment)
      return row && toMoment(row)
    },
    /** The words that occur and begin with a prefix, in lower case, and in how many moments. */
    listWords: (prefix: string): {word: string; count: number}[] =>
      selectWords
        .all(prefix, `${prefix}\u{10ffff}`)
        .map((row) => ({word: String(row['term']), count: Number(row['doc'])})),
    /** A word as it is written where it occurs. */
    findSpelling(word: string): string {
      const text = String(getFirst.get(`text : "${word}"`)?.['text'] ?? '')
      return text.slice(text.indexOf(MARK_START) + 1, text.indexOf(MARK_END)) || word
    },
    close: () => database.close(),
  }

  function putPart({id, position, moments, stamp}: EntryPart): void {
    if (findEntry.get(id) === undefined) addEntry.run(id)
    const found = findEntry.get(id)
    const no = Number(found?.['no'])
    const before = Number(found?.['length'])
    const end = Math.min(position + moments.length, MAX_MOMENTS)
    for (let index = position; index < end; index++) {
      const moment = moments[index - position]
      if (moment !== undefined) putMoment(no * MAX_MOMENTS + index, moment, index < before)
    }
    if (stamp !== undefined) removeMoments(no, end, before)
    endEntry.run(stamp ?? '', stamp === undefined ? Math.max(before, end) : end, no)
  }

  function putMoment(row: number, moment: Moment, isKnown: boolean): void {
    const {text, role, label, at} = toStored(moment)
    if (isKnown) {
      const before = getMoment.get(row)
      if (before !== undefined && isEqual(toMoment(before), {text, role, label, at})) return
    }
    replaceMoment.run(row, text, role, label, at)
  }

  function removeMoments(no: number, from: number, to: number): void {
    for (let index = from; index < to; index++) removeMoment.run(no * MAX_MOMENTS + index)
  }

  function transact<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      database.exec('COMMIT')
      return value
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function rollBack(): void {
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite already rolled back when the disk is full.
    }
  }
}

function toMoment(row: Readonly<Record<string, string | number | null>>): Moment {
  return {
    text: String(row['text']),
    role: String(row['role']) as MomentRole,
    label: String(row['label']),
    at: Number(row['at']),
  }
}

function isEqual(one: Moment, other: Moment): boolean {
  return (
    one.text === other.text &&
    one.role === other.role &&
    one.label === other.label &&
    one.at === other.at
  )
}

function toStored({text, role, label, at}: Moment): Moment {
  return {text: cleanText(text), role, label: cleanText(label), at: Math.round(at)}
}

/** Replaces characters that SQLite would return changed, and those of marks. */
function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return toUSVString(text).replaceAll(/[\0\u0001\u0002]/g, '\ufffd')
}
