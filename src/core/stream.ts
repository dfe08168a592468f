import type {Chunk, Decoder} from './lines.ts'

/** Anything a stream can be read from: a Node stream, a Web stream, an iterable, or the whole of it. */
export type Source = Chunk | Iterable<Chunk> | AsyncIterable<Chunk> | WebStream

/** As much of a Web `ReadableStream` as is needed to read one. */
export interface WebStream {
  getReader(): {
    read(): Promise<{done: boolean; value?: Chunk | undefined}>
    cancel(reason?: unknown): Promise<void>
  }
}

/** How to stop reading a stream. */
export interface StreamOptions {
  /** Stops reading at once, closes the source and throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * Reads a source to its end through a decoder. When the source fails, everything that came before
 * is given out first, an unfinished last line too, and then its error is thrown. Leaving the loop
 * early closes the source.
 *
 * @example
 * ```ts
 * for await (const record of decodeStream(process.stdin, createRecordDecoder())) console.log(record)
 * ```
 */
export async function* decodeStream<T>(
  source: Source,
  decoder: Decoder<T>,
  options: StreamOptions = {},
): AsyncGenerator<T, void, undefined> {
  const {signal} = options
  signal?.throwIfAborted()
  const reader = openSource(source)
  const reads = createAbortableReads(reader, signal)
  let readError: {cause: unknown} | undefined
  let finished = false
  try {
    while (!finished) {
      let items: T[]
      try {
        const next = await reads.next()
        finished = next.done === true
        items = next.done === true ? [] : decoder.push(next.value)
      } catch (cause) {
        readError = {cause}
        break
      }
      for (const item of items) {
        yield item
        signal?.throwIfAborted()
      }
    }
    signal?.throwIfAborted()
    yield* decoder.end()
    if (readError !== undefined) throw readError.cause
  } finally {
    reads.forget()
    if (!finished) reader.close()
  }
}

/**
 * A decoder as a Web `TransformStream`, to pipe through. When the source fails the platform drops
 * what is queued; {@link decodeStream} does not.
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
  /** Closes the source without waiting: one that hangs would keep us for ever. */
  close(): void
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
      const {done, value} = await reader.read()
      return done || value === undefined ? {done: true, value: undefined} : {done: false, value}
    },
    close: () => void reader.cancel().catch(ignore),
  }
}

function openIterator(source: Iterable<Chunk> | AsyncIterable<Chunk>): SourceReader {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    next: async () => iterator.next(),
    close() {
      // The iterator of a Node stream cannot be told to stop while a read is under way; the stream can.
      if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
      void (async () => iterator.return?.())().catch(ignore)
    },
  }
}

/** Reads that an abort ends at once. (`Promise.race` with one promise for all of them would keep every chunk alive.) */
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
