import {verified} from './checksum.ts'
import type {Chunk} from './chunk.ts'
import {asText, type Database, type SqlRow} from './database.ts'
import {toMessageId} from './schema.ts'

/** The location and content of a chunk. */
interface ChunkPlace {
  id: number
  size: number
}

/** Finds the chunks of a run, by the number of the run. */
export interface ChunkReads {
  /** The first chunks with messages after a number. */
  list(run: number, since: number, limit: number, types?: number): ChunkPlace[]
  /** The first chunk with messages after a number. */
  next(run: number, since: number): Chunk | undefined
  read(place: ChunkPlace): Chunk | undefined
}

const COLUMNS = `run, first_seq, last_seq, types, at, checksum, ${asText('json')}`

/** Reads chunks and verifies their checksums. */
export function createChunkReads(database: Database): ChunkReads {
  const list = database.prepare(
    `SELECT id, size, last_seq FROM chunks WHERE run = ? AND last_seq > ? AND types & ? != 0
       ORDER BY last_seq LIMIT ?`,
  )
  const next = database.prepare(
    `SELECT ${COLUMNS} FROM chunks WHERE run = ? AND last_seq > ? ORDER BY last_seq LIMIT 1`,
  )
  const read = database.prepare(`SELECT ${COLUMNS} FROM chunks WHERE id = ?`)
  return {
    list: (run, since, limit, types = -1) =>
      list
        .all(run, since, types, limit)
        .map((row) => ({id: Number(row['id']), size: Number(row['size'])})),
    next: (run, since) => toChunk(next.get(run, since)),
    read: ({id}) => toChunk(read.get(id)),
  }
}

function toChunk(row: SqlRow | undefined): Chunk | undefined {
  if (row === undefined) return undefined
  const firstSeq = Number(row['first_seq'])
  return {
    firstSeq,
    lastSeq: Number(row['last_seq']),
    types: Number(row['types']),
    at: Number(row['at']),
    json: verified(toMessageId(Number(row['run']), firstSeq), row['json'], row['checksum']),
  }
}
