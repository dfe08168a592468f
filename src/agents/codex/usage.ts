import type {Draft} from '../../core/events/adapter.ts'
import type {Tokens} from '../../core/events/events.ts'
import {isRecord, numberAt} from '../../core/wire/json.ts'

/** Turns a running total of tokens into the usage since the last one. */
export interface UsageCounter {
  /** The current total; `latest` is the usage of the last request, if it is reported. */
  count(total: unknown, latest?: unknown, model?: string): Draft[]
  /** Another session begins, with a total of its own. */
  reset(): void
}

/** Creates a counter. A lower total than before started from 0. */
export function createUsageCounter(): UsageCounter {
  let before: Tokens | undefined
  return {
    count(total, latest, model) {
      if (!isRecord(total)) return []
      const now = readTokens(total)
      const tokens = before === undefined ? readTokens(latest ?? total) : subtract(now, before)
      before = now
      if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite === 0) return []
      return [{type: 'usage', tokens, model}]
    },
    reset() {
      before = undefined
    },
  }
}

/** The input tokens of Codex include cached tokens; ours do not. */
function readTokens(usage: unknown): Tokens {
  const cacheRead = numberAt(usage, 'cached_input_tokens') ?? 0
  const cacheWrite = numberAt(usage, 'cache_write_input_tokens') ?? 0
  const input = (numberAt(usage, 'input_tokens') ?? 0) - cacheRead - cacheWrite
  return {
    input: Math.max(0, input),
    output: numberAt(usage, 'output_tokens') ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: numberAt(usage, 'reasoning_output_tokens'),
  }
}

function subtract(now: Tokens, before: Tokens): Tokens {
  if (now.output < before.output) return now
  return {
    input: Math.max(0, now.input - before.input),
    output: now.output - before.output,
    cacheRead: Math.max(0, now.cacheRead - before.cacheRead),
    cacheWrite: Math.max(0, now.cacheWrite - before.cacheWrite),
    reasoning:
      now.reasoning === undefined
        ? undefined
        : Math.max(0, now.reasoning - (before.reasoning ?? 0)),
  }
}
