import type {RunMessage} from '../../core/protocol/server-message.ts'
import {DamageError} from './database.ts'

/** Consecutive messages of a run, stored together. */
export interface Chunk {
  firstSeq: number
  lastSeq: number
  /** The time of the first message. */
  at: number
  /** A bit for each message type in the chunk. */
  types: number
  /** The messages, one per line with the thinking before it; see {@link joinThinking}. */
  json: string
}

/** A single message may exceed it. */
export const MAX_CHUNK_LENGTH: number = 32 * 1024

/** Separates messages; never part of their JSON. */
export const LINE_END = '\n'

/** Separates a message from the thinking before it; escaped in JSON. */
const SEPARATOR = '\u001e'

/** Joins a message and the thinking before it into one line, because lines are counted. */
export function joinThinking(json: string, thinking: readonly string[] = []): string {
  return thinking.length === 0 ? json : [json, ...thinking].join(SEPARATOR)
}

/** A message and the thinking before it. */
export function splitThinking(line: string): {json: string; thinking?: string[]} {
  if (!line.includes(SEPARATOR)) return {json: line}
  const [json = '', ...thinking] = line.split(SEPARATOR)
  return {json, thinking}
}

/** The lines of a chunk, in order. */
export function toLines({firstSeq, lastSeq, json}: Chunk): string[] {
  const lines = json.split(LINE_END)
  if (lines.length === lastSeq - firstSeq + 1) return lines
  throw new DamageError('there are more messages or fewer than were written')
}

/** The messages of a chunk after a number. */
export function after(chunk: Chunk, seq: number): Chunk {
  if (seq < chunk.firstSeq) return chunk
  const lines = toLines(chunk).slice(seq + 1 - chunk.firstSeq)
  return {...chunk, firstSeq: seq + 1, json: lines.join(LINE_END)}
}

/** The bit of a type; unknown types share one. */
export function toBit(type: string): number {
  return BITS.get(type) ?? 1
}

/** The start of the JSON of a message type. */
export function toBeginning(type: string): string {
  return `{"type":${JSON.stringify(type)}`
}

/** The known message types; the first bit is for all others. */
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
