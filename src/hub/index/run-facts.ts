import {createBulk} from './bulk.ts'
import type {Database, SqlValue} from './database.ts'
import type {Facts} from './describe.ts'

/** The facts of one message. */
export interface SeqFacts {
  seq: number
  at: number
  known: Facts
}

/** Adds the tool calls and the changed files of a run. */
export function createRunFacts(
  database: Database,
): (run: number, facts: readonly SeqFacts[]) => void {
  const addTools = createBulk(
    database,
    'tools (run, use_id, seq, at, tool, success, duration_ms)',
    `ON CONFLICT DO UPDATE SET seq = min(seq, excluded.seq), at = min(at, excluded.at),
       tool = coalesce(tool, excluded.tool), success = coalesce(excluded.success, success),
       duration_ms = coalesce(excluded.duration_ms, duration_ms)`,
  )
  const addFiles = createBulk(
    database,
    'files (run, path, seq, changes, action, size, uncertain)',
    `ON CONFLICT DO UPDATE SET changes = changes + 1, seq = excluded.seq, action = excluded.action,
       size = excluded.size, uncertain = min(uncertain, excluded.uncertain)`,
  )
  return function add(run, facts) {
    addTools(mergeUses(run, facts))
    addFiles(
      facts.flatMap(({seq, known: {file}}) => {
        if (typeof file?.path !== 'string') return []
        const isUncertain = Number(file.isUncertain === true)
        return [[run, file.path, seq, 1, file.action ?? '', file.sizeBytes ?? null, isUncertain]]
      }),
    )
  }
}

/** A call and its result are usually close, so they become one row. */
function mergeUses(run: number, facts: readonly SeqFacts[]): SqlValue[][] {
  const uses = new Map<string, SqlValue[]>()
  for (const {seq, at, known} of facts) {
    const {use} = known
    if (typeof use?.id !== 'string') continue
    const {id, tool = null, success, durationMs = null} = use
    const isSuccess = success === undefined ? null : Number(success)
    const [, , firstSeq = seq, firstAt = at, firstTool, lastSuccess, lastMs] = uses.get(id) ?? []
    uses.set(id, [
      run,
      id,
      firstSeq,
      firstAt,
      firstTool ?? tool,
      isSuccess ?? lastSuccess ?? null,
      durationMs ?? lastMs ?? null,
    ])
  }
  return [...uses.values()]
}
