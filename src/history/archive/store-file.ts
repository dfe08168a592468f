import {createHash} from 'node:crypto'
import {closeSync, fstatSync} from 'node:fs'
import {openForReading, readAt} from '../read-file.ts'
import {openTranscriptSource} from '../source.ts'
import {stampOf, type Transcript} from '../transcripts.ts'
import type {ChunkStore} from './chunk-store.ts'
import type {ArchivedFile} from './manifest.ts'
import {splitContent, type ReadBytes} from './split-content.ts'

/** The fields of an archived file that depend on its content. */
export type StoredContent = Pick<
  ArchivedFile,
  'stamp' | 'size' | 'mtimeMs' | 'mode' | 'sha256' | 'chunks'
>

/**
 * Stores the content of a file as it is now: what is appended meanwhile is left for the next time.
 *
 * @throws Error if it cannot be read or is not a regular file.
 */
export async function storeFile(
  path: string,
  store: ChunkStore,
  signal?: AbortSignal,
): Promise<StoredContent> {
  const file = openForReading(path)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('not a regular file')
    let position = 0
    const read: ReadBytes = (into) => {
      const wanted = Math.min(into.length, stats.size - position)
      const size = wanted === 0 ? 0 : readAt(file, into.subarray(0, wanted), position)
      position += size
      return size
    }
    const content = await storeContent(read, store, signal)
    // Times can be restored to the microsecond: rounding them up could change the second.
    const mtimeMs = Number(fstatSync(file, {bigint: true}).mtimeNs / 1000n) / 1000
    return {...content, stamp: stampOf(stats), mtimeMs, mode: stats.mode & 0o777}
  } finally {
    closeSync(file)
  }
}

/** Stores the records of a session in a database, one per line. */
export async function storeRecords(
  transcript: Transcript,
  store: ChunkStore,
  signal?: AbortSignal,
): Promise<StoredContent> {
  const source = openTranscriptSource(transcript)
  try {
    const records = transcript.format.readRecords?.(source) ?? []
    const content = await storeContent(readLinesOf(records), store, signal)
    return {...content, stamp: transcript.stamp, mtimeMs: transcript.stats.mtimeMs, mode: 0o600}
  } finally {
    source.close()
  }
}

async function storeContent(read: ReadBytes, store: ChunkStore, signal: AbortSignal | undefined) {
  const digest = createHash('sha256')
  const chunks: ArchivedFile['chunks'] = []
  let size = 0
  for (const bytes of splitContent(read)) {
    signal?.throwIfAborted()
    digest.update(bytes)
    size += bytes.length
    chunks.push(await store.put(bytes))
  }
  return {size, sha256: digest.digest('hex'), chunks}
}

function readLinesOf(records: Iterable<object>): ReadBytes {
  const iterator = records[Symbol.iterator]()
  let rest: Uint8Array = new Uint8Array(0)
  return (into) => {
    while (rest.length === 0) {
      const next = iterator.next()
      if (next.done === true) return 0
      rest = Buffer.from(`${JSON.stringify(next.value)}\n`)
    }
    const size = Math.min(into.length, rest.length)
    into.set(rest.subarray(0, size))
    rest = rest.subarray(size)
    return size
  }
}
