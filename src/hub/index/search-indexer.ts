import {splitThinking, toLines, type Chunk} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import {DamageError, type Database} from './database.ts'
import {describe} from './describe.ts'
import {createRunFacts, type SeqFacts} from './run-facts.ts'
import type {RunHead, RunHeads} from './run-progress.ts'
import {createTexts, type FoundText} from './texts.ts'
import {transact} from './transact.ts'

/** Makes of messages, some time after they were written, what they are found by. */
export interface Deriver {
  /** Goes on a little, for some milliseconds; tells whether more waits. */
  advance(): boolean
  /** Makes sure that all tools and files of a run are known. */
  completeFacts(runId: string): void
  /** How many messages cannot be found yet. */
  readonly waiting: number
}

/** So much is taken at once, unless one chunk has more. Others wait meanwhile. */
const MOST_CHARACTERS = 128 * 1024

/** Derives texts, tools and files; what was derived and how far is written together. */
export function createDeriver(database: Database, heads: RunHeads, chunks: ChunkReads): Deriver {
  const addTexts = createTexts(database)
  const addFacts = createRunFacts(database)
  const mark = database.prepare('UPDATE runs SET facts_seq = ?, sought_seq = ? WHERE no = ?')

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
      for (const {lastSeq, soughtSeq} of heads.waiting.values()) count += lastSeq - soughtSeq
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
    let room = MOST_CHARACTERS
    for (const head of heads.waiting.values()) {
      while (room > 0 && head.soughtSeq < head.lastSeq) {
        const chunk = next(head, head.soughtSeq)
        room -= chunk.json.length
        const facts = addChunkFacts(head, chunk)
        head.soughtSeq = chunk.lastSeq
        for (const {seq, at, known} of facts) {
          const {type, text} = known
          if (text !== '') texts.push({run: head.no, seq, at, type, text})
        }
      }
      save(head)
      // One that has more is next when all others had their turn.
      heads.waiting.delete(head.no)
      if (head.soughtSeq < head.lastSeq) heads.waiting.set(head.no, head)
      if (room <= 0) break
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
    // They may be known already, when somebody asked for them.
    if (chunk.lastSeq > head.factsSeq) {
      addFacts(head.no, facts)
      head.factsSeq = chunk.lastSeq
    }
    return facts
  }

  function save({factsSeq, soughtSeq, no}: RunHead): void {
    mark.run(factsSeq, soughtSeq, no)
  }
}
