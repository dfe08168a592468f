import {Writable} from 'node:stream'
import {createEventDecoder} from '../agents/parse.ts'
import type {AgentEvent} from '../core/events/events.ts'
import type {LineOptions} from '../core/wire/lines.ts'

/** Turns events into text, as {@link https://www.npmjs.com/package/vitrine | vitrine/terminal} does. */
export interface EventFormatter {
  format(event: AgentEvent): string
  end(): string
}

/** How to process an agent's output. */
export interface ProcessorOptions extends LineOptions {
  /** The command that prints it, or the name of its agent. */
  agent: string
  /** Makes text of the events; without one nothing is written. */
  formatter?: EventFormatter | undefined
  /**
   * Where the text goes.
   *
   * @defaultValue `process.stdout`
   */
  output?: {write(text: string): unknown} | undefined
  /** Gets the events. */
  onEvent?: ((event: AgentEvent) => void) | undefined
}

/** Takes an agent's output from whoever has started it, and shows it. */
export interface Processor extends Writable {
  /** When anything came last, in milliseconds since 1970. */
  readonly lastActivity: number
  /** How many events there were, and how many lines that could not be read. */
  stats(): {events: number; errors: number}
  /** Says that no more is to come, and settles when all is shown. */
  close(): Promise<void>
}

/**
 * Makes a stream that turns what an agent prints into text as it comes, for those who start the agent themselves;
 * `null` when no agent is known by that name.
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
  const show = (text: string) => text !== '' && output.write(text)

  const stream = new Writable({
    write(chunk: Uint8Array, _, done) {
      lastActivity = Date.now()
      see(decoder.push(chunk))
      done()
    },
    final(done) {
      see(decoder.end())
      if (formatter !== undefined) show(formatter.end())
      done()
    },
  })
  return Object.defineProperties(stream, {
    lastActivity: {get: () => lastActivity},
    stats: {value: () => ({events, errors})},
    close: {value: close},
  }) as Processor

  function see(found: AgentEvent[]): void {
    for (const event of found) {
      if (event.type === 'malformed') errors++
      else events++
      onEvent?.(event)
      if (formatter !== undefined) show(formatter.format(event))
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
