import type {RunMessage} from '../../core/protocol/server-message.ts'
import {DamageError} from './database.ts'

/** Messages of a run that follow one another and are kept together. */
export interface Chunk {
  firstSeq: number
  lastSeq: number
  /** When the first one was. */
  at: number
  /** A bit for each type that is among them. */
  types: number
  /** That of the messages, each on its line with the thinking before it; see {@link joinThinking}. */
  json: string
}

/** One message may be larger. */
export const MOST_CHARACTERS: number = 32 * 1024

/** What is between messages, and never in the JSON of one. */
export const LINE_END = '\n'

/** What is between a message and the thinking before it, and never in JSON, where it is escaped. */
const SEPARATOR = '\u001e'

/** The line of a message and the thinking before it, which has no line of its own, as lines are counted. */
export function joinThinking(json: string, thinking: readonly string[] = []): string {
  return thinking.length === 0 ? json : [json, ...thinking].join(SEPARATOR)
}

/** A message and the thinking before it. */
export function splitThinking(line: string): {json: string; thinking?: string[]} {
  if (!line.includes(SEPARATOR)) return {json: line}
  const [json = '', ...thinking] = line.split(SEPARATOR)
  return {json, thinking}
}

/** The lines of a chunk, the first one first. */
export function toLines({firstSeq, lastSeq, json}: Chunk): string[] {
  const lines = json.split(LINE_END)
  if (lines.length === lastSeq - firstSeq + 1) return lines
  throw new DamageError('there are more messages or fewer than were written')
}

/** The messages of a chunk that come after a seq. */
export function after(chunk: Chunk, seq: number): Chunk {
  if (seq < chunk.firstSeq) return chunk
  const lines = toLines(chunk).slice(seq + 1 - chunk.firstSeq)
  return {...chunk, firstSeq: seq + 1, json: lines.join(LINE_END)}
}

/** The bit of a type; types that are not known share one. */
export function toBit(type: string): number {
  return BITS.get(type) ?? 1
}

/** How a message of a type begins. */
export function toBeginning(type: string): string {
  return `{"type":${JSON.stringify(type)}`
}

/** Those of the messages that there are; the first bit is for all others. */
const TYPES = [
  'run_started',
  'run_ended',
  'agent_output',
  'agent_tool_call',
  'agent_tool_result',
  'file_changed',
  'permission_request',
] as const satisfies readonly RunMessage['type'][]

const BITS = new Map<string, number>(TYPES.map((type, index) => [type, 2 << index]))
