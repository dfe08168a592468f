import {isRecord, numberAt, objectAt, textAt, type JsonObject} from '../core/wire/json.ts'
import type {BlockFacts, StatusFacts} from '../terminal/usage-statusline.ts'

/** The facts in the status that Claude Code sends; any of them may be missing. */
export function readStatus(status: JsonObject): StatusFacts {
  const model = objectAt(status, 'model')
  const sessionUsd = numberAt(objectAt(status, 'cost'), 'total_cost_usd')
  return {
    model: textAt(model, 'id') ?? textAt(model, 'display_name') ?? textAt(status, 'model'),
    sessionUsd: sessionUsd !== undefined && sessionUsd >= 0 ? sessionUsd : undefined,
    block: readBlock(objectAt(objectAt(status, 'rate_limits'), 'five_hour')),
    contextShare: readContextShare(objectAt(status, 'context_window')),
  }
}

/** Parses the status; `undefined` if it is not a complete JSON object. */
export function parseStatus(text: string): JsonObject | undefined {
  // Checked first: parsing an incomplete text for each chunk takes too long.
  if (!text.trimEnd().endsWith('}')) return undefined
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readBlock(limit: JsonObject): BlockFacts | undefined {
  const endsAt = readTime(limit['resets_at'])
  return endsAt === undefined ? undefined : {endsAt, usedShare: readShare(limit['used_percentage'])}
}

/** Claude Code sends seconds since 1970. */
function readTime(value: unknown): number | undefined {
  if (typeof value === 'string') return readTime(Date.parse(value) / 1000)
  if (typeof value !== 'number' || !(value > 0)) return undefined
  return value < MIN_MILLISECONDS ? value * 1000 : value
}

/** As seconds, it would be in the year 5138. */
const MIN_MILLISECONDS = 1e11

function readContextShare(context: JsonObject): number | undefined {
  const share = readShare(context['used_percentage'])
  if (share !== undefined) return share
  const size = numberAt(context, 'context_window_size') ?? 0
  const usage = objectAt(context, 'current_usage')
  const tokens = CONTEXT_FIELDS.flatMap((name) => numberAt(usage, name) ?? [])
  if (size <= 0 || tokens.length === 0) return undefined
  return readShare((tokens.reduce((sum, count) => sum + count, 0) / size) * 100)
}

const CONTEXT_FIELDS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const

function readShare(percentage: unknown): number | undefined {
  const isValid = typeof percentage === 'number' && Number.isFinite(percentage) && percentage >= 0
  return isValid ? percentage / 100 : undefined
}
