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
 * A fresh parser for what a command prints, line by line; `null` when no agent is known by that name.
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
 * A fresh decoder for what a command prints, from bytes or text in any chunks; `null` when no agent is
 * known by that name.
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
 * The arguments that make a command print its events and that `args` does not have yet. None for a
 * command that is not known, and never one that lets an agent do more than it was allowed to.
 */
export function outputFlags(command: string, args: readonly string[] = []): string[] {
  return findAgent(command)?.flags(args) ?? []
}
