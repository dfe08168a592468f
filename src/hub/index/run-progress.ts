import {DamageError, type Database, type SqlRow} from './database.ts'

/** The indexing progress of a run. */
export interface RunHead {
  no: number
  /** The number of its last message. */
  lastSeq: number
  /** Tools and files are derived up to this message. */
  factsSeq: number
  /** Messages are searchable up to this one. */
  searchableSeq: number
}

/** Cache of the indexing progress of runs, which is read for every message. */
export interface RunProgressCache {
  find(runId: string): RunHead | undefined
  /** Adds the run if it is missing. */
  make(runId: string): RunHead
  /** Runs that are not completely searchable. */
  readonly waiting: Map<number, RunHead>
  /** Forgets a run that is about to be removed. */
  remove(runId: string): void
  /** Reads the database again after a failed write. */
  reload(): void
}

/** Others are read again on demand. */
const MAX_CACHED_RUNS = 10_000

const COLUMNS = 'no, last_seq, facts_seq, searchable_seq'

/** Creates the cache; callers that change the progress change the database too. */
export function createRunHeads(database: Database): RunProgressCache {
  const heads = new Map<string, RunHead>()
  const waiting = new Map<number, RunHead>()
  const add = database.prepare('INSERT INTO runs (run_id) VALUES (?) ON CONFLICT DO NOTHING')
  const get = database.prepare(`SELECT ${COLUMNS} FROM runs WHERE run_id = ?`)
  const listWaiting = database.prepare(
    `SELECT ${COLUMNS} FROM runs WHERE searchable_seq < last_seq ORDER BY no`,
  )
  loadWaiting()

  return {
    find,
    make(runId) {
      const known = find(runId)
      if (known !== undefined) return known
      add.run(runId)
      const made = find(runId)
      if (made === undefined) throw new DamageError('a run that was added is not there')
      return made
    },
    waiting,
    remove(runId) {
      waiting.delete(find(runId)?.no ?? Number.NaN)
      heads.delete(runId)
    },
    reload() {
      heads.clear()
      waiting.clear()
      loadWaiting()
    },
  }

  function find(runId: string): RunHead | undefined {
    const known = heads.get(runId)
    if (known !== undefined) return known
    const row = get.get(runId)
    if (row === undefined) return undefined
    const no = Number(row['no'])
    const head = waiting.get(no) ?? toHead(row)
    if (heads.size >= MAX_CACHED_RUNS) heads.clear()
    heads.set(runId, head)
    return head
  }

  function loadWaiting(): void {
    for (const row of listWaiting.all()) waiting.set(Number(row['no']), toHead(row))
  }
}

function toHead(row: SqlRow): RunHead {
  return {
    no: Number(row['no']),
    lastSeq: Number(row['last_seq']),
    factsSeq: Number(row['facts_seq']),
    searchableSeq: Number(row['searchable_seq']),
  }
}
