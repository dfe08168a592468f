import {createLineDecoder, type Decoder} from '../../core/wire/lines.ts'
import type {RecordOptions} from '../../core/wire/records.ts'
import {
  decodeStream,
  DecoderStream,
  type Source,
  type StreamOptions,
} from '../../core/wire/stream.ts'
import type {RawClaudeEvent} from './events.ts'
import {readLine} from './parse-event.ts'

/** How to read a stream of Claude's. */
export interface ClaudeDecoderOptions extends RecordOptions {
  /** Called with every malformed line, which is in the stream too: for a log or a counter. */
  onMalformed?: ((record: RawClaudeEvent) => void) | undefined
}

/** How to read a stream of Claude's to its end. */
export interface ClaudeStreamOptions extends ClaudeDecoderOptions, StreamOptions {}

/**
 * Decodes Claude's output piece by piece, for callers who own the reading loop.
 *
 * @example
 * ```ts
 * const decoder = createClaudeDecoder()
 * child.stdout.on('data', (chunk) => show(decoder.push(chunk)))
 * child.stdout.on('end', () => show(decoder.end()))
 * ```
 */
export function createClaudeDecoder(options: ClaudeDecoderOptions = {}): Decoder<RawClaudeEvent> {
  const {onMalformed, skipBlank = false} = options
  if (onMalformed === undefined && !skipBlank) return createLineDecoder(readLine, options)
  const decoder = createLineDecoder((raw, flaw) => {
    const record = readLine(raw, flaw)
    if (record.event.type === 'malformed') onMalformed?.(record)
    return record
  }, options)
  if (!skipBlank) return decoder
  return {
    push: (chunk) => decoder.push(chunk).filter(isNotBlank),
    end: () => decoder.end().filter(isNotBlank),
  }
}

function isNotBlank({event}: RawClaudeEvent): boolean {
  return event.type !== 'blank'
}

/**
 * Decodes Claude's output from a Node stream, a Web stream, or an iterable of strings or bytes. A
 * read error is thrown after everything that came before it.
 *
 * @example
 * ```ts
 * for await (const {event} of decodeClaudeStream(process.stdin)) {
 *   if (event.type === 'assistant') process.stdout.write(textContent(event))
 * }
 * ```
 */
export function decodeClaudeStream(
  source: Source,
  options: ClaudeStreamOptions = {},
): AsyncGenerator<RawClaudeEvent, void, undefined> {
  return decodeStream(source, createClaudeDecoder(options), options)
}

/**
 * Decodes Claude's output in a pipe of Web streams.
 *
 * @example
 * ```ts
 * const events = response.body.pipeThrough(new ClaudeDecoderStream())
 * ```
 */
export class ClaudeDecoderStream extends DecoderStream<RawClaudeEvent> {
  constructor(options?: ClaudeDecoderOptions) {
    super(createClaudeDecoder(options))
  }
}
