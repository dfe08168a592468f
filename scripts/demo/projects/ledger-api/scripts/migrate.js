// Brings a database up to date: applies the migrations that it does not have yet.

import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'

const name = process.argv[2] ?? 'dev'
const folder = new URL('../db/', import.meta.url)
const state = new URL(`${name}.json`, folder)
const {applied, tables} = existsSync(state)
  ? JSON.parse(readFileSync(state))
  : {applied: [], tables: []}

const waiting = readdirSync(new URL('migrations/', folder))
  .sort()
  .filter((file) => !applied.includes(file))
for (const file of waiting) {
  const startedAt = performance.now()
  const sql = readFileSync(new URL(`migrations/${file}`, folder), 'utf8')
  tables.push(...[...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table))
  applied.push(file)
  writeFileSync(state, JSON.stringify({applied, tables}, null, 2))
  console.log(
    `\x1b[32m✔\x1b[39m ${file} \x1b[90m(${(performance.now() - startedAt).toFixed(1)} ms)\x1b[39m`,
  )
}
console.log(
  waiting.length === 0
    ? `${name} is up to date`
    : `${name} has ${tables.length} tables now: ${tables.join(', ')}`,
)
