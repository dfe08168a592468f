import type {Hit, HitPage, SearchQuery} from '../store.ts'
import {toLines, type Chunk} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import {asText, DamageError, isDamage, type Database} from './database.ts'
import type {Deriver} from './deriver.ts'
import {describe} from './describe.ts'
import type {RunHeads} from './run-heads.ts'
import {toRunNumber, toRunWord, toSeq, toTypeWord} from './schema.ts'
import {cutSnippet} from './snippet.ts'
import {parseTerms, toMatch, type Term} from './terms.ts'

/** What a search looks into besides the full-text index. */
export interface SearchParts {
  heads: RunHeads
  chunks: ChunkReads
  deriver: Deriver
}

/** So long a search waits for what is not derived yet. */
const LONGEST_CATCH_UP_MS = 50

/** Searches the texts of messages, newest first. */
export function createSearch(
  database: Database,
  {heads, chunks, deriver}: SearchParts,
): (query: SearchQuery) => HitPage {
  const find = database.prepare(
    `SELECT rowid AS id FROM found WHERE found MATCH ? AND rowid < CAST(? AS INTEGER)
       ORDER BY rowid DESC LIMIT ?`,
  )
  const findMessage = database.prepare('SELECT message FROM spots WHERE id = ?')
  const findRunId = database.prepare(`SELECT ${asText('run_id')} FROM runs WHERE no = ?`)

  return function search({text, runId, types, limit, before = Number.MAX_SAFE_INTEGER}) {
    catchUp()
    const {waiting} = deriver
    const terms = parseTerms(text)
    const run = runId === undefined ? undefined : heads.find(runId)
    const isVain = terms.length === 0 || types?.length === 0
    if (isVain || (runId !== undefined && run === undefined)) return {hits: [], waiting}
    const match = [
      ...(run === undefined ? [] : [`run : ${toRunWord(run.no)}`]),
      ...(types === undefined ? [] : [`type : (${types.map(toTypeWord).join(' OR ')})`]),
      `text : (${toMatch(terms)})`,
    ].join(' AND ')
    const ids = find.all(match, before, limit + 1).map(({id}) => Number(id))
    const page = ids.slice(0, limit)
    const readLine = createLineReader()
    return {
      hits: page.map((id) => toHit(Number(findMessage.get(id)?.['message']), terms, readLine)),
      next: ids.length > page.length ? page.at(-1) : undefined,
      waiting,
    }
  }

  /** What was just written is found too, unless it is much. */
  function catchUp(): void {
    const end = performance.now() + LONGEST_CATCH_UP_MS
    try {
      while (deriver.advance() && performance.now() < end);
    } catch (error) {
      // What is there is found on a full disk, too.
      if (isDamage(error)) throw error
    }
  }

  function toHit(message: number, terms: readonly Term[], readLine: LineReader): Hit {
    const run = toRunNumber(message)
    const seq = toSeq(message)
    const {line, chunkAt} = readLine(run, seq)
    const {type, at = chunkAt} = describe(line)
    const runId = String(findRunId.get(run)?.['run_id'])
    return {runId, seq, type, at, snippet: cutSnippet(line, terms)}
  }

  /** Reads messages of which many are in the same chunk as the one before. */
  function createLineReader(): LineReader {
    let last: {run: number; chunk: Chunk; lines: string[]} | undefined
    return (run, seq) => {
      if (last?.run !== run || seq < last.chunk.firstSeq || seq > last.chunk.lastSeq) {
        const chunk = chunks.next(run, seq - 1)
        if (chunk === undefined) throw new DamageError('a message that is found is not there')
        last = {run, chunk, lines: toLines(chunk)}
      }
      const line = last.lines[seq - last.chunk.firstSeq]
      if (line === undefined) throw new DamageError('a message that is found is not there')
      return {line, chunkAt: last.chunk.at}
    }
  }
}

type LineReader = (run: number, seq: number) => {line: string; chunkAt: number}
