import {createRequire} from 'node:module'

/** What a column may hold. */
export type SqlValue = string | number | null

/** A row by the names of its columns. */
export type SqlRow = Record<string, SqlValue>

/** A prepared statement. */
interface Statement {
  /** Gives how many rows it changed. */
  run(...values: SqlValue[]): number
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
}

/** An SQLite database, whichever driver opened it. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Opens a database file. */
export type Driver = (path: string) => Database

/** Opens a database with what there is: the SQLite of Node, else the package libsql. */
export function openDatabase(path: string, loaders: readonly (() => Driver)[] = LOADERS): Database {
  return loadDriver(loaders)(path)
}

/** Whether an error says that the file is no longer what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamageError) return true
  if (!(error instanceof Error)) return false
  const {errcode, rawCode} = error as {errcode?: unknown; rawCode?: unknown}
  const code = typeof errcode === 'number' ? errcode : rawCode
  // The lower byte is the kind of error, whatever more is known of it.
  const kind = typeof code === 'number' ? code & 0xff : undefined
  return (kind !== undefined && DAMAGE_CODES.has(kind)) || DAMAGE_WORDS.test(error.message)
}

/** Data that is not what was written. */
export class DamageError extends Error {
  override name = 'DamageError'
}

/** SQLITE_CORRUPT, SQLITE_FORMAT and SQLITE_NOTADB. */
const DAMAGE_CODES = new Set([11, 24, 26])

/** What SQLite says where the code is but that of any error; no search text can make it say so. */
const DAMAGE_WORDS =
  /^(?:malformed database schema|no such table: \w+$|vtable constructor failed|invalid fts5 file format|database disk image is malformed|file is not a database)/

const require = createRequire(import.meta.url)

const LOADERS: readonly (() => Driver)[] = [loadNodeSqlite, loadLibsql]

function loadDriver(loaders: readonly (() => Driver)[]): Driver {
  for (const load of loaders) {
    try {
      return load()
    } catch {
      // The next one may be there.
    }
  }
  throw new Error(
    'there is no SQLite for the index. Use Node 22.5 or newer, or install the package libsql: npm install libsql',
  )
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
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
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
        // As one array: it takes a single `null` for no values at all.
        return {
          run: (...values) => statement.run(values).changes,
          get(...values) {
            const row = statement.get(values)
            if (row !== undefined) delete row['_metadata']
            return row
          },
          all: (...values) => statement.all(values),
        }
      },
      close: () => database.close(),
    }
  }
}

/** Node 22 warns that its SQLite is experimental, which whoever runs Vitrine can do nothing about. */
function withoutWarnings<T>(load: () => T): T {
  const {emitWarning} = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** As much of `node:sqlite` as is used; the types of Node 20 do not have it. */
interface NodeSqlite {
  DatabaseSync: new (path: string) => {
    exec(sql: string): void
    prepare(sql: string): {
      run(...values: SqlValue[]): {changes: number | bigint}
      get(...values: SqlValue[]): SqlRow | undefined
      all(...values: SqlValue[]): SqlRow[]
    }
    close(): void
  }
}

/** As much of libsql as is used, which may not be installed. */
type LibsqlConstructor = new (path: string) => {
  exec(sql: string): void
  prepare(sql: string): {
    run(values: SqlValue[]): {changes: number}
    get(values: SqlValue[]): SqlRow | undefined
    all(values: SqlValue[]): SqlRow[]
  }
  close(): void
}
