import {splitThinking, toLines, type Chunk} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import {DamageError, type Database} from './database.ts'
import {describe} from './describe.ts'
import {createRunFacts, type SeqFacts} from './run-facts.ts'
import type {RunHead, RunProgressCache} from './run-progress.ts'
import {createTexts, type FoundText} from './texts.ts'
import {transact} from './transact.ts'

/** Makes stored messages searchable, some time after they were written. */
export interface SearchIndexer {
  /** Continues for some milliseconds; returns whether more is pending. */
  advance(): boolean
  /** Completes the tools and files of a run. */
  completeFacts(runId: string): void
  /** How many messages are not searchable yet. */
  readonly waiting: number
}

/** How much text is processed at once, at least one chunk; other work waits meanwhile. */
const MAX_TEXT_LENGTH = 128 * 1024

/** Derives texts, tools and files; they are written in one transaction with the progress. */
export function createSearchIndexer(
  database: Database,
  heads: RunProgressCache,
  chunks: ChunkReads,
): SearchIndexer {
  const addTexts = createTexts(database)
  const addFacts = createRunFacts(database)
  const mark = database.prepare('UPDATE runs SET facts_seq = ?, searchable_seq = ? WHERE no = ?')

  return {
    advance() {
      if (heads.waiting.size > 0) attempt(deriveSome)
      return heads.waiting.size > 0
    },
    completeFacts(runId) {
      const head = heads.find(runId)
      if (head === undefined || head.factsSeq === head.lastSeq) return
      attempt(() => {
        while (head.factsSeq < head.lastSeq) addChunkFacts(head, next(head, head.factsSeq))
        save(head)
      })
    },
    get waiting() {
      let count = 0
      for (const {lastSeq, searchableSeq} of heads.waiting.values())
        count += lastSeq - searchableSeq
      return count
    },
  }

  function attempt(work: () => void): void {
    try {
      transact(database, work)
    } catch (error) {
      heads.reload()
      throw error
    }
  }

  function deriveSome(): void {
    const texts: FoundText[] = []
    let remaining = MAX_TEXT_LENGTH
    for (const head of heads.waiting.values()) {
      while (remaining > 0 && head.searchableSeq < head.lastSeq) {
        const chunk = next(head, head.searchableSeq)
        remaining -= chunk.json.length
        const facts = addChunkFacts(head, chunk)
        head.searchableSeq = chunk.lastSeq
        for (const {seq, at, known} of facts) {
          const {type, text} = known
          if (text !== '') texts.push({run: head.no, seq, at, type, text})
        }
      }
      save(head)
      // A run with more pending chunks goes to the end of the queue.
      heads.waiting.delete(head.no)
      if (head.searchableSeq < head.lastSeq) heads.waiting.set(head.no, head)
      if (remaining <= 0) break
    }
    addTexts(texts)
  }

  function next(head: RunHead, since: number): Chunk {
    const chunk = chunks.next(head.no, since)
    if (chunk === undefined || chunk.firstSeq > since + 1) {
      throw new DamageError('messages are missing')
    }
    return chunk
  }

  function addChunkFacts(head: RunHead, chunk: Chunk): SeqFacts[] {
    const facts = toLines(chunk).map((line, index) => {
      const known = describe(splitThinking(line).json)
      return {seq: chunk.firstSeq + index, at: known.at ?? chunk.at, known}
    })
    // They may exist already, after a read of the run.
    if (chunk.lastSeq > head.factsSeq) {
      addFacts(head.no, facts)
      head.factsSeq = chunk.lastSeq
    }
    return facts
  }

  function save({factsSeq, searchableSeq, no}: RunHead): void {
    mark.run(factsSeq, searchableSeq, no)
  }
}
