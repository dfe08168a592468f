import type {Chunk, Decoder} from './lines.ts'
import {iterateBatches} from './iterate-batches.ts'

/** A source of a stream: a Node stream, a Web stream, an iterable, or the complete content. */
export type Source = Chunk | Iterable<Chunk> | AsyncIterable<Chunk> | WebStream

/** The part of a Web `ReadableStream` that reading needs. */
interface WebStream {
  getReader(): {
    read(): Promise<{done: false; value: Chunk} | {done: true; value?: unknown}>
    cancel(reason?: unknown): Promise<void>
    releaseLock(): void
  }
}

/** Options of {@link decodeStream}. */
export interface StreamOptions {
  /** Stops reading at once, closes the source and throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * Decodes a source to its end. When the source fails, all items before the failure are emitted, an incomplete last line
 * included, before the error is thrown. Leaving the loop early closes the source.
 *
 * @example
 * ```ts
 * for await (const record of decodeStream(process.stdin, createRecordDecoder())) console.log(record)
 * ```
 */
export function decodeStream<T>(
  source: Source,
  decoder: Decoder<T>,
  options: StreamOptions = {},
): AsyncGenerator<T, void, undefined> {
  const {signal} = options
  return iterateBatches(decodeBatches(source, decoder, signal), signal)
}

async function* decodeBatches<T>(
  source: Source,
  decoder: Decoder<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T[], void, undefined> {
  const reader = openSource(source)
  const reads = createAbortableReads(reader, signal)
  let readError: {cause: unknown} | undefined
  let finished = false
  try {
    while (!finished) {
      signal?.throwIfAborted()
      let batch: T[]
      try {
        const next = await reads.next()
        finished = next.done === true
        batch = next.done === true ? [] : decoder.push(next.value)
      } catch (cause) {
        readError = {cause}
        break
      }
      signal?.throwIfAborted()
      yield batch
    }
    signal?.throwIfAborted()
    yield decoder.end()
    signal?.throwIfAborted()
    if (readError !== undefined) throw readError.cause
  } finally {
    reads.forget()
    if (!finished) {
      const closing = reader.close().catch(ignore)
      // A source that was aborted because it hangs may hang here too.
      if (signal?.aborted !== true) await closing
    }
  }
}

/**
 * A decoder as a Web `TransformStream`. When the source fails, the platform drops queued items; {@link decodeStream} does
 * not.
 */
export class DecoderStream<T> extends TransformStream<Chunk, T> {
  constructor(decoder: Decoder<T>) {
    super({
      transform(chunk, controller) {
        for (const item of decoder.push(chunk)) controller.enqueue(item)
      },
      flush(controller) {
        for (const item of decoder.end()) controller.enqueue(item)
      },
    })
  }
}

interface SourceReader {
  next(): Promise<IteratorResult<Chunk, unknown>>
  close(): Promise<unknown>
}

function openSource(source: Source): SourceReader {
  if (typeof source === 'string' || ArrayBuffer.isView(source)) return openIterator([source])
  if ('getReader' in source) return openWebStream(source)
  return openIterator(source)
}

function openWebStream(stream: WebStream): SourceReader {
  const reader = stream.getReader()
  return {
    async next() {
      const result = await reader.read()
      if (!result.done) return result
      reader.releaseLock()
      return {done: true, value: undefined}
    },
    async close() {
      const cancelling = reader.cancel()
      reader.releaseLock()
      await cancelling
    },
  }
}

function openIterator(source: Iterable<Chunk> | AsyncIterable<Chunk>): SourceReader {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    next: async () => iterator.next(),
    async close() {
      // The iterator of a Node stream cannot be stopped during a read; the stream can.
      if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
      await iterator.return?.()
    },
  }
}

/** Reads that an abort ends at once. (`Promise.race` with one promise for all reads would keep every chunk alive.) */
function createAbortableReads(reader: SourceReader, signal: AbortSignal | undefined) {
  if (signal === undefined) return {next: () => reader.next(), forget: ignore}
  let rejectRead: (reason: unknown) => void = ignore
  const abort = () => rejectRead(signal.reason)
  signal.addEventListener('abort', abort)
  return {
    next: () =>
      new Promise<IteratorResult<Chunk, unknown>>((resolve, reject) => {
        rejectRead = reject
        reader.next().then(resolve, reject)
      }),
    forget: () => signal.removeEventListener('abort', abort),
  }
}

function ignore(): void {}
