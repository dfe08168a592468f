import type {MessagePage, MessageQuery} from './store.ts'
import {splitThinking, toBeginning, toBit, toLines} from './chunk.ts'
import type {ChunkReads} from './chunk-reads.ts'
import type {RunProgressCache} from './run-progress.ts'

/** How many chunks are looked up at once. */
const CHUNKS = 32

/** How much is read for a page of some types; a page may be short if few messages match. */
const MAX_READ_LENGTH = 1024 * 1024

/** Pages the messages of a run. */
export function createMessageReads(
  heads: RunProgressCache,
  chunks: ChunkReads,
): (runId: string, query: MessageQuery) => MessagePage {
  return function listMessages(runId, {since, limit, maxBytes = Infinity, types}) {
    const head = heads.find(runId)
    const messages: MessagePage['messages'] = []
    if (head === undefined || types?.length === 0) return {messages, isEnd: true}
    const maxLength = types === undefined ? Infinity : MAX_READ_LENGTH
    let bytes = 0
    let bytesRead = 0
    for (const {firstSeq, lines, size} of listLines(head.no, since, types)) {
      bytesRead += size
      if (messages.length > 0 && bytesRead > maxLength) return {messages, isEnd: false}
      for (const [index, line] of lines) {
        if (messages.length >= limit) return {messages, isEnd: false}
        bytes += Buffer.byteLength(line)
        if (messages.length > 0 && bytes > maxBytes) return {messages, isEnd: false}
        messages.push({seq: firstSeq + index, ...splitThinking(line)})
      }
    }
    return {messages, isEnd: true}
  }

  /** The matching lines of a run, chunk by chunk. */
  function* listLines(run: number, since: number, types: readonly string[] | undefined) {
    const bits = types?.reduce((all, type) => all | toBit(type), 0)
    const beginnings = types?.map(toBeginning)
    let from = since
    for (;;) {
      const places = chunks.list(run, from, CHUNKS, bits)
      for (const place of places) {
        const chunk = chunks.read(place)
        if (chunk === undefined) continue
        const {firstSeq} = chunk
        from = chunk.lastSeq
        const lines = [...toLines(chunk).entries()].filter(([index, line]) => {
          if (firstSeq + index <= since) return false
          return beginnings?.some((beginning) => line.startsWith(beginning)) ?? true
        })
        yield {firstSeq, lines, size: place.size}
      }
      if (places.length < CHUNKS) return
    }
  }
}
