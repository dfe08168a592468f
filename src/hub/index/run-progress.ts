import {DamageError, type Database, type SqlRow} from './database.ts'

/** How far a run has come in the index. */
export interface RunHead {
  no: number
  /** Its last message. */
  lastSeq: number
  /** So far its tools and files are known. */
  factsSeq: number
  /** So far it is searched. */
  soughtSeq: number
}

/** How far runs have come, in memory, because it is asked for every message. */
export interface RunHeads {
  find(runId: string): RunHead | undefined
  /** Adds the run if it is not there. */
  make(runId: string): RunHead
  /** Runs that are not searched to their end. */
  readonly waiting: Map<number, RunHead>
  /** Forgets a run that is about to be removed. */
  remove(runId: string): void
  /** Looks into the database again: something was not written. */
  reload(): void
}

/** Others are read again when they are asked for. */
const MOST_KEPT = 10_000

const COLUMNS = 'no, last_seq, facts_seq, sought_seq'

/** Reads how far runs have come; whoever changes that changes the database too. */
export function createRunHeads(database: Database): RunHeads {
  const heads = new Map<string, RunHead>()
  const waiting = new Map<number, RunHead>()
  const add = database.prepare('INSERT INTO runs (run_id) VALUES (?) ON CONFLICT DO NOTHING')
  const get = database.prepare(`SELECT ${COLUMNS} FROM runs WHERE run_id = ?`)
  const listWaiting = database.prepare(
    `SELECT ${COLUMNS} FROM runs WHERE sought_seq < last_seq ORDER BY no`,
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
    if (heads.size >= MOST_KEPT) heads.clear()
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
    soughtSeq: Number(row['sought_seq']),
  }
}
