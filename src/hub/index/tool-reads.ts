import type {ChangedFile, ToolStats, ToolUse} from './store.ts'
import {asText, type Database, type SqlValue} from './database.ts'
import type {SearchIndexer} from './search-indexer.ts'
import type {RunProgressCache} from './run-progress.ts'

/** Lists tool calls and changed files. */
export function createToolReads(
  database: Database,
  {heads, searchIndexer}: {heads: RunProgressCache; searchIndexer: SearchIndexer},
): {
  listTools(runId: string): ToolUse[]
  toolStats(runId?: string): ToolStats[]
  listFiles(runId: string): ChangedFile[]
} {
  const listTools = database.prepare(
    `SELECT ${asText('use_id')}, ${asText('tool')}, seq, at, success, duration_ms FROM tools
       WHERE run = ? ORDER BY seq`,
  )
  const prepareCount = (condition: string) =>
    database.prepare(
      `SELECT ${asText('tool')}, count(*) AS count, count(iif(success = 0, 1, NULL)) AS failures,
         count(duration_ms) AS timed FROM tools WHERE tool IS NOT NULL ${condition}
         GROUP BY tools.tool ORDER BY count DESC, tools.tool`,
    )
  const prepareDuration = (condition: string) =>
    database.prepare(
      `SELECT duration_ms FROM tools WHERE tool = ? AND duration_ms IS NOT NULL ${condition}
         ORDER BY duration_ms LIMIT 1 OFFSET ?`,
    )
  const ofAll = {count: prepareCount(''), duration: prepareDuration('')}
  const ofRun = {count: prepareCount('AND run = ?'), duration: prepareDuration('AND run = ?')}
  const listFiles = database.prepare(
    `SELECT ${asText('path')}, ${asText('action')}, changes, size, uncertain FROM files WHERE run = ?
       ORDER BY files.path`,
  )

  return {
    listTools: (runId) =>
      listTools.all(toNumber(runId)).map((row) => ({
        toolUseId: String(row['use_id']),
        tool: toText(row['tool']),
        seq: Number(row['seq']),
        at: Number(row['at']),
        success: row['success'] === null ? undefined : row['success'] === 1,
        durationMs: toFigure(row['duration_ms']),
      })),
    toolStats(runId) {
      const scope = runId === undefined ? [] : [toNumber(runId)]
      const statements = runId === undefined ? ofAll : ofRun
      return statements.count.all(...scope).map(({tool = null, count, failures, timed}) => {
        const at = (part: number) => {
          const rank = Math.max(Math.ceil(part * Number(timed)), 1) - 1
          return toFigure(statements.duration.get(tool, ...scope, rank)?.['duration_ms'])
        }
        return {
          tool: String(tool),
          count: Number(count),
          failures: Number(failures),
          p50Ms: at(0.5),
          p95Ms: at(0.95),
        }
      })
    },
    listFiles: (runId) =>
      listFiles.all(toNumber(runId)).map((row) => ({
        path: String(row['path']),
        action: String(row['action']),
        changes: Number(row['changes']),
        sizeBytes: toFigure(row['size']),
        isUncertain: row['uncertain'] === 1,
      })),
  }

  /** The number of a run, after completing its derived data. */
  function toNumber(runId: string): SqlValue {
    searchIndexer.completeFacts(runId)
    return heads.find(runId)?.no ?? null
  }
}

function toText(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toFigure(value: SqlValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
