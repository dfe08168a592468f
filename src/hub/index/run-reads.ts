import {asText, type Database, type SqlRow, type SqlValue} from '../../database/database.ts'
import type {EntryKind} from '../../core/run/run-summary.ts'
import type {
  EntryFacts,
  FindHead,
  RunEntry,
  RunPage,
  RunQuery,
  RunRow,
  StoreStats,
} from './store.ts'

const COLUMNS: string = asText('entry')

/** Creates the reads of the table of runs. */
export function createRunReads(database: Database, headOf: FindHead) {
  const getRun = database.prepare(
    `SELECT ${COLUMNS} FROM runs WHERE run_id = ? AND entry IS NOT NULL`,
  )
  const listStamps = database.prepare(
    `SELECT ${asText('run_id')}, ${asText('work_order_id')}, ${asText('stamp')},
       ${asText('kind')}, is_complete FROM runs`,
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
        kind: String(row['kind'] ?? 'run'),
        isComplete: row['is_complete'] === 1,
      })),
    /** The facts of all matching entries that a list needs for its groups and filters. */
    listFacts(query: Omit<RunQuery, 'limit'>): EntryFacts[] {
      const {where, values} = toCondition(query)
      return database
        .prepare(
          `SELECT started_at, cost_usd, is_estimate, is_over, is_waiting, ${asText('agent')},
             ${asText('kind')}, ${asText('cwd')}, iif(${FAILED}, 1, 0) AS is_failed
             FROM runs WHERE ${where}`,
        )
        .all(...values)
        .map((row) => ({
          startedAt: Number(row['started_at']),
          costUsd: row['cost_usd'] === null ? null : Number(row['cost_usd']),
          isEstimate: row['is_estimate'] === 1,
          isOver: row['is_over'] === 1,
          isWaiting: row['is_waiting'] === 1,
          isFailed: row['is_failed'] === 1,
          agent: String(row['agent'] ?? ''),
          kind: String(row['kind'] ?? 'run') as EntryKind,
          cwd: String(row['cwd'] ?? ''),
        }))
    },
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

function toCondition(query: Omit<RunQuery, 'limit'>): {where: string; values: SqlValue[]} {
  const conditions = ['started_at IS NOT NULL']
  const values: SqlValue[] = []
  const add = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  add('agent = ?', query.agent)
  add('kind = ?', query.kind)
  add('started_at >= ?', query.from)
  add('started_at < ?', query.to)
  if (query.project !== undefined) {
    conditions.push("(cwd = ? OR cwd LIKE ? ESCAPE '\\')")
    values.push(query.project, `%/${query.project.replaceAll(/[%_\\]/g, '\\$&')}`)
  }
  add('verdict = ?', query.verdict)
  add('work_order_id = ?', query.workOrderId)
  if (query.state === 'failed') conditions.push(FAILED)
  else if (query.state === 'needs-you') conditions.push('is_waiting = 1')
  else if (query.state !== undefined) add('is_over = ?', Number(query.state === 'over'))
  for (const word of toWords(query.text ?? '')) add('instr(search_text, ?) > 0', word)
  return {where: conditions.join(' AND '), values}
}

/** Runs that neither succeeded nor were stopped on purpose. */
const FAILED = "verdict NOT IN ('succeeded', 'stopped')"

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
