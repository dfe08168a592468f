import type {Database, SqlRow, SqlValue} from './database.ts'

/**
 * Runs `SELECT a, b AS c FROM …` in a database that can be damaged in any way: libsql ends the process on damaged text,
 * also on that of the schema, and Node rejects large integers.
 */
export function selectSafely(database: Database, sql: string, values: SqlValue[]): SqlRow[] {
  const columns = columnsOf(sql).map(asSafeColumn)
  return database.prepare(`SELECT ${columns.join(', ')} FROM (${sql})`).all(...values)
}

/** The names of the columns. libsql cannot list them in a damaged database. */
function columnsOf(sql: string): string[] {
  const list = /^\s*SELECT\s(.*?)\sFROM\s/is.exec(withoutParentheses(sql))?.[1]
  const names = list?.split(',').map((column) => /(?:^|[\s.])(\w+)\s*$/.exec(column)?.[1])
  if (names?.every((name) => name !== undefined)) return names
  throw new Error(`Cannot find the columns: expected SELECT a, b AS c FROM …, got: ${sql}`)
}

function withoutParentheses(sql: string): string {
  const shorter = sql.replaceAll(/\([^()]*\)/g, '')
  return shorter === sql ? sql : withoutParentheses(shorter)
}

function asSafeColumn(name: string): string {
  return `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB)
    WHEN 'integer' THEN CAST(${name} AS REAL) ELSE ${name} END AS ${name}`
}
