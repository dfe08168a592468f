import type {Draft} from '../../core/events/adapter.ts'
import {objectAt, parseText, textAt} from '../../core/wire/json.ts'

/** Reads an error that does not end the turn: a retry, a rate limit or a warning. */
export function readError(message: string): Draft {
  const detail = errorText(message)
  const retry = RETRY.exec(message)
  if (retry !== null) {
    const [attempt, of] = retry.slice(1).filter((count) => count !== undefined)
    return {
      type: 'status',
      status: 'api-retry',
      // Without the count, which has fields of its own.
      detail: /^Reconnecting\.\.\. \d+\/\d+ \((.*)\)$/s.exec(message)?.[1] ?? detail,
      attempt: attempt === undefined ? undefined : Number(attempt),
      of: of === undefined ? undefined : Number(of),
      delayMs: readDelay(message),
    }
  }
  const status = KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'warning'
  switch (status) {
    case 'rate-limit': {
      const [, leftPercent] = /^Heads up, you have less than (\d+)%/.exec(message) ?? []
      const usedShare = leftPercent === undefined ? undefined : 1 - Number(leftPercent) / 100
      return {type: 'status', status, detail, isBlocking: usedShare === undefined, usedShare}
    }
    case 'model-fallback': {
      const [, model] = /^model rerouted: \S+ -> (\S+)/.exec(message) ?? []
      return {type: 'status', status, detail, model}
    }
    case 'compacting':
      return {type: 'status', status, phase: 'end', detail}
    case 'warning':
      return {type: 'status', status, detail}
    default:
      return status satisfies never
  }
}

/** `… retrying 1/5 in 206ms…`, or in seconds: `in 1.5s…`. */
function readDelay(message: string): number | undefined {
  const [, count, unit] = /; retrying \d+\/\d+ in ([\d.]+)(ms|s)/.exec(message) ?? []
  return count === undefined ? undefined : Number(count) * (unit === 's' ? 1000 : 1)
}

/** The text of an error, which may be the JSON response of the API. */
export function errorText(message: string): string {
  if (!message.startsWith('{')) return message
  const body = parseText(message)
  return textAt(objectAt(body, 'error'), 'message') ?? textAt(body, 'message') ?? message
}

/** `Reconnecting... 1/5 (…)` or `… waiting for network (…)`; once `stream error: …; retrying 1/5 in 206ms…`. */
const RETRY = /^Reconnecting\.\.\.(?: (\d+)\/(\d+))?|; retrying (\d+)\/(\d+) in [^;]*$/

/** Kinds of errors by their text, as there is no other field. */
const KINDS = [
  [/usage limit|quota exceeded|rate limit|^Heads up, you have less than/i, 'rate-limit'],
  [/^model rerouted: /, 'model-fallback'],
  [/^Heads up: Long .* compactions/, 'compacting'],
] as const
