import {Writable} from 'node:stream'
import {createEventDecoder} from '../agents/parse.ts'
import type {AgentEvent} from '../core/events/events.ts'
import type {LineOptions} from '../core/wire/lines.ts'

/** Formats events as text, like `createFormatter` of `vitrine/terminal`. */
export interface EventFormatter {
  format(event: AgentEvent): string
  end(): string
}

/** How to process the output of an agent. */
export interface ProcessorOptions extends LineOptions {
  /** The command that prints the output, or the id of its agent. */
  agent: string
  /** Formats the events; without it no text is written. */
  formatter?: EventFormatter | undefined
  /**
   * Where the text is written.
   *
   * @defaultValue `process.stdout`
   */
  output?: {write(text: string): unknown} | undefined
  /** Receives the events. */
  onEvent?: ((event: AgentEvent) => void) | undefined
}

/** A writable stream for the output of an agent that the caller has started. */
export interface Processor extends Writable {
  /** When the last chunk arrived, in milliseconds since 1970. */
  readonly lastActivity: number
  /** The number of events, and of malformed lines. */
  stats(): {events: number; errors: number}
  /** Ends the stream; resolves when all output is written. */
  close(): Promise<void>
}

/**
 * Creates a stream that formats the output of an agent that the caller has started; `null` for an unknown agent.
 *
 * @example
 * ```ts
 * const processor = createProcessor({agent: 'claude', formatter: createFormatter()})
 * child.stdout.pipe(processor)
 * ```
 */
export function createProcessor(options: ProcessorOptions): Processor | null {
  const {formatter, output = process.stdout, onEvent} = options
  const decoder = createEventDecoder(options.agent, options)
  if (decoder === null) return null
  let lastActivity = Date.now()
  let events = 0
  let errors = 0
  const write = (text: string) => text !== '' && output.write(text)

  const stream = new Writable({
    write(chunk: Uint8Array, _, done) {
      lastActivity = Date.now()
      handleEvents(decoder.push(chunk))
      done()
    },
    final(done) {
      handleEvents(decoder.end())
      if (formatter !== undefined) write(formatter.end())
      done()
    },
  })
  return Object.defineProperties(stream, {
    lastActivity: {get: () => lastActivity},
    stats: {value: () => ({events, errors})},
    close: {value: close},
  }) as Processor

  function handleEvents(found: AgentEvent[]): void {
    for (const event of found) {
      if (event.type === 'malformed') errors++
      else events++
      onEvent?.(event)
      if (formatter !== undefined) write(formatter.format(event))
    }
  }

  function close(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (stream.writableFinished) return resolve()
      stream.once('error', reject)
      stream.end(resolve)
    })
  }
}
