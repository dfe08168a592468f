import {createLineDecoder, filterItems, type Decoder} from '../../core/wire/lines.ts'
import type {RecordOptions} from '../../core/wire/records.ts'
import {
  decodeStream,
  DecoderStream,
  type Source,
  type StreamOptions,
} from '../../core/wire/stream.ts'
import type {RawClaudeEvent} from './events.ts'
import {readLine} from './parse-event.ts'

/** Options of {@link createClaudeDecoder}. */
export interface ClaudeDecoderOptions extends RecordOptions {
  /** Called with every malformed line, which is emitted too. */
  onMalformed?: ((record: RawClaudeEvent) => void) | undefined
}

/** Options of {@link decodeClaudeStream}. */
export interface ClaudeStreamOptions extends ClaudeDecoderOptions, StreamOptions {}

/**
 * Decodes the output of Claude Code in chunks, for callers with a reading loop of their own.
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
  return skipBlank ? filterItems(decoder, ({event}) => event.type !== 'blank') : decoder
}

/**
 * Decodes the output of Claude Code from a Node stream, a Web stream, or an iterable of strings or bytes. A read error is
 * thrown after all events before it.
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
 * Decodes the output of Claude Code in a pipe of Web streams.
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
