import {readdirSync, readFileSync} from 'node:fs'

const MIGRATIONS = new URL('../db/migrations/', import.meta.url)

/** A row with this key is already there. */
export class UniqueViolation extends Error {
  code = 'unique_violation'
}

/** Opens a database in memory, with all migrations applied. */
export function openDatabase({latencyMs = 3} = {}) {
  const tables = new Map()
  for (const file of readdirSync(MIGRATIONS).sort()) {
    const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8')
    for (const [, name, columns] of sql.matchAll(/CREATE TABLE (\w+) \(([^;]+)\);/g)) {
      tables.set(name, {key: /(\w+) TEXT PRIMARY KEY/.exec(columns)?.[1], rows: []})
    }
  }

  async function open(name) {
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    const table = tables.get(name)
    if (table === undefined) throw new Error(`no such table: ${name}`)
    return table
  }

  return {
    async insert(name, row) {
      const {key, rows} = await open(name)
      if (key !== undefined && rows.some((other) => other[key] === row[key])) {
        throw new UniqueViolation(`${name}.${key} ${row[key]} is already there`)
      }
      rows.push({...row})
    },
    async select(name, where = {}) {
      const {rows} = await open(name)
      return rows.filter((row) => Object.entries(where).every(([key, value]) => row[key] === value))
    },
    async remove(name, where) {
      const table = await open(name)
      table.rows = table.rows.filter(
        (row) => !Object.entries(where).every(([key, value]) => row[key] === value),
      )
    },
  }
}
