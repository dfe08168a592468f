import type {Hit, HitPage, SearchQuery} from './store.ts'
import {splitThinking, toLines, type Chunk} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import {asText, DamageError, isDamage, type Database} from './database.ts'
import type {SearchIndexer} from './search-indexer.ts'
import {describe} from './describe.ts'
import type {RunProgressCache} from './run-progress.ts'
import {toRunNumber, toRunWord, toSeq, toTypeWord} from './schema.ts'
import {cutSnippet} from './snippet.ts'
import {createCheck, findLongBeginning, parseTerms, toMatch, type Term} from './terms.ts'

/** The data that a search uses besides the full-text index. */
export interface SearchParts {
  heads: RunProgressCache
  chunks: ChunkReads
  searchIndexer: SearchIndexer
}

/** How long a search waits for messages that are not searchable yet. */
const CATCH_UP_TIMEOUT_MS = 50
/**
 * How many candidate messages are checked one by one, and for how long; the first of them show whether that
 * suffices.
 */
const MAX_CHECKED = 1000
const FIRST_CHECKED = 50
const CHECK_TIMEOUT_MS = 60
/** How many chunks are cached during a check. */
const MAX_CACHED_CHUNKS = 32

/** Searches the texts of messages, newest first. */
export function createSearch(
  database: Database,
  {heads, chunks, searchIndexer}: SearchParts,
): (query: SearchQuery) => HitPage {
  const find = database.prepare(
    `SELECT rowid AS id FROM found WHERE found MATCH ? AND rowid < CAST(? AS INTEGER)
       ORDER BY rowid DESC LIMIT ?`,
  )
  const findMessage = database.prepare('SELECT message FROM search_rows WHERE id = ?')
  const findRunId = database.prepare(`SELECT ${asText('run_id')} FROM runs WHERE no = ?`)

  return function search({text, runId, types, limit, before = Number.MAX_SAFE_INTEGER}) {
    catchUp()
    const {waiting} = searchIndexer
    const terms = parseTerms(text)
    const run = runId === undefined ? undefined : heads.find(runId)
    const isEmptyQuery = terms.length === 0 || types?.length === 0
    if (isEmptyQuery || (runId !== undefined && run === undefined)) return {hits: [], waiting}
    const scope = [
      ...(run === undefined ? [] : [`run : ${toRunWord(run.no)}`]),
      ...(types === undefined ? [] : [`type : (${types.map(toTypeWord).join(' OR ')})`]),
    ]
    const list = (words: string, count: number) => {
      const match = [...scope, `text : (${words})`].join(' AND ')
      return find.all(match, before, count).map(({id}) => Number(id))
    }
    const readLine = createLineReader()
    const ids = checkCandidates(terms, limit + 1, list, readLine) ?? list(toMatch(terms), limit + 1)
    const page = ids.slice(0, limit)
    return {
      hits: page.map((id) => toHit(id, terms, readLine)),
      next: ids.length > page.length ? page.at(-1) : undefined,
      waiting,
    }
  }

  /**
   * For a long prefix, the full-text index collects every match before it returns the newest. If many messages
   * match, it is faster to check the matches of the short prefix one by one.
   *
   * @returns `undefined` if few messages match.
   */
  function checkCandidates(
    terms: readonly Term[],
    wanted: number,
    list: (words: string, limit: number) => number[],
    readLine: LineReader,
  ): number[] | undefined {
    const long = findLongBeginning(terms)
    if (long === undefined || wanted > MAX_CHECKED) return undefined
    const has = createCheck(long)
    const end = performance.now() + CHECK_TIMEOUT_MS
    const candidates = list(toMatch(terms, true), MAX_CHECKED)
    const found: number[] = []
    const isAll = candidates.length < MAX_CHECKED
    for (const [count, id] of candidates.entries()) {
      const isEmptyQuery = (found.length + 1) * MAX_CHECKED < wanted * count
      if ((count > FIRST_CHECKED && isEmptyQuery && !isAll) || performance.now() > end)
        return undefined
      if (has(describe(readMessage(id, readLine).line).text)) found.push(id)
      if (found.length === wanted) return found
    }
    return isAll ? found : undefined
  }

  /** Recent messages are found too, unless there are many. */
  function catchUp(): void {
    const end = performance.now() + CATCH_UP_TIMEOUT_MS
    try {
      while (searchIndexer.advance() && performance.now() < end);
    } catch (error) {
      // Existing messages are found even if the disk is full.
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

  /** Reads messages, many of which are in the same chunks. */
  function createLineReader(): LineReader {
    const known = new Map<number, {chunk: Chunk; lines: string[]}>()
    return (run, seq) => {
      let last = known.get(run)
      if (last === undefined || seq < last.chunk.firstSeq || seq > last.chunk.lastSeq) {
        const chunk = chunks.next(run, seq - 1)
        if (chunk === undefined) throw new DamageError('a message that is found is not there')
        last = {chunk, lines: toLines(chunk)}
        if (known.size >= MAX_CACHED_CHUNKS) known.clear()
        known.set(run, last)
      }
      const line = last.lines[seq - last.chunk.firstSeq]
      if (line === undefined) throw new DamageError('a message that is found is not there')
      return {line: splitThinking(line).json, chunkAt: last.chunk.at}
    }
  }
}

type LineReader = (run: number, seq: number) => {line: string; chunkAt: number}
