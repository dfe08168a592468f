import {asText, type Database, type SqlRow, type SqlValue} from '../../database/database.ts'
import type {FindHead, RunEntry, RunPage, RunQuery, RunRow, StoreStats} from './store.ts'

const COLUMNS: string = asText('entry')

/** Creates the reads of the table of runs. */
export function createRunReads(database: Database, headOf: FindHead) {
  const getRun = database.prepare(
    `SELECT ${COLUMNS} FROM runs WHERE run_id = ? AND entry IS NOT NULL`,
  )
  const listStamps = database.prepare(
    `SELECT ${asText('run_id')}, ${asText('work_order_id')}, ${asText('stamp')}, is_complete FROM runs`,
  )
  const countAll = database.prepare(
    `SELECT count(entry) AS runs, count(iif(is_over = 0, 1, NULL)) AS live,
       total(last_seq) AS messages FROM runs`,
  )
  const sumCost = database.prepare(
    'SELECT count(*) AS runs, total(cost_usd) AS cost FROM runs WHERE started_at >= ?',
  )
  const countVerdicts = database.prepare(
    `SELECT ${asText('verdict', 'name')}, count(*) AS count FROM runs WHERE started_at >= ? AND verdict IS NOT NULL
       GROUP BY verdict`,
  )
  const countAgents = database.prepare(
    `SELECT ${asText('agent', 'name')}, count(*) AS count FROM runs WHERE entry IS NOT NULL
       GROUP BY agent`,
  )

  return {
    listRuns(query: RunQuery): RunPage {
      const {where, values} = toCondition(query)
      const total = database
        .prepare(`SELECT count(*) AS total FROM runs WHERE ${where}`)
        .get(...values)
      const {before, limit, maxBytes = Infinity} = query
      const page = before === undefined ? '' : 'AND (started_at, run_id) < (?, ?)'
      const cursor = before === undefined ? [] : [before.startedAt, before.runId]
      const list = (columns: string, count: number) =>
        database
          .prepare(
            `SELECT ${columns} FROM runs WHERE ${where} ${page}
               ORDER BY started_at DESC, run_id DESC LIMIT ?`,
          )
          .all(...values, ...cursor, count)
      // Reads sizes first, so that rows that do not fit are not loaded.
      const sizes = list('length(CAST(entry AS BLOB)) AS size', limit + 1)
      const fitting = countFitting(
        sizes.slice(0, limit).map(({size}) => Number(size)),
        maxBytes,
      )
      const runs = list(COLUMNS, fitting).map(toRunRow)
      return {runs, total: Number(total?.['total']), isCut: fitting < sizes.length}
    },
    getRun(runId: string): RunRow | null {
      const row = getRun.get(runId)
      return row === undefined ? null : toRunRow(row)
    },
    /** The state of every run, to compare with its recording; empty when items were added but the run was never put. */
    listStamps: () =>
      listStamps.all().map((row) => ({
        runId: String(row['run_id']),
        workOrderId: String(row['work_order_id'] ?? ''),
        stamp: String(row['stamp'] ?? ''),
        isComplete: row['is_complete'] === 1,
      })),
    stats(todayFrom: number): StoreStats {
      const all = countAll.get()
      const today = sumCost.get(todayFrom)
      return {
        runs: Number(all?.['runs']),
        liveRuns: Number(all?.['live']),
        messages: Number(all?.['messages']),
        costUsd: Number(sumCost.get(0)?.['cost']),
        byVerdict: toCounts(countVerdicts.all(0)),
        byAgent: toCounts(countAgents.all()),
        today: {
          runs: Number(today?.['runs']),
          costUsd: Number(today?.['cost']),
          byVerdict: toCounts(countVerdicts.all(todayFrom)),
        },
      }
    },
  }

  function toRunRow(row: SqlRow): RunRow {
    const entry = JSON.parse(String(row['entry'])) as RunEntry
    return {...entry, lastSeq: headOf(entry.runId)?.lastSeq ?? 0}
  }
}

/** How many items fit into a number of bytes, at least one. */
function countFitting(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0
  const end = sizes.findIndex((size, at) => (bytes += size) > maxBytes && at > 0)
  return end === -1 ? sizes.length : end
}

function toCondition(query: RunQuery): {where: string; values: SqlValue[]} {
  const conditions = ['started_at IS NOT NULL']
  const values: SqlValue[] = []
  const add = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  add('agent = ?', query.agent)
  add('verdict = ?', query.verdict)
  add('work_order_id = ?', query.workOrderId)
  add('is_over = ?', query.state === undefined ? undefined : Number(query.state === 'over'))
  for (const word of toWords(query.text ?? '')) add('instr(search_text, ?) > 0', word)
  return {where: conditions.join(' AND '), values}
}

/** How many words are searched at once. */
const MAX_WORDS = 16

function toWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.slice(0, MAX_WORDS)
}

function toCounts(rows: readonly SqlRow[]): Record<string, number> {
  return Object.fromEntries(rows.map(({name, count}) => [String(name ?? ''), Number(count)]))
}
