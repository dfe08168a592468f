import {
  createEventDecoder as createDecoder,
  createEventParser,
  type EventDecoder,
  type EventDecoderOptions,
  type EventParser,
  type EventParserOptions,
} from '../core/events/event-parser.ts'
import {findAgent} from './find-agent.ts'

/**
 * Creates a parser for the output of an agent, line by line; `null` for an unknown command.
 *
 * @example
 * ```ts
 * const parser = parserFor('/usr/local/bin/codex')
 * for (const event of parser?.parse(line) ?? []) show(event)
 * ```
 */
export function parserFor(command: string, options?: EventParserOptions): EventParser | null {
  const adapter = findAgent(command)
  return adapter === null ? null : createEventParser(adapter, options)
}

/**
 * Creates a decoder for the output of an agent, from bytes or text in any chunks; `null` for an unknown command.
 *
 * @example
 * ```ts
 * const decoder = createEventDecoder('codex')
 * child.stdout.on('data', (chunk) => show(decoder.push(chunk)))
 * child.stdout.on('end', () => show(decoder.end()))
 * ```
 */
export function createEventDecoder(
  command: string,
  options?: EventDecoderOptions,
): EventDecoder | null {
  const adapter = findAgent(command)
  return adapter === null ? null : createDecoder(adapter, options)
}

/**
 * The arguments that make a command print events, without those already in `args`. None for an unknown command, and never
 * one that grants permissions.
 */
export function outputFlags(command: string, args: readonly string[] = []): string[] {
  return findAgent(command)?.flags(args) ?? []
}
