import type {Hit, HitPage, SearchQuery} from './store.ts'
import {splitThinking, toLines, type Chunk} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import {asText, DamageError, isDamage, type Database} from './database.ts'
import type {Deriver} from './search-indexer.ts'
import {describe} from './describe.ts'
import type {RunHeads} from './run-progress.ts'
import {toRunNumber, toRunWord, toSeq, toTypeWord} from './schema.ts'
import {cutSnippet} from './snippet.ts'
import {createCheck, findLongBeginning, parseTerms, toMatch, type Term} from './terms.ts'

/** What a search looks into besides the full-text index. */
export interface SearchParts {
  heads: RunHeads
  chunks: ChunkReads
  deriver: Deriver
}

/** So long a search waits for what is not derived yet. */
const LONGEST_CATCH_UP_MS = 50
/** So many messages, and for so long, are looked at by themselves; after the first of them it is clear whether that will do. */
const MOST_LOOKED_AT = 1000
const FIRST_LOOKED_AT = 50
const LONGEST_LOOK_MS = 60
/** So many chunks are kept while they are. */
const MOST_CHUNKS = 32

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
    const scope = [
      ...(run === undefined ? [] : [`run : ${toRunWord(run.no)}`]),
      ...(types === undefined ? [] : [`type : (${types.map(toTypeWord).join(' OR ')})`]),
    ]
    const list = (words: string, most: number) => {
      const match = [...scope, `text : (${words})`].join(' AND ')
      return find.all(match, before, most).map(({id}) => Number(id))
    }
    const readLine = createLineReader()
    const ids = lookAt(terms, limit + 1, list, readLine) ?? list(toMatch(terms), limit + 1)
    const page = ids.slice(0, limit)
    return {
      hits: page.map((id) => toHit(id, terms, readLine)),
      next: ids.length > page.length ? page.at(-1) : undefined,
      waiting,
    }
  }

  /**
   * For the long beginning of a word, the full-text index gathers every message that has it before it gives the newest.
   * Where many have it, it is sooner found among those that have the short one, which come one by one.
   *
   * @returns `undefined` when that is not so.
   */
  function lookAt(
    terms: readonly Term[],
    wanted: number,
    list: (words: string, most: number) => number[],
    readLine: LineReader,
  ): number[] | undefined {
    const long = findLongBeginning(terms)
    if (long === undefined || wanted > MOST_LOOKED_AT) return undefined
    const has = createCheck(long)
    const end = performance.now() + LONGEST_LOOK_MS
    const candidates = list(toMatch(terms, true), MOST_LOOKED_AT)
    const found: number[] = []
    const isAll = candidates.length < MOST_LOOKED_AT
    for (const [count, id] of candidates.entries()) {
      const isVain = (found.length + 1) * MOST_LOOKED_AT < wanted * count
      if ((count > FIRST_LOOKED_AT && isVain && !isAll) || performance.now() > end) return undefined
      if (has(describe(readMessage(id, readLine).line).text)) found.push(id)
      if (found.length === wanted) return found
    }
    return isAll ? found : undefined
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

  function toHit(id: number, terms: readonly Term[], readLine: LineReader): Hit {
    const {run, seq, line, chunkAt} = readMessage(id, readLine)
    const {type, at = chunkAt} = describe(line)
    const runId = String(findRunId.get(run)?.['run_id'])
    return {runId, seq, type, at, snippet: cutSnippet(line, terms)}
  }

  function readMessage(id: number, readLine: LineReader) {
    const message = Number(findMessage.get(id)?.['message'])
    const run = toRunNumber(message)
    const seq = toSeq(message)
    return {run, seq, ...readLine(run, seq)}
  }

  /** Reads messages of which many are in the same chunks. */
  function createLineReader(): LineReader {
    const known = new Map<number, {chunk: Chunk; lines: string[]}>()
    return (run, seq) => {
      let last = known.get(run)
      if (last === undefined || seq < last.chunk.firstSeq || seq > last.chunk.lastSeq) {
        const chunk = chunks.next(run, seq - 1)
        if (chunk === undefined) throw new DamageError('a message that is found is not there')
        last = {chunk, lines: toLines(chunk)}
        if (known.size >= MOST_CHUNKS) known.clear()
        known.set(run, last)
      }
      const line = last.lines[seq - last.chunk.firstSeq]
      if (line === undefined) throw new DamageError('a message that is found is not there')
      return {line: splitThinking(line).json, chunkAt: last.chunk.at}
    }
  }
}

type LineReader = (run: number, seq: number) => {line: string; chunkAt: number}
