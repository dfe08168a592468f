import {createRequire} from 'node:module'

/** A column value. */
export type SqlValue = string | number | null

/** A row by column name. */
export type SqlRow = Record<string, SqlValue>

/**
 * A prepared statement. It must select text as bytes and decodes it itself: libsql ends the process on text of a
 * damaged file.
 */
interface Statement {
  /** Returns the number of changed rows. */
  run(...values: SqlValue[]): number
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
}

/** An SQLite database of either driver. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Opens a database file. */
export type Driver = (path: string) => Database

/** Opens a database with Node's SQLite, or with the package libsql. */
export function openDatabase(path: string, loaders: readonly (() => Driver)[] = LOADERS): Database {
  return loadDriver(loaders)(path)
}

/** Selects a text column in the form that statements expect. */
export function asText(column: string, name: string = column): string {
  return `CAST(${column} AS BLOB) AS ${name}`
}

/** Whether an error reports a damaged database file. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof DamageError) return true
  if (!(error instanceof Error)) return false
  return DAMAGE_CODES.has(kindOf(error)) || DAMAGE_WORDS.test(error.message)
}

/** Whether an error was reported by SQLite. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && kindOf(error) !== 0
}

/** Whether an error reports a statement that does not fit the tables. */
export function isMistake(error: unknown): error is Error {
  return error instanceof Error && kindOf(error) === SQLITE_ERROR
}

/** A database file that cannot be used. */
export class DamageError extends Error {
  override name = 'DamageError'
}

const SQLITE_ERROR = 1

/** SQLITE_CORRUPT, SQLITE_FORMAT and SQLITE_NOTADB. */
const DAMAGE_CODES = new Set([11, 24, 26])

/** Messages of SQLite for damage that has only a generic code; no search text can produce them. */
const DAMAGE_WORDS =
  /^(?:malformed database schema|vtable constructor failed|invalid fts5 file format|database disk image is malformed|file is not a database)/

/** The primary result code is the lower byte; drivers have it in different fields. */
function kindOf(error: Error): number {
  const {errcode, rawCode} = error as {errcode?: unknown; rawCode?: unknown}
  const code = errcode ?? rawCode
  return typeof code === 'number' ? code & 0xff : 0
}

const require = createRequire(import.meta.url)

const LOADERS: readonly (() => Driver)[] = [loadNodeSqlite, loadLibsql]

function loadDriver(loaders: readonly (() => Driver)[]): Driver {
  for (const load of loaders) {
    try {
      return load()
    } catch {
      // The next driver may be available.
    }
  }
  throw new Error('SQLite is not available. Use Node 22.5 or newer, or run: npm install libsql')
}

function loadNodeSqlite(): Driver {
  const {DatabaseSync} = withoutWarnings(() => require('node:sqlite') as NodeSqlite)
  return (path) => {
    const database = new DatabaseSync(path)
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql)
        return {
          run: (...values) => Number(statement.run(...values).changes),
          get(...values) {
            const row = statement.get(...values)
            return row === undefined ? undefined : decodeRow(row)
          },
          all: (...values) => statement.all(...values).map(decodeRow),
        }
      },
      close: () => database.close(),
    }
  }
}

function loadLibsql(): Driver {
  const Libsql = require('libsql') as LibsqlConstructor
  return (path) => {
    const database = new Libsql(path)
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql)
        // As one array: a single `null` would mean no values.
        return {
          run: (...values) => statement.run(values).changes,
          get(...values) {
            const row = statement.get(values)
            if (row === undefined) return undefined
            delete row['_metadata']
            return decodeRow(row)
          },
          all: (...values) => statement.all(values).map(decodeRow),
        }
      },
      close: () => database.close(),
    }
  }
}

/** A row as a driver returns it. */
type RawRow = Record<string, SqlValue | ArrayBuffer | Uint8Array>

const decoder = new TextDecoder('utf-8', {ignoreBOM: true})

function decodeRow(row: RawRow): SqlRow {
  const decoded: SqlRow = {}
  for (const [name, value] of Object.entries(row)) {
    decoded[name] = typeof value === 'object' && value !== null ? decoder.decode(value) : value
  }
  return decoded
}

/** Hides the warning of Node 22 that its SQLite is experimental: users cannot act on it. */
function withoutWarnings<T>(load: () => T): T {
  const {emitWarning} = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The part of `node:sqlite` in use; the types of Node 20 lack it. */
interface NodeSqlite {
  DatabaseSync: new (path: string) => {
    exec(sql: string): void
    prepare(sql: string): {
      run(...values: SqlValue[]): {changes: number | bigint}
      get(...values: SqlValue[]): RawRow | undefined
      all(...values: SqlValue[]): RawRow[]
    }
    close(): void
  }
}

/** The part of libsql in use; the package may be missing. */
type LibsqlConstructor = new (path: string) => {
  exec(sql: string): void
  prepare(sql: string): {
    run(values: SqlValue[]): {changes: number}
    get(values: SqlValue[]): RawRow | undefined
    all(values: SqlValue[]): RawRow[]
  }
  close(): void
}
