import type {Tokens} from '../../core/events/events.ts'
import {numberAt, type JsonObject} from '../../core/wire/json.ts'

/** The tokens of a request. The input of Cline includes cached tokens. */
export function readTokens(usage: JsonObject): Tokens {
  const cacheRead = countAt(usage, 'cacheReadTokens')
  const cacheWrite = countAt(usage, 'cacheWriteTokens')
  return {
    input: Math.max(0, countAt(usage, 'inputTokens') - cacheRead - cacheWrite),
    output: countAt(usage, 'outputTokens'),
    cacheRead,
    cacheWrite,
  }
}

/** The cost; Cline reports 0 for a model without a known price. */
export function readCost(usage: unknown, name: string): number | undefined {
  return Math.max(0, numberAt(usage, name) ?? 0) || undefined
}

function countAt(usage: JsonObject, name: string): number {
  return Math.max(0, numberAt(usage, name) ?? 0)
}
