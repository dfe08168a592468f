import type {Draft} from '../../core/events/adapter.ts'
import type {Tokens} from '../../core/events/events.ts'
import {countTokens, subtractTokens} from '../../core/run/ledger.ts'
import {isRecord, numberAt} from '../../core/wire/json.ts'

/** Turns a running total of tokens into the usage since the last one. */
export interface UsageCounter {
  /** The current total; `latest` is the usage of the last request, if it is reported. */
  count(total: unknown, latest?: unknown, model?: string): Draft[]
  /** Another session begins, with a total of its own. */
  reset(): void
}

/** Creates a counter. */
export function createUsageCounter(): UsageCounter {
  let before: Tokens | undefined
  return {
    count(total, latest, model) {
      if (!isRecord(total)) return []
      const now = readTokens(total)
      const tokens = before === undefined ? readTokens(latest ?? total) : since(before, now)
      before = now
      return countTokens(tokens) === 0 ? [] : [{type: 'usage', tokens, model}]
    },
    reset() {
      before = undefined
    },
  }
}

/** Reads the tokens of a request: the input tokens of Codex include cached tokens; ours do not. */
export function readTokens(usage: unknown): Tokens {
  const cacheRead = countAt(usage, 'cached_input_tokens')
  const cacheWrite = countAt(usage, 'cache_write_input_tokens')
  const input = (numberAt(usage, 'input_tokens') ?? 0) - cacheRead - cacheWrite
  return {
    input: Math.max(0, input),
    output: countAt(usage, 'output_tokens'),
    cacheRead,
    cacheWrite,
    reasoning: numberAt(usage, 'reasoning_output_tokens'),
  }
}

/** A damaged count is 0. */
function countAt(usage: unknown, name: string): number {
  return Math.max(0, numberAt(usage, name) ?? 0)
}

/** A lower total than before started from 0. */
function since(before: Tokens, now: Tokens): Tokens {
  return now.output < before.output ? now : subtractTokens(now, before)
}
